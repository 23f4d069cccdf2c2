import Testing
import TocsinModel
import TocsinTime

@Suite("Lines of the protocol")
struct JSONLineTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONLine.encode(value), as: UTF8.self)
  }

  private func refusal<Value: Decodable>(_ type: Value.Type, _ line: String) -> ServiceError? {
    do throws(ServiceError) {
      _ = try JSONLine.decode(type, from: Array(line.utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "What cannot be a request is refused by name",
    arguments: [
      ("", ServiceError.Code.badRequest), ("{", .badRequest), ("[]", .badRequest),
      ("nonsense", .badRequest), ("{}", .badRequest), (#"{"type":1}"#, .badRequest),
      (#"{"type":"dance"}"#, .unknownRequest), (#"{"type":"schedule"}"#, .badRequest),
      (#"{"type":"schedule","alarm":{"id":"x"}}"#, .badRequest),
      (#"{"type":"stop","occurrence":"x"}"#, .badRequest),
      (#"{"type":"stop","target":"everything"}"#, .badRequest),
      (#"{"type":"extend","duration":"long"}"#, .badRequest),
    ]
  )
  func refused(line: String, code: ServiceError.Code) {
    let error = refusal(Request.self, line)
    #expect(error?.code == code)
    #expect(error?.message.isEmpty == false)
  }

  @Test("A line that is not UTF-8 or over the limit is refused before it is read")
  func limits() {
    do throws(ServiceError) {
      _ = try JSONLine.decode(Request.self, from: [0x7B, 0xFF, 0xFE, 0x7D])
      Issue.record("accepted")
    } catch {
      #expect(error.message == "the line is not UTF-8")
    }
    let long = #"{"type":"list","id":""# + String(repeating: "x", count: JSONLine.limit) + #""}"#
    #expect(refusal(Request.self, long)?.code == .tooLarge)
  }

  @Test("Deep nesting is refused, not followed")
  func nesting() {
    let deep = String(repeating: "[", count: 20_000)
    #expect(refusal(Request.self, #"{"type":"list","x":"# + deep)?.code == .badRequest)
  }

  @Test("A missing key is named with its place")
  func place() {
    #expect(
      refusal(Request.self, #"{"type":"schedule","alarm":{"title":"A"}}"#)?.message
        == #"alarm: the key "id" is missing"#
    )
  }

  @Test("Unknown keys and types are ignored where the protocol says so")
  func unknown() throws {
    let message = try JSONLine.decode(
      SinkMessage.self,
      from: Array(#"{"type":"confetti","n":1}"#.utf8)
    )
    #expect(message == .unknown("confetti"))
    let report = try JSONLine.decode(
      SinkReport.self,
      from: Array(#"{"type":"presented","seq":7,"how":"loudly"}"#.utf8)
    )
    #expect(report == .presented(seq: 7))
  }

  @Test("Every message reads back as it was written")
  func roundTrips() throws {
    var random = SystemRandomNumberGenerator()
    let alarm = AlarmID(using: &random)
    let id = OccurrenceID(alarm: alarm, origin: Instant(seconds: 1_800_000_000), serial: 2)
    var options = AlarmOptions()
    options.labels = ["a"]
    options.metadata = .object(["n": .integer(1), "x": .array([.null, .bool(true), .number(1.5)])])
    let presentation = Presentation(
      seq: 7,
      occurrence: id,
      title: "T\u{0}\"<b>",
      kind: .alarm,
      state: .countdown,
      due: Instant(seconds: 1_800_000_000),
      snoozes: 1,
      countdown: Presentation.Countdown(
        start: Instant(seconds: 1_799_999_000),
        fire: Instant(seconds: 1_800_000_000),
        total: 1_000,
        elapsed: 0,
        snooze: true
      ),
      buttons: [AlarmButton(role: .stop, text: "Stop", behavior: .custom)],
      options: options
    )
    let messages: [SinkMessage] = [
      .hello(SinkMessage.Hello(sink: "lamp", settings: ["bus": "1"])), .sync([presentation]),
      .present(presentation), .ping, .bye,
      .cleared(
        SinkMessage.Cleared(
          seq: 8,
          occurrence: id,
          title: "T",
          reason: .stopped,
          source: "cli"
        )
      ),
      .missed(
        SinkMessage.Missed(
          seq: 9,
          occurrence: id,
          title: "T",
          due: Instant(seconds: 5),
          reason: .late
        )
      ),
      .secondary(SinkMessage.Secondary(seq: 10, occurrence: id, source: "lamp")),
    ]
    for message in messages {
      #expect(try JSONLine.decode(SinkMessage.self, from: JSONLine.encode(message)) == message)
    }
    let reports: [SinkReport] = [
      .ready(SinkReport.Ready(name: "a", version: "1", capabilities: ["sound"], audible: true)),
      .presented(seq: 1), .failed(SinkReport.Failed(seq: 2, reason: "r", retry: true)), .pong,
      .intent(Intent(.snooze, .occurrence(id), duration: 60)), .intent(Intent(.stop, .alerting)),
      .log(SinkReport.Log(level: "error", message: "m")),
    ]
    for report in reports {
      #expect(try JSONLine.decode(SinkReport.self, from: JSONLine.encode(report)) == report)
      #expect(try SinkReport.decode(Array(JSONLine.encode(report).dropLast())) == report)
    }
  }

  @Test(
    "A receipt means the same however it is written",
    arguments: [
      "1", "0", "01", "-1", "1.0", "1e3", "", " 7", "7 ", "\"7\"", "7,\"more\":1", "7,\"seq\":8",
      "9999999999999999999", "18446744073709551615", "18446744073709551616", "7}{",
    ]
  )
  func receipt(_ number: String) {
    let line = Array("{\"type\":\"presented\",\"seq\":\(number)}".utf8)
    #expect(
      (try? SinkReport.decode(line)) == (try? JSONLine.decode(SinkReport.self, from: line))
    )
  }

  @Test("An alarm keeps what it was given and writes names, not numbers, for weekdays")
  func alarm() throws {
    let line = #"""
      {"type":"schedule","id":"1","alarm":{"id":"00000000-0000-0000-0000-00000000000A",\#
      "title":"Wake","schedule":{"time":"07:00","repeats":["sun","mon"]},"snoozeLimit":3,"new":1}}
      """#
    let request = try JSONLine.decode(Request.self, from: Array(line.utf8))
    guard case .schedule(let alarm) = request.body else {
      Issue.record("not a schedule")
      return
    }
    #expect(alarm.options.snoozeLimit == 3)
    #expect(alarm.isEnabled)
    let written = try text(alarm)
    #expect(written.contains(#""repeats":["mon","sun"]"#))
    #expect(written.contains(#""id":"00000000-0000-0000-0000-00000000000a""#))
  }

  @Test("Settings are written in the order of their names, however a dictionary has them")
  func settings() throws {
    let names = (10..<60).map { "key\($0)" }
    let settings = Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
    let hello = SinkMessage.hello(SinkMessage.Hello(sink: "lamp", settings: settings))
    let line = String(decoding: try JSONLine.encode(hello), as: UTF8.self)
    #expect(line.contains(names.map { "\"\($0)\":\"\"" }.joined(separator: ",")))
  }
}
