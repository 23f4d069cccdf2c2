import Testing
import TocsinTime

@testable import TocsinModel

@Suite("The protocol's words for routing")
struct RoutingLinesTests {
  private let id: OccurrenceID
  private let at = Instant(seconds: 1_800_000_000)
  private let time = #""2027-01-15T08:00:00.000Z""#
  private let uuid = "00000000-0000-0000-0000-00000000000a"

  init() throws {
    let alarm = try #require(AlarmID("00000000-0000-0000-0000-00000000000a"))
    id = OccurrenceID(alarm: alarm, origin: Instant(seconds: 1_800_000_000), serial: 0)
  }

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONLine.encode(value).dropLast(), as: UTF8.self)
  }

  private func again<Value: Codable>(_ value: Value) throws -> Value {
    try JSONLine.decode(Value.self, from: try JSONLine.encode(value))
  }

  private func read<Value: Decodable>(_ type: Value.Type, _ line: String) throws -> Value {
    try JSONLine.decode(type, from: Array(line.utf8))
  }

  @Test(
    "requests are written as the protocol names them and read back",
    arguments: [
      #"{"id":"1","type":"enableSink","sink":"lamp"}"#,
      #"{"id":"1","type":"disableSink","sink":"lamp"}"#,
      #"{"id":"1","type":"route"}"#,
      #"""
      {"id":"1","type":"route","title":"Wake","at":"2027-01-15T08:00:00.000Z","kind":"timer",\#
      "labels":["a"],"priority":5,"sound":"none"}
      """#,
      #"{"id":"1","type":"route","alarm":"Wake"}"#,
      #"{"id":"1","type":"silence","match":"label:x","duration":7200}"#,
      #"{"id":"1","type":"silences"}"#, #"{"id":"1","type":"unsilence"}"#,
      #"{"id":"1","type":"unsilence","number":3}"#,
    ]
  )
  func requests(line: String) throws {
    let request = try read(Request.self, line)
    let written = try text(request)
    #expect(written == line)
  }

  @Test(
    "requests without what they need are refused",
    arguments: [
      #"{"type":"enableSink"}"#, #"{"type":"silence","match":"all"}"#,
      #"{"type":"silence","duration":5}"#, #"{"type":"unsilence","number":"all"}"#,
      #"{"type":"route","at":"tomorrow"}"#, #"{"type":"route","kind":"egg"}"#,
    ]
  )
  func refused(line: String) {
    #expect(throws: ServiceError.self) { try read(Request.self, line) }
  }

  @Test("a step of a route and a silence come as lines of their own")
  func replies() throws {
    let step = RouteStep(
      at: at,
      kind: .escalate,
      sinks: ["speaker", "bedside.led"],
      volumeLimit: 0.5,
      why: "nobody answered"
    )
    let silence = Silence(number: 2, match: "label:x", since: at, until: at, source: "cli")
    let written = try text(Reply.step(id: "1", step))
    #expect(
      written == #"{"type":"step","id":"1","step":{"at":\#(time),"kind":"escalate","#
        + #""sinks":["speaker","bedside.led"],"volumeLimit":0.5,"why":"nobody answered"}}"#
    )
    guard case .step("1", let readStep) = try again(Reply.step(id: "1", step)),
      case .silence("1", let readSilence) = try again(Reply.silence(id: "1", silence))
    else {
      Issue.record("other replies came back")
      return
    }
    #expect(readStep == step)
    #expect(readSilence == silence)
  }

  @Test("a notice and a receipt read back as they were written")
  func events() throws {
    var notice = SinkMessage.Notice(seq: 4, level: .critical, text: "nobody heard it")
    let plain = try text(SinkMessage.notice(notice))
    #expect(plain == #"{"type":"notice","seq":4,"level":"critical","text":"nobody heard it"}"#)
    notice.occurrence = id
    notice.alarm = id.alarm
    notice.title = "Wake"
    var receipt = AlertReceipt(sink: "bedside", parts: ["led"], audible: false)
    receipt.result = .timedOut
    receipt.at = at
    receipt.detail = "no answer in 5 s"
    let messages: [SinkMessage] = [
      .notice(notice),
      .receipt(SinkMessage.Receipt(seq: 5, occurrence: id, receipt: receipt)),
      .receipt(
        SinkMessage.Receipt(
          seq: 6,
          occurrence: id,
          receipt: AlertReceipt(sink: "a", audible: true)
        )
      ),
    ]
    for message in messages {
      let read = try again(message)
      #expect(read == message)
    }
    let written = try text(messages[1])
    #expect(
      written == #"{"type":"receipt","seq":5,"occurrence":"\#(id)","alarm":"\#(uuid)","#
        + #""sink":"bedside","parts":["led"],"result":"timedOut","at":\#(time),"audible":false,"#
        + #""detail":"no answer in 5 s"}"#
    )
  }

  @Test("a sink's parts may leave out all but their names")
  func parts() throws {
    let ready = try read(
      SinkReport.self,
      #"{"type":"ready","name":"pi","parts":[{"name":"led"},"#
        + #"{"name":"buzzer","capabilities":["sound"],"audible":true}]}"#
    )
    let expected = SinkReport.Ready(
      name: "pi",
      version: "",
      capabilities: [],
      audible: false,
      parts: [
        SinkReport.Ready.Part(name: "led", capabilities: [], audible: false),
        SinkReport.Ready.Part(name: "buzzer", capabilities: ["sound"], audible: true),
      ]
    )
    #expect(ready == .ready(expected))
    let readAgain = try again(ready)
    #expect(readAgain == ready)
    let without = try text(
      SinkReport.ready(
        SinkReport.Ready(name: "a", version: "1", capabilities: [], audible: true)
      )
    )
    #expect(!without.contains("parts"))
  }

  @Test("a presentation names its parts and its loudest volume only where it has them")
  func presentation() throws {
    var presentation = Presentation(
      seq: 7,
      occurrence: id,
      title: "T",
      kind: .alarm,
      state: .alerting,
      due: at,
      fired: at,
      late: 0
    )
    let plain = try text(SinkMessage.present(presentation))
    #expect(!plain.contains("parts"))
    #expect(!plain.contains("volumeLimit"))
    presentation.parts = ["led", "buzzer"]
    presentation.volumeLimit = 0.3
    let limited = try text(SinkMessage.present(presentation))
    #expect(limited.contains(#""parts":["led","buzzer"],"volumeLimit":0.3"#))
    let read = try again(SinkMessage.present(presentation))
    #expect(read == .present(presentation))
  }

  @Test("an alarm's status bears its receipts while it rings")
  func status() throws {
    var status = AlarmStatus(alarm: Alarm(id: id.alarm, title: "Wake"), state: .alerting)
    status.receipts = [AlertReceipt(sink: "speaker", result: .presented, at: at, audible: true)]
    let read = try again(status)
    #expect(read == status)
  }
}
