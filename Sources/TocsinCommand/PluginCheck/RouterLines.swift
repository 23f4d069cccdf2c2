import TocsinModel
import TocsinTime

/// What a router says, with numbers that grow: ordinary lines, and such as nobody hopes for.
struct RouterLines {
  private(set) var seq: UInt64 = 0
  /// All occurrences that were mentioned.
  private(set) var occurrences: Set<OccurrenceID> = []
  private let now: Instant

  /// Makes lines about alarms that are due now.
  init(now: Instant) { self.now = now }

  /// The occurrence with that number.
  mutating func occurrence(_ number: UInt64) -> OccurrenceID {
    // A UUID of version 4 as any other; nobody's alarm has it.
    let alarm = AlarmID(high: 0x706c_7567_696e_4000, low: 1 << 63 | number)
    let occurrence = OccurrenceID(alarm: alarm, origin: now, serial: 0)
    occurrences.insert(occurrence)
    return occurrence
  }

  /// A presentation with the next number.
  mutating func presentation(
    _ number: UInt64,
    _ state: AlarmState,
    title: String = "Plugin check",
    metadata: JSONValue? = nil,
    parts: [String]? = nil
  ) -> Presentation {
    seq += 1
    var options = AlarmOptions()
    // The lowest there is: whoever checks a sound or a lamp at night will be glad of it.
    options.volume = 0.1
    options.metadata = metadata
    let isPaused = state == .paused
    return Presentation(
      seq: seq,
      occurrence: occurrence(number),
      title: title,
      kind: .timer,
      state: state,
      due: now,
      fired: state == .alerting ? now : nil,
      late: state == .alerting ? 0 : nil,
      countdown: state == .alerting
        ? nil
        : Presentation.Countdown(
          start: isPaused ? nil : now,
          fire: isPaused ? nil : now + .seconds(540),
          total: 540,
          elapsed: 0,
          snooze: true
        ),
      buttons: [
        AlarmButton(role: .stop, text: "Stop"), AlarmButton(role: .snooze, text: "Snooze"),
      ],
      options: options,
      parts: parts,
      volumeLimit: parts == nil ? nil : 0.1
    )
  }

  /// An `alert`, `countdown` or `paused`.
  mutating func present(
    _ number: UInt64,
    _ state: AlarmState = .alerting,
    title: String = "Plugin check",
    metadata: JSONValue? = nil,
    parts: [String]? = nil
  ) -> RouterText {
    let presentation =
      presentation(number, state, title: title, metadata: metadata, parts: parts)
    return RouterText(bytes: Self.bytes(.present(presentation)), seqs: [presentation.seq])
  }

  /// A `cleared`.
  mutating func clear(_ number: UInt64, _ reason: ClearReason = .stopped) -> RouterText {
    seq += 1
    let cleared = SinkMessage.Cleared(
      seq: seq,
      occurrence: occurrence(number),
      title: "Plugin check",
      reason: reason,
      source: "plugin-check"
    )
    return RouterText(bytes: Self.bytes(.cleared(cleared)), seqs: [seq])
  }

  /// A `sync` with these and nothing else.
  static func sync(_ presentations: [Presentation]) -> RouterText {
    RouterText(bytes: bytes(.sync(presentations)), seqs: presentations.map(\.seq))
  }

  /// Events that need no receipt: `missed`, `secondary`, `notice`.
  mutating func asides() -> RouterText {
    let occurrence = occurrence(90)
    let missed = SinkMessage.Missed(
      seq: seq + 1,
      occurrence: occurrence,
      title: "Plugin check",
      due: now,
      reason: .late
    )
    let secondary = SinkMessage.Secondary(
      seq: seq + 2,
      occurrence: occurrence,
      source: "plugin-check"
    )
    let notice = SinkMessage.Notice(seq: seq + 3, level: .info, text: "This is only a check.")
    seq += 3
    let bytes =
      Self.bytes(.missed(missed)) + Self.bytes(.secondary(secondary)) + Self.bytes(.notice(notice))
    return RouterText(bytes: bytes, seqs: [seq - 2, seq - 1, seq])
  }

  /// A `ping`.
  static let ping = RouterText(bytes: bytes(.ping), pings: 1)
  /// A `bye`.
  static let bye = RouterText(bytes: bytes(.bye))

  /// The sink's first line.
  static func hello(sink: String, settings: [String: String]) -> RouterText {
    RouterText(bytes: bytes(.hello(SinkMessage.Hello(sink: sink, settings: settings))))
  }

  /// A line with keys that no version knows yet, and in them what looks like other messages.
  static func withUnknownKeys(_ line: RouterText) -> RouterText {
    let keys = #""unheard":{"type":"bye","seq":0,"of":[{"occurrence":null},"}",[]]},"x":-1.5e-3}"#
    var line = line
    line.bytes = line.bytes.dropLast(2) + Array(",\(keys)\n".utf8)
    return line
  }

  /// A line of a type that no version knows yet.
  static let unknownType = RouterText(
    bytes: Array(#"{"type":"moonrise","seq":0,"at":"2026-11-30T22:18:00.000Z"}"#.utf8) + [10]
  )

  /// A title with everything that breaks those who take JSON apart by hand.
  static let wildTitle =
    #"","type":"bye","seq":0} "quoted" \ back\\slash \" \u0041 "#
    + "new\nline tab\t bell\u{07} escape\u{1b}[2J nul\u{0} 🚨 👩‍👩‍👧 שלום \u{202E}turned"

  /// Metadata of so many arrays, one in another.
  static func nested(_ depth: Int) -> JSONValue {
    (0..<depth).reduce(.string("}{][")) { inner, _ in .array([inner]) }
  }

  private static func bytes(_ message: SinkMessage) -> [UInt8] {
    // Nothing above holds a number that JSON has not.
    (try? JSONLine.encode(message)) ?? []
  }
}
