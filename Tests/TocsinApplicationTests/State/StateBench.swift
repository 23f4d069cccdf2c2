import TocsinModel
import TocsinTime

@testable import TocsinApplication

/// The decisions of a line with a clock and a service played by hand.
final class StateBench {
  var state: LinkState
  var now: LinkMoment = 1_000_000
  /// What was sent and not answered yet, in order.
  private(set) var open: [(id: String, body: Request.Body)] = []
  /// What was to be done and is not about requests or answers, as words.
  private(set) var log: [String] = []
  /// The answers, as words.
  private(set) var answers: [Int: String] = [:]
  private(set) var answered: [Int: ApplicationAnswer] = [:]
  private var lastCall = 0

  init(_ place: LinkState.Place = .socket) {
    state = LinkState(application: "kitchen", place: place)
  }

  @discardableResult
  func tell(_ event: LinkEvent) -> [LinkEffect] {
    let effects = state.handle(event, now: now)
    for effect in effects { take(effect) }
    return effects
  }

  private func take(_ effect: LinkEffect) {
    switch effect {
    case .reach(let way): log.append("reach \(way)")
    case .send(let request, let body): open.append((request, body))
    case .disconnect:
      log.append("disconnect")
      open = []
    case .finish(let call, .success(let answer)):
      answers[call] = "done"
      answered[call] = answer
    case .finish(let call, .failure(let error)): answers[call] = Self.word(error)
    case .admitAlarms(let reader, let alarms): log.append("admit \(reader): \(Self.word(alarms))")
    case .admitAccess(let reader, let access):
      log.append("admit \(reader): \(access.map(\.rawValue) ?? "unknown")")
    case .alarms(let alarms): log.append("alarms \(Self.word(alarms))")
    case .access(let access): log.append("access \(access.rawValue)")
    case .run(let intent): log.append("run \(intent.number)")
    case .end: log.append("end")
    }
  }

  private static func word(_ alarms: [AlarmStatus]?) -> String {
    guard let alarms else { return "unknown" }
    return alarms.map { "\($0.alarm.title) \($0.state.rawValue)" }.joined(separator: ", ")
  }

  private static func word(_ error: ApplicationError) -> String {
    switch error {
    case .refused(let error): "refused \(error.code.rawValue)"
    case .unavailable(let text): "unavailable: \(text)"
    case .timeout: "timeout"
    case .cancelled: "cancelled"
    }
  }

  /// What was noted since the last time.
  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  /// The types of the requests that have no answer yet.
  var openTypes: [String] { open.map { Self.type(of: $0.body) } }

  static func type(of body: Request.Body) -> String {
    let line = (try? JSONLine.encode(Request(id: "", body))) ?? []
    let words = String(decoding: line, as: UTF8.self).split(separator: "\"")
    let index = words.firstIndex(of: "type").map { $0 + 2 } ?? 0
    return String(words[index])
  }

  /// Asks for something; the number of the call.
  @discardableResult
  func ask(_ body: Request.Body?, within time: Int64? = nil) -> Int {
    lastCall += 1
    tell(.asked(call: lastCall, body, within: time.map { .microseconds($0) }))
    return lastCall
  }

  // MARK: - The service

  private func takeOpen(_ type: String) -> String {
    guard let index = open.firstIndex(where: { Self.type(of: $0.body) == type }) else { return "?" }
    return open.remove(at: index).id
  }

  /// Answers the first open request of that type.
  func grant(
    _ type: String,
    _ outcome: Reply.Outcome = Reply.Outcome(),
    _ alarms: [AlarmStatus] = []
  ) {
    let id = takeOpen(type)
    for alarm in alarms { tell(.reply(.alarm(id: id, alarm))) }
    tell(.reply(.ok(id: id, outcome)))
  }

  func refuse(_ type: String, _ code: ServiceError.Code) {
    tell(.reply(.error(id: takeOpen(type), ServiceError(code, "no"))))
  }

  /// The service is there, lets the program in, and tells its alarms.
  func serve(_ alarms: [AlarmStatus] = [], _ way: LinkWay = .socket, embedded: Bool? = nil) {
    tell(.reached(way))
    grant("join", Reply.Outcome(access: .authorized))
    grant("list", Reply.Outcome(count: alarms.count), alarms)
    grant("status", Reply.Outcome(status: Self.status(embedded: embedded)))
  }

  static func status(embedded: Bool?) -> ServiceStatus {
    var status = ServiceStatus(
      version: "1",
      pid: 1,
      alarms: 0,
      alerting: 0,
      limit: 10,
      next: nil,
      zone: "UTC",
      clockTrusted: true,
      wakesFromSuspend: false,
      store: nil,
      warnings: []
    )
    status.embedded = embedded
    return status
  }

  /// The connection breaks, and the next is there as soon as the line tries again.
  func breakOff() {
    open = []
    tell(.lost("it broke"))
  }

  /// Lets time pass to what is due next.
  func passToDeadline() {
    now = max(now, state.deadline ?? now)
    tell(.time)
  }

  /// Breaks off, and serves again with these alarms.
  func restart(_ alarms: [AlarmStatus]) {
    breakOff()
    passToDeadline()
    serve(alarms)
  }
}

/// An alarm with this title, whose identity is made of a number.
func alarm(_ number: UInt64, _ title: String = "Tea") -> Alarm {
  Alarm(
    id: AlarmID(high: 1, low: number),
    title: title,
    countdown: CountdownDuration(preAlert: 60)
  )
}

/// An alarm in a state, with an occurrence under way unless it only waits.
func status(
  _ number: UInt64,
  _ state: AlarmState,
  serial: UInt32 = 0,
  next: Int64? = nil,
  snoozing: Bool = false
) -> AlarmStatus {
  var alarm = alarm(number)
  alarm.options.application = "kitchen"
  var status = AlarmStatus(alarm: alarm, state: state)
  if state != .scheduled {
    status.occurrence = occurrence(number, serial: serial)
  }
  if state == .countdown {
    status.countdown = Presentation.Countdown(
      start: Instant(seconds: 0),
      fire: Instant(seconds: 60),
      total: 60,
      elapsed: 0,
      snooze: snoozing
    )
  }
  status.next = next.map { Instant(seconds: $0) }
  return status
}

func occurrence(_ number: UInt64, serial: UInt32 = 0) -> OccurrenceID {
  OccurrenceID(alarm: AlarmID(high: 1, low: number), origin: Instant(seconds: 5), serial: serial)
}

func pending(_ number: UInt64, alarm: UInt64 = 1, application: String = "kitchen") -> PendingIntent
{
  PendingIntent(
    number: number,
    application: application,
    occurrence: occurrence(alarm),
    action: .stop,
    done: .stop,
    source: "tocsin",
    at: Instant(seconds: 9),
    call: IntentCall(type: "Take")
  )
}
