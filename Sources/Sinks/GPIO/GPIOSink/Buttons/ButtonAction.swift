import SinkKit

/// What a gesture asks for.
enum ButtonAction: Hashable {
  /// An intent, with seconds for `snooze` and `extend`.
  case intent(AlarmAction, duration: Double?)
  /// A program that says what comes next.
  case sayNext

  /// The words of plugins.conf.
  static let words = [
    "snooze", "stop", "pause", "resume", "secondary", "skip", "extend", "restart", "say-next",
  ]

  /// The state in which it is meant if plugins.conf does not say; nil if in none in particular.
  ///
  /// A stop is for what rings: a press in the dark shall not end a snooze unseen.
  var ownState: AlarmState? {
    guard case .intent(let action, _) = self else { return nil }
    return switch action {
    case .pause, .extend, .restart: .countdown
    case .resume: .paused
    case .skip: nil
    default: .alerting
    }
  }

  /// Whether the daemon can do it in that state.
  func fits(_ state: AlarmState) -> Bool {
    guard case .intent(let action, _) = self else { return true }
    return switch action {
    case .snooze, .secondary: state == .alerting
    case .pause: state == .countdown
    case .resume: state == .paused
    case .extend, .restart: state == .countdown || state == .paused
    default: true
    }
  }

  /// Reads `snooze`, `snooze 5min`, `extend 1min`, `say-next` and so on.
  ///
  /// - Throws: what is wrong, as the end of a sentence that begins with the key.
  init(_ text: String) throws(Flaw) {
    let words = text.split(separator: " ").map(String.init)
    guard let word = words.first, Self.words.contains(word) else {
      throw Flaw(reason: "is none of \(Self.words.joined(separator: ", "))")
    }
    guard let action = AlarmAction(rawValue: word) else {
      guard words.count == 1 else { throw Flaw(reason: "takes nothing after say-next") }
      self = .sayNext
      return
    }
    let rest = words.dropFirst().joined(separator: " ")
    guard !rest.isEmpty else {
      guard action != .extend else { throw Flaw(reason: "needs a duration, such as extend 1min") }
      self = .intent(action, duration: nil)
      return
    }
    guard action == .snooze || action == .extend else {
      throw Flaw(reason: "takes nothing after \(word)")
    }
    guard let duration = (try? ValueText.duration(rest)).map({ Duration.microseconds($0) }),
      (Duration.seconds(1)...Duration.seconds(86_400)).contains(duration)
    else { throw Flaw(reason: "needs a duration of 1s to 1d, such as \(word) 5min") }
    self = .intent(action, duration: duration.seconds)
  }

  /// What is wrong with an action's words.
  struct Flaw: Error {
    var reason: String
  }
}
