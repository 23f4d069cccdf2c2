import TocsinModel

/// Whether a request whose answer was lost has been carried out, by what the alarms have become.
///
/// Asking twice for some things does them twice, and for others is refused the second time.
enum RepeatedRequest {
  /// Whether there is nothing left to do.
  ///
  /// - Parameters:
  ///   - body: what was asked.
  ///   - before: the alarm as it was when it was first asked; nil if it was not there.
  ///   - now: the alarm as it is.
  /// - Returns: false if it is to be asked again.
  static func isDone(_ body: Request.Body, before: AlarmStatus?, now: AlarmStatus?) -> Bool {
    switch body {
    case .schedule(let alarm): before == nil && now.map { isSame(alarm, $0.alarm) } ?? false
    case .intent(let intent): isDone(intent, before: before, now: now)
    default: false
    }
  }

  /// The alarm a request is about, if it names one.
  static func alarm(of body: Request.Body) -> AlarmID? {
    switch body {
    case .schedule(let alarm), .update(let alarm): alarm.id
    case .intent(let intent):
      switch intent.target {
      case .occurrence(let occurrence): occurrence.alarm
      case .named(let name): AlarmID(name)
      case .alerting, .only, .all: nil
      }
    default: nil
    }
  }

  private static func isDone(_ intent: Intent, before: AlarmStatus?, now: AlarmStatus?) -> Bool {
    // Of an alarm that was not there nothing can have been done.
    guard let before else { return false }
    guard let now else { return intent.action == .cancel || intent.action == .stop }
    let isSameOccurrence = before.occurrence != nil && now.occurrence == before.occurrence
    switch intent.action {
    case .cancel: return false
    case .stop: return before.occurrence != nil && !isSameOccurrence
    case .snooze, .secondary:
      guard before.state == .alerting, isSameOccurrence else { return false }
      return now.state == .countdown && now.countdown?.snooze == true
    case .pause: return isSameOccurrence && before.state == .countdown && now.state == .paused
    case .resume: return isSameOccurrence && before.state == .paused && now.state == .countdown
    case .extend, .restart: return isSameOccurrence && now.countdown != before.countdown
    case .skip: return before.skips != now.skips
    case .enable: return !before.alarm.isEnabled && now.alarm.isEnabled
    case .disable: return before.alarm.isEnabled && !now.alarm.isEnabled
    }
  }

  /// Whether the service's alarm is the one that was sent, by what is written of it.
  ///
  /// Times are written with fewer digits than they are held with, and the service puts the program's name
  /// to it.
  private static func isSame(_ sent: Alarm, _ kept: Alarm) -> Bool {
    var sent = sent
    sent.options.application = kept.options.application
    guard let one = try? JSONLine.encode(sent), let other = try? JSONLine.encode(kept) else {
      return false
    }
    return one == other
  }
}
