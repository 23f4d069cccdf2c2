import Testing
import TocsinModel

@Suite("A message from a later version") struct SinkMessageTests {
  private func message(_ line: String) throws -> SinkMessage {
    try JSONLine.decode(SinkMessage.self, from: Array(line.utf8))
  }

  private let event = """
    "seq":1,"occurrence":"00000000-0000-0000-0000-00000000000a:0:0",\
    "alarm":"00000000-0000-0000-0000-00000000000a","title":"Tea"
    """

  @Test("still rings if it has a button that nobody knows yet")
  func button() throws {
    let line = """
      {"type":"alert",\(event),"kind":"timer","state":"alerting","due":"2027-01-15T07:00:00.000Z",\
      "buttons":[{"role":"stop","text":"Stop"},{"role":"dance","text":"Dance"},7,\
      {"role":"secondary","text":"More","behavior":"explode"},{"role":"snooze","text":"Later"}]}
      """
    guard case .present(let presentation) = try message(line) else {
      Issue.record("not an alert")
      return
    }
    #expect(presentation.buttons.map(\.role) == [.stop, .snooze])
  }

  @Test("still ends an alarm if the reason is one that nobody knows yet")
  func reason() throws {
    let line = "{\"type\":\"cleared\",\(event),\"reason\":\"eaten\"}"
    guard case .cleared(let cleared) = try message(line) else {
      Issue.record("not cleared")
      return
    }
    #expect(cleared.reason == .other)
  }

  @Test("still tells what a person should know, however much it matters")
  func level() throws {
    let line = #"{"type":"notice","seq":1,"level":"cosmic","text":"look up"}"#
    guard case .notice(let notice) = try message(line) else {
      Issue.record("no notice")
      return
    }
    #expect(notice.level == .warning && notice.text == "look up")
  }
}
