package import TocsinTime

/// A timeline as text: what happens to alarms and to the world, line by line.
///
/// A line begins with a time, RFC 3339 or `+DURATION` after the line before; `zone`, `set`, `start` and
/// `end` may stand without one. What follows is an event of the world or a command as typed. After
/// `suspend` and `down` the next line's duration counts from their end. docs/command.md has the format.
package struct SimulationScript: Sendable {
  /// One line.
  package struct Step: Sendable, Hashable {
    package var line: Int
    package var time: Time
    package var event: Event
  }

  /// When a line happens.
  package enum Time: Sendable, Hashable {
    /// That much elapsed time after the line before.
    case after(Duration)
    /// When the wall clock shows this.
    case at(Instant)
  }

  /// What a line lets happen.
  package enum Event: Sendable, Hashable {
    /// The machine is in another time zone.
    case zone(String)
    /// A key of plugins.conf's `[daemon]` section has another value.
    case set(String, String)
    /// Somebody sets the wall clock.
    case step(Duration)
    /// The machine sleeps, then goes on.
    case suspend(Duration)
    /// The daemon is killed, then started again.
    case down(Duration)
    /// The clock is, or no longer is, synchronised.
    case synchronised(Bool)
    /// A command of `tocsin`, its words.
    case command([String])
    /// The timeline is over.
    case end
  }

  /// The instant everything begins at.
  package let start: Instant
  /// The zone everything begins in; nil is the machine's own.
  package let zone: (line: Int, name: String)?
  /// The settings in force from the start.
  package let settings: [(line: Int, key: String, value: String)]
  package let steps: [Step]

  /// What is wrong with a timeline, and where.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var file: String
    package var line: Int
    package var message: String

    package init(file: String, line: Int, _ message: String) {
      self.file = file
      self.line = line
      self.message = message
    }

    package var description: String { "\(file):\(line): \(message)" }
  }

  /// Reads a timeline.
  ///
  /// - Parameters:
  ///   - text: at most `limit` bytes are accepted.
  ///   - file: what errors call it.
  /// - Throws: about the first line that cannot be read.
  package init(_ text: String, file: String) throws(Failure) {
    guard text.utf8.count <= Self.limit else {
      throw Failure(file: file, line: 1, "the timeline is longer than 16 MiB")
    }
    var start: Instant?
    var zone: (line: Int, name: String)?
    var settings: [(line: Int, key: String, value: String)] = []
    var steps: [Step] = []
    // By bytes: to Swift a carriage return and a newline together are one character.
    let lines = Array(text.utf8).split(
      separator: UInt8(ascii: "\n"),
      omittingEmptySubsequences: false
    )
    for (number, line) in zip(1..., lines) {
      guard let words = Self.words(of: line) else {
        throw Failure(
          file: file,
          line: number,
          "a quotation mark is not closed, or a backslash ends the line"
        )
      }
      guard let first = words.first else { continue }
      if start == nil {
        switch (first, words.count) {
        case ("zone", 2): zone = (number, words[1])
        case ("set", 3...): settings.append((number, words[1], words[2...].joined(separator: " ")))
        case ("start", 2):
          guard let instant = Instant(rfc3339: words[1]) else {
            throw Failure(file: file, line: number, "start needs an RFC 3339 time: \(words[1])")
          }
          start = instant
        default:
          throw Failure(
            file: file,
            line: number,
            "before the first line stands: start 2027-03-27T20:00:00+01:00"
          )
        }
        continue
      }
      do throws(Malformed) {
        steps.append(try Self.step(words, line: number))
      } catch {
        throw Failure(file: file, line: number, error.message)
      }
    }
    guard let start else { throw Failure(file: file, line: 1, "there is no start line") }
    self.start = start
    self.zone = zone
    self.settings = settings
    self.steps = steps
  }

  /// The most bytes of a timeline.
  package static let limit = 16 << 20

  private struct Malformed: Error {
    var message: String
  }

  private static func step(_ words: [String], line: Int) throws(Malformed) -> Step {
    var words = words[...]
    let first = words[words.startIndex]
    var time = Time.after(.zero)
    if first.hasPrefix("+") {
      time = .after(try duration(String(first.dropFirst()), allowingZero: true))
      words = words.dropFirst()
    } else if let instant = Instant(rfc3339: first) {
      time = .at(instant)
      words = words.dropFirst()
    } else if first == "end", words.count == 2 {
      guard let instant = Instant(rfc3339: words[words.startIndex + 1]) else {
        throw Malformed(message: "end needs an RFC 3339 time")
      }
      return Step(line: line, time: .at(instant), event: .end)
    } else if !["zone", "set", "end"].contains(first) {
      throw Malformed(
        message: "a line begins with a time, RFC 3339 or +DURATION, not with \(first)"
      )
    }
    guard let name = words.first else { throw Malformed(message: "what happens then?") }
    return Step(line: line, time: time, event: try event(name, Array(words.dropFirst())))
  }

  private static func event(_ name: String, _ rest: [String]) throws(Malformed) -> Event {
    switch (name, rest.count) {
    case ("zone", 1): return .zone(rest[0])
    case ("set", 2...): return .set(rest[0], rest[1...].joined(separator: " "))
    case ("step", 1):
      let isBack = rest[0].hasPrefix("-")
      let text = rest[0].drop { $0 == "-" || $0 == "+" }
      let length = try duration(String(text))
      return .step(isBack ? .zero - length : length)
    case ("suspend", 1): return .suspend(try duration(rest[0]))
    case ("down", 1): return .down(try duration(rest[0], allowingZero: true))
    case ("unsynchronised", 0): return .synchronised(false)
    case ("synchronised", 0): return .synchronised(true)
    case ("end", 0): return .end
    case ("zone", _), ("set", _), ("step", _), ("suspend", _), ("down", _):
      throw Malformed(message: "\(name) needs a value")
    default: return .command([name] + rest)
    }
  }

  private static func duration(
    _ text: String,
    allowingZero: Bool = false
  ) throws(Malformed) -> Duration {
    do {
      return try TimeText.duration(text, allowingZero: allowingZero)
    } catch {
      throw Malformed(message: "\(error)")
    }
  }

  /// Splits a line as a shell would: blanks between, quotes around, `#` begins a comment; nil if a
  /// quotation mark is not closed or a backslash is the last character.
  static func words(of line: ArraySlice<UInt8>) -> [String]? {
    var words: [String] = []
    var word: [UInt8] = []
    var isInWord = false
    var quote: UInt8?
    var isEscaped = false
    for byte in line {
      if isEscaped {
        word.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
        (isEscaped, isInWord) = (true, true)
      } else if let open = quote {
        if byte == open { quote = nil } else { word.append(byte) }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        (quote, isInWord) = (byte, true)
      } else if [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(byte) {
        if isInWord { words.append(String(decoding: word, as: UTF8.self)) }
        word.removeAll(keepingCapacity: true)
        isInWord = false
      } else if byte == UInt8(ascii: "#"), !isInWord {
        break
      } else {
        word.append(byte)
        isInWord = true
      }
    }
    guard quote == nil, !isEscaped else { return nil }
    if isInWord { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}
