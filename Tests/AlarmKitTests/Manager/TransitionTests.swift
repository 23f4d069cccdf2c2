import AlarmKit
import AlarmKitTesting
import Testing

/// A state and a call, and what comes of it.
struct Transition: Sendable, CustomTestStringConvertible {
  enum Start: String, Sendable {
    case scheduled
    case countdown
    case paused
    case alerting
    case unknown
  }

  enum Call: String, Sendable {
    case cancel
    case stop
    case pause
    case resume
    case countdown
  }

  enum End: Sendable {
    case becomes(Alarm.State)
    case isGone
    case isRefused
  }

  var start: Start
  var call: Call
  var oneShot: End
  var repeating: End

  init(_ start: Start, _ call: Call, _ oneShot: End, repeating: End? = nil) {
    self.start = start
    self.call = call
    self.oneShot = oneShot
    self.repeating = repeating ?? oneShot
  }

  var testDescription: String { "\(call.rawValue) while \(start.rawValue)" }

  static let all: [Transition] = [
    Transition(.scheduled, .cancel, .isGone),
    Transition(.countdown, .cancel, .isGone),
    Transition(.paused, .cancel, .isGone),
    Transition(.alerting, .cancel, .isGone),
    Transition(.unknown, .cancel, .isRefused),

    Transition(.scheduled, .stop, .isRefused),
    Transition(.countdown, .stop, .isGone, repeating: .becomes(.scheduled)),
    Transition(.paused, .stop, .isGone, repeating: .becomes(.scheduled)),
    Transition(.alerting, .stop, .isGone, repeating: .becomes(.scheduled)),
    Transition(.unknown, .stop, .isRefused),

    Transition(.scheduled, .pause, .isRefused),
    Transition(.countdown, .pause, .becomes(.paused)),
    Transition(.paused, .pause, .isRefused),
    Transition(.alerting, .pause, .isRefused),
    Transition(.unknown, .pause, .isRefused),

    Transition(.scheduled, .resume, .isRefused),
    Transition(.countdown, .resume, .isRefused),
    Transition(.paused, .resume, .becomes(.countdown)),
    Transition(.alerting, .resume, .isRefused),
    Transition(.unknown, .resume, .isRefused),

    Transition(.scheduled, .countdown, .isRefused),
    Transition(.countdown, .countdown, .isRefused),
    Transition(.paused, .countdown, .isRefused),
    Transition(.alerting, .countdown, .becomes(.countdown)),
    Transition(.unknown, .countdown, .isRefused),
  ]
}

extension AlarmManager {
  fileprivate func make(_ call: Transition.Call, _ id: UUID) throws {
    switch call {
    case .cancel: try cancel(id: id)
    case .stop: try stop(id: id)
    case .pause: try pause(id: id)
    case .resume: try resume(id: id)
    case .countdown: try countdown(id: id)
    }
  }
}

extension Transition.Start {
  /// The state as the manager tells it; nil if there is no alarm.
  fileprivate var state: Alarm.State? {
    switch self {
    case .scheduled: .scheduled
    case .countdown: .countdown
    case .paused: .paused
    case .alerting: .alerting
    case .unknown: nil
    }
  }
}

@Suite("Each call in each state", .timeLimit(.minutes(10)))
struct TransitionTests {
  /// An alarm that counts for ten minutes before its time, at 09:00.
  private func configuration(repeating: Bool) -> RecipeConfiguration {
    RecipeConfiguration(
      countdownDuration: .init(preAlert: 600, postAlert: 60),
      schedule: repeating
        ? .relative(.init(time: .init(hour: 9, minute: 0), repeats: .weekly(everyDay)))
        : .fixed(newYear + 3_600),
      attributes: attributes()
    )
  }

  private func bring(_ id: UUID, to start: Transition.Start, _ alarms: TestAlarms) async throws {
    switch start {
    case .scheduled: await alarms.advance(by: .seconds(60))
    case .countdown: await alarms.advance(by: .seconds(55 * 60))
    case .paused:
      await alarms.advance(by: .seconds(55 * 60))
      try alarms.manager.pause(id: id)
    case .alerting: await alarms.advance(by: .seconds(60 * 60))
    case .unknown: break
    }
  }

  @Test("does what the table says", arguments: Transition.all, [false, true])
  func table(transition: Transition, repeating: Bool) async throws {
    let alarms = try TestAlarms(now: newYear)
    let manager = alarms.manager
    let id = UUID()
    if transition.start != .unknown {
      try await manager.schedule(id: id, configuration: configuration(repeating: repeating))
    }
    try await bring(id, to: transition.start, alarms)
    #expect(try manager.alarm(id)?.state == transition.start.state)
    let failure = reason { try manager.make(transition.call, id) }
    switch repeating ? transition.repeating : transition.oneShot {
    case .becomes(let state):
      #expect(failure == nil)
      #expect(try manager.alarm(id)?.state == state)
    case .isGone:
      #expect(failure == nil)
      #expect(try manager.alarm(id) == nil)
    case .isRefused:
      let isUnknown = transition.start == .unknown
      #expect(failure == (isUnknown ? .unknownAlarm : .wrongState(transition.start.state)))
      #expect(try manager.alarm(id)?.state == transition.start.state)
    }
  }

  @Test("A refusal tells which alarm, what its state is, and what to do")
  func refusal() async throws {
    let alarms = try TestAlarms(now: newYear)
    let id = UUID()
    try await alarms.manager.schedule(id: id, configuration: timer(60))
    do {
      try alarms.manager.resume(id: id)
      Issue.record("it went on although it was not paused")
    } catch let failure as AlarmManager.Failure {
      #expect(failure.alarmID == id)
      #expect(failure.reason == .wrongState(.countdown))
      #expect(failure.errorDescription?.contains("is not paused") == true)
      #expect(failure.recoverySuggestion?.isEmpty == false)
      #expect("\(failure)".contains(failure.remedy))
    }
  }
}
