import TocsinModel
import TocsinTime

/// What is known about the alarms that are followed, and what a key does to them; pure.
struct FollowState {
  /// The alarms whose first end is waited for.
  private(set) var pending: Set<AlarmID>
  /// What is presented, others' alarms too.
  private(set) var presented: [AlarmID: Presentation] = [:]
  /// The worst that became of one of them.
  private(set) var exit = ExitCode.success
  /// Whether the service is in this process, and ends with it.
  let hosts: Bool
  /// Whether it only looks on, at everything, and never ends by itself.
  let onlyWatches: Bool

  init(_ alarms: Set<AlarmID>, hosts: Bool) {
    pending = alarms
    self.hosts = hosts
    onlyWatches = false
  }

  /// Looks on.
  static let watching = FollowState()

  private init() {
    pending = []
    hosts = false
    onlyWatches = true
  }

  /// What a key asks for.
  enum Answer: Hashable {
    case intents([Intent])
    case quit([Intent])
    /// Nothing, and why.
    case hint(String)
  }

  /// Takes in an event; true once nothing is left to follow.
  mutating func handle(_ message: SinkMessage) -> Bool {
    switch message {
    case .sync(let all):
      presented = Dictionary(all.map { ($0.alarm, $0) }, uniquingKeysWith: { _, newer in newer })
    case .present(let presentation):
      presented[presentation.alarm] = presentation
    case .cleared(let cleared):
      presented[cleared.alarm] = nil
      guard let code = Self.end(cleared.reason) else { return false }
      finish(cleared.alarm, code)
    case .missed(let missed):
      finish(missed.alarm, .missed)
    case .hello, .secondary, .notice, .receipt, .ping, .bye, .unknown:
      break
    }
    return pending.isEmpty && !onlyWatches
  }

  /// What the key does now.
  ///
  /// Enter and Space stop what rings, else a snooze of ours, and never a countdown that still
  /// counts: it is hit too easily. Each answer names its occurrence, so that one that comes too late
  /// changes nothing.
  func answer(to key: Key) -> Answer {
    if onlyWatches {
      return key == .quit ? .quit([]) : .hint("watch only shows; answer with tocsin stop or snooze")
    }
    let ringing = presented.values.filter { $0.state == .alerting }
    let ours = presented.values.filter { pending.contains($0.alarm) }
    switch key {
    case .stop:
      if !ringing.isEmpty { return .intents(intents(.stop, ringing)) }
      let snoozed = ours.filter { $0.countdown?.snooze == true }
      if !snoozed.isEmpty { return .intents(intents(.stop, snoozed)) }
      return .hint(ours.isEmpty ? "it does not ring yet; q leaves" : "it still counts; q leaves")
    case .snooze:
      return ringing.isEmpty ? .hint("nothing rings yet") : .intents(intents(.snooze, ringing))
    case .pause:
      let counting = ours.filter { $0.state == .countdown }
      if !counting.isEmpty { return .intents(intents(.pause, counting)) }
      let paused = ours.filter { $0.state == .paused }
      return paused.isEmpty ? .hint("nothing counts down now") : .intents(intents(.resume, paused))
    case .quit:
      // The service ends with this process: left ringing, it would ring again at the next start.
      return .quit(hosts ? intents(.stop, ringing) : [])
    }
  }

  /// The last lines when one leaves before the end: what is lost, what is kept.
  func farewell(titles: [AlarmID: String], zone: Zone, now: Instant) -> [String] {
    let left = pending.sorted { $0.description < $1.description }.filter {
      // What rang here was stopped on the way out.
      !(hosts && presented[$0]?.state == .alerting)
    }
    return left.map { id in
      let presentation = presented[id]
      let title = EventText.title(
        presentation?.title ?? titles[id] ?? "",
        kind: presentation?.kind
      )
      let fire = presentation?.countdown?.fire.map { Wording.time($0, in: zone, now: now) }
      if hosts {
        let when = fire.map { ", due \($0)," } ?? ""
        return
          "\(title)\(when) is kept in the store, but nothing rings until tocsind or tocsin runs"
      }
      if presentation?.state == .alerting { return "\(title) rings on; stop it with: tocsin stop" }
      return "\(title) goes on in the daemon" + (fire.map { " and rings at \($0)" } ?? "")
    }
  }

  private func intents(_ action: AlarmAction, _ shown: [Presentation]) -> [Intent] {
    shown.sorted { $0.seq < $1.seq }.map { Intent(action, .occurrence($0.occurrence)) }
  }

  private mutating func finish(_ alarm: AlarmID, _ code: ExitCode) {
    guard pending.remove(alarm) != nil else { return }
    if code.rawValue > exit.rawValue { exit = code }
  }

  /// What the end of a presentation means; nil if it goes on.
  private static func end(_ reason: ClearReason) -> ExitCode? {
    switch reason {
    case .stopped: .success
    case .cancelled, .disabled: .cancelled
    case .unanswered, .missed: .missed
    case .refused: .storage
    case .merged, .clock, .rerouted, .other: nil
    }
  }
}
