import Foundation
import Testing
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

@Suite("The lines of events")
struct EventLinesTests {
  private static let id = AlarmID(high: 0x0102_0304_0506_4000, low: 1 << 63 | 0xabc)
  private static let at = Instant(microseconds: 1_812_345_678_901_234)
  private static let occurrence = OccurrenceID(alarm: id, origin: at, serial: 7)

  /// The same event as the protocol writes it, with its time.
  private struct Reference: Encodable {
    let message: SinkMessage

    enum CodingKeys: CodingKey { case at }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(EventLinesTests.at, forKey: .at)
      try message.encode(to: encoder)
    }
  }

  private func line(_ effect: Effect) -> String {
    var lines = EventLines()
    lines.put(effect, at: Self.at)
    return String(decoding: lines.bytes, as: UTF8.self)
  }

  private func reference(_ message: SinkMessage) throws -> String {
    String(decoding: try JSONLine.encode(Reference(message: message)), as: UTF8.self)
  }

  static let presentations: [Presentation] = {
    var options = AlarmOptions()
    options.sound = "none"
    options.volume = 0.35
    options.fade = 30
    options.priority = -5
    options.labels = ["bed", "a \"quoted\" one"]
    options.metadata = .object(["key": .array([.number(0.1), .null, .bool(true)])])
    options.tint = "red"
    options.snoozeLimit = 3
    options.ringFor = 0
    options.autoSnooze = 2
    let titles = [
      "", "Tea", "tab\tnew\nline\u{1}\u{1f}\u{8}\u{c}\r", "\"\\/ <b>&", "Über ☕️ \u{2028}",
    ]
    return titles.map { title in
      Presentation(
        seq: 18,
        occurrence: occurrence,
        title: title,
        kind: title.isEmpty ? .timer : .alarm,
        state: title.isEmpty ? .paused : title == "Tea" ? .countdown : .alerting,
        due: at,
        fired: title.isEmpty ? nil : at,
        late: title.isEmpty ? nil : 1_740.001,
        resumed: title == "Tea" ? true : nil,
        snoozes: title.utf8.count,
        countdown: title.isEmpty
          ? Presentation.Countdown(start: nil, fire: nil, total: 90, elapsed: 0.25, snooze: false)
          : Presentation.Countdown(start: at, fire: at, total: 1e-3, elapsed: 0, snooze: true),
        buttons: [
          AlarmButton(role: .stop, text: "Stop"),
          AlarmButton(
            role: .secondary,
            text: "Open",
            color: "blue",
            symbol: "arrow",
            behavior: .custom
          ),
        ],
        options: title == "Tea" ? AlarmOptions() : options
      )
    }
  }()

  @Test("A presentation is written as the protocol writes it", arguments: presentations)
  func presentation(_ presentation: Presentation) throws {
    let presented = try reference(.present(presentation))
    #expect(line(.present(presentation)) == presented)
  }

  @Test("So are ends, misses and presses")
  func others() throws {
    let cleared = SinkMessage.Cleared(
      seq: 1,
      occurrence: Self.occurrence,
      title: "A",
      reason: .stopped,
      source: "cli"
    )
    let clearedLine = try reference(.cleared(cleared))
    #expect(line(.clear(cleared)) == clearedLine)
    var silent = cleared
    silent.source = nil
    let silentLine = try reference(.cleared(silent))
    #expect(line(.clear(silent)) == silentLine)
    let missed = SinkMessage.Missed(
      seq: 2,
      occurrence: Self.occurrence,
      title: "B",
      due: Self.at,
      reason: .late
    )
    let subject = RouteSubject(
      event: .missed,
      kind: .alarm,
      alarm: missed.alarm,
      title: missed.title,
      options: AlarmOptions()
    )
    let missedLine = try reference(.missed(missed))
    #expect(line(.miss(missed, subject)) == missedLine)
    let secondary = SinkMessage.Secondary(seq: 3, occurrence: Self.occurrence, source: "pop\"up")
    let secondaryLine = try reference(.secondary(secondary))
    #expect(line(.secondary(secondary, subject)) == secondaryLine)
  }

  @Test("What nobody hears of is no line")
  func silent() {
    #expect(line(.delete(Self.id)) == "")
  }

  @Test("Times and identities are written digit by digit as they read")
  func digits() {
    for seconds in [Int64(-62_167_219_200), -1, 0, 951_827_696, 253_402_300_799] {
      let instant = Instant(microseconds: seconds * 1_000_000 + 7_000)
      #expect(instant.rfc3339.count == 24)
      #expect(Instant(rfc3339: instant.rfc3339) == instant)
    }
    #expect(Self.id.description == "01020304-0506-4000-8000-000000000abc")
    #expect(AlarmID(Self.id.description) == Self.id)
  }
}
