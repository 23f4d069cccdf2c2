import Foundation
import Testing
import TocsinModel
import TocsinTime

@Suite("Writing JSON")
struct JSONLineEncoderTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONLine.encode(value).dropLast(), as: UTF8.self)
  }

  private struct Shape: Codable, Equatable {
    enum Payload: Codable, Equatable {
      case nothing, one(Int), named(text: String, list: [Double?])
    }
    struct Empty: Codable, Equatable {}
    var text = "a\"b\\c/\u{0}\u{1f}\n\r\t\u{7f}é𝄞\u{2028}"
    var numbers: [Double] = [0, -0.0, 1, -1, 0.1, 1e-7, 1e300, 123_456_789.125, 2.5e-308]
    var integers: [Int64] = [.min, -1, 0, 1, .max]
    var large = UInt64.max
    var missing: Int?
    var payloads: [Payload] = [.nothing, .one(1), .named(text: "x", list: [1, nil])]
    var empty = Empty()
    var nested: [String: [[Int]]] = ["a": [[], [1, 2]]]
    var flags = [true, false]
  }

  @Test("What is written is read back the same by another reader")
  func readBack() throws {
    let line = try JSONLine.encode(Shape())
    #expect(try JSONDecoder().decode(Shape.self, from: Data(line)) == Shape())
    #expect(try JSONSerialization.jsonObject(with: Data(line)) is [String: Any])
    #expect(line.last == UInt8(ascii: "\n"))
    #expect(line.dropLast().allSatisfy { $0 >= 0x20 })
  }

  @Test("Keys keep their order and whole numbers have no fraction")
  func order() throws {
    struct Two: Encodable { var type = "x", seq = 7, late = 0.0, half = 0.5 }
    #expect(try text(Two()) == #"{"type":"x","seq":7,"late":0,"half":0.5}"#)
    #expect(try text([String]()) == "[]")
    #expect(try text(SinkMessage.ping) == #"{"type":"ping"}"#)
  }

  @Test("A value that encodes itself in two parts is one object")
  func twoParts() throws {
    struct Part: Encodable { var b = 2 }
    struct Whole: Encodable {
      enum Key: CodingKey { case a, c }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode([1], forKey: .a)
        try Part().encode(to: encoder)
        try container.encodeNil(forKey: .c)
      }
    }
    #expect(try text(Whole()) == #"{"a":[1],"b":2,"c":null}"#)
  }

  @Test("What writes its members itself writes the same with another encoder")
  func anotherEncoder() throws {
    var options = AlarmOptions()
    options.sound = "bell \"1\""
    options.metadata = .object(["b": .number(0.5), "a": .array([.null])])
    let id = OccurrenceID(alarm: AlarmID(high: 1, low: 2), origin: Instant(seconds: 7), serial: 3)
    let whole = Presentation(
      seq: 9,
      occurrence: id,
      title: "Tea\n",
      kind: .timer,
      state: .paused,
      due: Instant(seconds: 1_800_000_000),
      fired: Instant(seconds: 1_800_000_001),
      late: 1.25,
      resumed: true,
      snoozes: 2,
      countdown: Presentation.Countdown(
        start: nil,
        fire: Instant(seconds: -1),
        total: 60,
        elapsed: 1.5,
        snooze: false
      ),
      buttons: [
        AlarmButton(role: .stop, text: "Stop"),
        AlarmButton(
          role: .secondary,
          text: "é",
          color: "#fff",
          symbol: "cup",
          behavior: .custom
        ),
      ],
      options: options,
      parts: ["lamp", "bell"],
      volumeLimit: 0.5
    )
    let messages: [SinkMessage] = [
      .present(whole), .sync([whole, whole]),
      .cleared(
        SinkMessage.Cleared(seq: 1, occurrence: id, title: "", reason: .merged, source: "cli")
      ),
      .missed(
        SinkMessage.Missed(
          seq: 2,
          occurrence: id,
          title: "x",
          due: Instant(seconds: -5),
          reason: .late
        )
      ),
    ]
    for message in messages {
      let own = try JSONLine.encode(message)
      let other = try JSONEncoder().encode(message)
      #expect(try JSONDecoder().decode(SinkMessage.self, from: Data(own)) == message)
      let values = try [Data(own), other].map { try JSONDecoder().decode(JSONValue.self, from: $0) }
      #expect(values[0] == values[1])
    }
  }

  @Test("Numbers that JSON has not are refused", arguments: [Double.nan, .infinity, -.infinity])
  func refused(number: Double) {
    #expect(throws: EncodingError.self) { try JSONLine.encode([number]) }
  }
}
