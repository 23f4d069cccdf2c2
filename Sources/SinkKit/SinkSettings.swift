import TocsinTime

/// A sink's section of plugins.conf, read by type; what is wrong is collected, not thrown at once.
///
/// Each reader takes the key out of what is left and gives the default where the key is missing or
/// its value wrong. When all is read, `finish()` throws everything that was wrong together,
/// keys that nobody asked for included:
///
/// ```swift
/// volume = settings.percentage("volume", default: 0.8)
/// fade = settings.duration("fade-in", in: .zero ... .seconds(600), default: .zero)
/// devices = settings.list("device", default: ["default"])
/// try settings.finish()
/// ```
///
/// The host calls `finish()` after `init` for sinks that did not. Such a process says what is wrong
/// in the log, one line each, and exits with 78 (EX_CONFIG) without having said `ready`.
public final class SinkSettings {
  /// The sink's name in plugins.conf.
  public let sink: String

  private let values: [String: String]
  private var asked: Set<String> = []
  private var problems: [SettingProblem] = []

  /// Takes a section's keys and values as text.
  public init(sink: String, _ values: [String: String]) {
    self.sink = sink
    self.values = values
  }

  /// The keys that are set and begin so, in alphabetical order, such as all `button.` ones.
  public func keys(beginningWith prefix: String) -> [String] {
    values.keys.filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// Whether the key is set; this does not count as reading it.
  public func isSet(_ key: String) -> Bool { values[key] != nil }

  /// The text, or nil if the key is not set.
  public func string(_ key: String) -> String? {
    asked.insert(key)
    return values[key]
  }

  /// The text.
  public func string(_ key: String, default fallback: String) -> String { string(key) ?? fallback }

  /// A whole number within a range.
  public func int(_ key: String, in range: ClosedRange<Int>, default fallback: Int) -> Int {
    value(key, default: fallback) { text in
      guard let number = Int(text) else { return .failure("is not a whole number") }
      guard range.contains(number) else {
        return .failure("is not between \(range.lowerBound) and \(range.upperBound)")
      }
      return .success(number)
    }
  }

  /// A duration within a range, such as `250ms`, `30s`, `9min`, `1h` or `1h 30min`.
  public func duration(
    _ key: String,
    in range: ClosedRange<Duration>,
    default fallback: Duration
  ) -> Duration {
    value(key, default: fallback) { text in
      guard let length = try? ValueText.duration(text) else {
        return .failure("is not a duration such as 250ms, 30s, 9min or 1h")
      }
      let duration = Duration.microseconds(length)
      guard range.contains(duration) else {
        let ends = [range.lowerBound, range.upperBound].map { ValueText.describe($0.microseconds) }
        return .failure("is not between \(ends[0]) and \(ends[1])")
      }
      return .success(duration)
    }
  }

  /// A percentage, `0%` to `100%`, as a fraction 0...1.
  public func percentage(_ key: String, default fallback: Double) -> Double {
    value(key, default: fallback) { text in
      guard let fraction = try? ValueText.percentage(text) else {
        return .failure("is not a percentage from 0% to 100%")
      }
      return .success(fraction)
    }
  }

  /// `yes` or `no`; `true`, `false`, `on` and `off` are understood too.
  public func flag(_ key: String, default fallback: Bool) -> Bool {
    value(key, default: fallback) { text in
      guard let flag = try? ValueText.flag(text) else { return .failure("is neither yes nor no") }
      return .success(flag)
    }
  }

  /// One of the words that are the raw values of a type.
  public func word<Word>(_ key: String, default fallback: Word) -> Word
  where Word: RawRepresentable & CaseIterable, Word.RawValue == String {
    value(key, default: fallback) { text in
      if let word = Word(rawValue: text) { return .success(word) }
      let words = Word.allCases.map(\.rawValue)
      let nearest = NearestWord.of(text, in: words).map { "; did you mean \($0)?" } ?? ""
      return .failure("is none of \(words.joined(separator: ", "))\(nearest)")
    }
  }

  /// Texts separated by commas, without the blanks around them; empty ones are left out.
  public func list(_ key: String, default fallback: [String]) -> [String] {
    guard let text = string(key) else { return fallback }
    do throws(ValueText.Unreadable) { return try ValueText.list(text) } catch {
      reject(key, "is no list: \(error.message)")
      return fallback
    }
  }

  /// A program and its arguments with blanks between, written as `run` is; nil if not set.
  public func arguments(_ key: String) -> [String]? {
    guard let text = string(key) else { return nil }
    do throws(ValueText.Unreadable) { return try ValueText.arguments(text) } catch {
      reject(key, "is no program with arguments: \(error.message)")
      return nil
    }
  }

  /// Adds what only the sink can find wrong, such as two keys that exclude each other.
  public func reject(_ key: String, _ reason: String) {
    asked.insert(key)
    problems.append(SettingProblem(key: key, value: values[key], reason: reason))
  }

  /// Ends the reading.
  ///
  /// - Throws: `SettingsError` with all that was wrong, keys that nobody asked for included.
  public func finish() throws(SettingsError) {
    let unknown = values.keys.filter { !asked.contains($0) }.sorted().map { key in
      let nearest = NearestWord.of(key, in: asked.sorted())
      let reason = "is no setting of this sink" + (nearest.map { "; did you mean \($0)?" } ?? "")
      return SettingProblem(key: key, value: nil, reason: reason)
    }
    guard !(problems + unknown).isEmpty else { return }
    throw SettingsError(sink: sink, problems: problems + unknown)
  }

  private enum Reading<Value> {
    case success(Value)
    case failure(String)
  }

  private func value<Value>(
    _ key: String,
    default fallback: Value,
    _ read: (String) -> Reading<Value>
  ) -> Value {
    guard let text = string(key) else { return fallback }
    switch read(String(text[...].trimmed)) {
    case .success(let value): return value
    case .failure(let reason):
      reject(key, reason)
      return fallback
    }
  }
}

/// One thing that is wrong with a setting.
public struct SettingProblem: Hashable, Sendable, CustomStringConvertible {
  /// The key.
  public var key: String
  /// Its value; nil if the key itself is the problem.
  public var value: String?
  /// What is wrong, as the end of a sentence that begins with the key.
  public var reason: String

  /// Such as `volume = "loud" is not a percentage from 0% to 100%`.
  public var description: String {
    if let value { "\(key) = \"\(value)\" \(reason)" } else { "\(key) \(reason)" }
  }
}

/// All that is wrong with a sink's section.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sink's name in plugins.conf.
  public var sink: String
  /// What is wrong, wrong values first, then unknown keys.
  public var problems: [SettingProblem]

  /// One line for each problem.
  public var lines: [String] { problems.map { "[plugin \(sink)] \($0)" } }

  /// The lines, with semicolons between.
  public var description: String { lines.joined(separator: "; ") }
}
