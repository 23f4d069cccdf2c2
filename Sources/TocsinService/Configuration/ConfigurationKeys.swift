import TocsinModel

/// A key that the daemon itself understands: how it is written, checked and kept.
///
/// The reference page lists the same keys, and a test holds the two together.
struct ConfigurationKey<Settings>: Sendable where Settings: Sendable {
  /// As it stands before the `=`.
  var name: String
  /// What may stand behind it, as the reference says it.
  var values: String
  /// What holds without it, as the reference says it.
  var fallback: String
  /// Reads the value into the settings.
  var read: @Sendable (String, inout Settings) throws(ValueText.Unreadable) -> Void
}

extension ConfigurationKey {
  private static var micro: Int64 { 1_000_000 }

  static func duration(
    _ name: String,
    _ range: ClosedRange<Int64>,
    fallback: Int64,
    _ path: any WritableKeyPath<Settings, Duration> & Sendable
  ) -> Self {
    ConfigurationKey(
      name: name,
      values: describe(range),
      fallback: ValueText.describe(fallback * micro)
    ) { (text, settings) throws(ValueText.Unreadable) in
      settings[keyPath: path] = try readDuration(text, range)
    }
  }

  static func duration(
    _ name: String,
    _ range: ClosedRange<Int64>,
    or word: String,
    fallback: String,
    _ path: any WritableKeyPath<Settings, Duration?> & Sendable
  ) -> Self {
    ConfigurationKey(name: name, values: "\(describe(range)), or \(word)", fallback: fallback) {
      (text, settings) throws(ValueText.Unreadable) in
      settings[keyPath: path] = text == word ? nil : try readDuration(text, range)
    }
  }

  static func integer(
    _ name: String,
    _ range: ClosedRange<Int>,
    fallback: Int,
    _ path: any WritableKeyPath<Settings, Int> & Sendable
  ) -> Self {
    ConfigurationKey(
      name: name,
      values: "\(range.lowerBound) to \(range.upperBound)",
      fallback: "\(fallback)"
    ) { (text, settings) throws(ValueText.Unreadable) in
      settings[keyPath: path] = try readInteger(text, range)
    }
  }

  static func flag(
    _ name: String,
    fallback: Bool,
    _ path: any WritableKeyPath<Settings, Bool> & Sendable
  ) -> Self {
    ConfigurationKey(name: name, values: "yes or no", fallback: fallback ? "yes" : "no") {
      (text, settings) throws(ValueText.Unreadable) in
      settings[keyPath: path] = try ValueText.flag(text)
    }
  }

  static func describe(_ range: ClosedRange<Int64>) -> String {
    let lower = ValueText.describe(range.lowerBound * micro)
    return "\(lower) to \(ValueText.describe(range.upperBound * micro))"
  }

  static func readDuration(
    _ text: String,
    _ range: ClosedRange<Int64>
  ) throws(ValueText.Unreadable) -> Duration {
    let value = try ValueText.duration(text)
    guard value >= range.lowerBound * micro, value <= range.upperBound * micro else {
      throw ValueText.Unreadable(message: "\(text) is outside of \(describe(range))")
    }
    return .microseconds(value)
  }

  static func readInteger(
    _ text: String,
    _ range: ClosedRange<Int>
  ) throws(ValueText.Unreadable) -> Int {
    let value = try ValueText.integer(text)
    guard range.contains(value) else {
      throw ValueText.Unreadable(
        message: "\(text) is outside of \(range.lowerBound) to \(range.upperBound)"
      )
    }
    return value
  }
}

extension DaemonSettings {
  /// The keys of `[daemon]`; ranges of durations in seconds.
  static let keys: [ConfigurationKey<DaemonSettings>] = [
    .duration("snooze", 1...86_400, fallback: 540, \.snooze),
    .duration("ring-for", 1...86_400, or: "never", fallback: "10min", \.ringFor),
    .integer("auto-snooze", 0...100, fallback: 3, \.autoSnooze),
    .duration("late-grace", 0...604_800, fallback: 1_800, \.lateGrace),
    .integer("alarm-limit", 1...1_000_000, fallback: 10_000, \.alarmLimit),
    .duration("history", 86_400...315_360_000, fallback: 7_776_000, \.history),
    .duration("clock-wait", 0...86_400, fallback: 600, \.clockWait),
    ConfigurationKey(name: "snooze-limit", values: "0 to 1000, or none", fallback: "none") {
      (text, settings) throws(ValueText.Unreadable) in
      settings.snoozeLimit =
        text == "none"
        ? nil : try ConfigurationKey<DaemonSettings>.readInteger(text, 0...1_000)
    },
    ConfigurationKey(name: "group", values: "the name of a group", fallback: "none") {
      (text, settings) throws(ValueText.Unreadable) in
      settings.group = try ValueText.text(text)
    },
  ]
}

extension PluginSettings {
  /// The keys of `[plugin NAME]` that are the daemon's; ranges of durations in seconds.
  static let keys = ownKeys + sandboxKeys + hookKeys

  private static let ownKeys: [ConfigurationKey<PluginSettings>] = [
    ConfigurationKey(name: "run", values: "a program and its arguments", fallback: "required") {
      (text, settings) throws(ValueText.Unreadable) in
      settings.run = try ValueText.arguments(text)
      guard settings.run.first?.isEmpty == false else {
        throw ValueText.Unreadable(message: "run names no program")
      }
    },
    .flag("stdout", fallback: false, \.getsStandardOutput),
    .flag("enabled", fallback: true, \.isEnabled),
    .duration("ping", 1...3_600, or: "never", fallback: "never", \.ping),
    .duration("receipt-timeout", 1...60, fallback: 5, \.receiptTimeout),
  ]
}
