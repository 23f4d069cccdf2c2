/// What of an alarm cannot be meant; an alarm is refused for it and never bent into another.
public enum AlarmConfigurationError: Error, Hashable, Sendable {
  /// It has neither a schedule nor a `preAlert`.
  case noTime
  /// A date that is none, or thousands of years away.
  ///
  /// In seconds, since Foundation ends a program that describes a `Date` which is none.
  case date(secondsSince1970: TimeInterval)
  /// An hour outside 0...23.
  case hour(Int)
  /// A minute outside 0...59.
  case minute(Int)
  /// It repeats weekly on no day.
  case noWeekdays
  /// A countdown of no length, a negative one, or more than 400 days.
  case preAlert(TimeInterval)
  /// A snooze of no length, a negative one, or more than 400 days.
  case postAlert(TimeInterval)
  /// A negative ring, or one of more than 400 days.
  case ringDuration(TimeInterval)
  /// A number of snoozes outside 0...1000.
  case snoozeLimit(Int)
  /// A number of snoozes by itself outside 0...1000.
  case autoSnooze(Int)
  /// A priority outside -100...100.
  case priority(Int)
  /// A volume outside 0...1.
  case volume(Double)
  /// A fade outside 0...3600 s.
  case fade(TimeInterval)
  /// A sound's name that is empty or names a folder.
  case soundName(String)
  /// The metadata cannot be written down: what the coder says.
  case metadata(String)
  /// What is shown cannot be written down: what the coder says.
  case presentation(String)
}

extension AlarmConfigurationError: LocalizedError, CustomStringConvertible {
  /// What is wrong, and what would be right, in one sentence without a full stop.
  public var description: String { "\(reason): \(remedy)" }

  /// What is wrong.
  public var errorDescription: String? { reason }

  /// What would be right.
  public var recoverySuggestion: String? { remedy }

  private var reason: String {
    switch self {
    case .noTime: "the alarm has neither a schedule nor a countdown"
    case .date(let seconds): "\(seconds) s after 1970 is no date for an alarm"
    case .hour(let hour): "there is no hour \(hour)"
    case .minute(let minute): "there is no minute \(minute)"
    case .noWeekdays: "the alarm repeats weekly but on no day"
    case .preAlert(let seconds): "a countdown cannot take \(seconds) s"
    case .postAlert(let seconds): "a snooze cannot take \(seconds) s"
    case .ringDuration(let seconds): "an alarm cannot ring for \(seconds) s"
    case .snoozeLimit(let count): "an alarm cannot be snoozed \(count) times"
    case .autoSnooze(let count): "an alarm cannot snooze itself \(count) times"
    case .priority(let priority): "there is no priority \(priority)"
    case .volume(let volume): "there is no volume \(volume)"
    case .fade(let seconds): "a sound cannot grow for \(seconds) s"
    case .soundName(let name): "\"\(name)\" cannot be the name of a sound"
    case .metadata(let problem): "the metadata cannot be written down (\(problem))"
    case .presentation(let problem): "what is shown cannot be written down (\(problem))"
    }
  }

  private var remedy: String {
    switch self {
    case .noTime: "give it a schedule, or a countdownDuration with a preAlert"
    case .date: "give it a date in the years to come"
    case .hour: "hours are 0 to 23"
    case .minute: "minutes are 0 to 59"
    case .noWeekdays: "name a day, or let it repeat never"
    case .preAlert, .postAlert: "it takes more than 0 s and at most 400 days"
    case .ringDuration: "0 rings until answered, and 400 days are the most"
    case .snoozeLimit, .autoSnooze: "0 to 1000 are possible"
    case .priority: "-100 to 100 are possible"
    case .volume: "0 is silence and 1 is all"
    case .fade: "0 to 3600 s are possible"
    case .soundName: "name a file in the program's resources, without its folder"
    case .metadata: "let it hold only what JSON can, such as no infinite numbers"
    case .presentation: "let it hold only what JSON can"
    }
  }
}
