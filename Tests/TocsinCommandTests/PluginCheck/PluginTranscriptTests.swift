import Testing
import TocsinModel
import TocsinTime

@testable import TocsinCommand

@Suite("What a plugin says is judged")
struct PluginTranscriptTests {
  private static let occurrence = OccurrenceID(
    alarm: AlarmID(high: 1, low: 2),
    origin: Instant(seconds: 3),
    serial: 0
  )
  private static let ready =
    #"{"type":"ready","name":"t","version":"1","capabilities":["visual"],"audible":false}"#

  /// A transcript of these lines, after events 1 and 2 and a ping were sent.
  private func transcript(_ lines: [String]) -> PluginTranscript {
    var transcript = PluginTranscript(occurrences: [Self.occurrence])
    transcript.said(RouterText(bytes: [], seqs: [1, 2], pings: 1))
    for line in lines { transcript.take(.line(Array(line.utf8))) }
    return transcript
  }

  @Test("nothing is wrong with what the protocol allows")
  func right() {
    let transcript = transcript([
      #"{"type":"log","message":"before ready a log may come"}"#, Self.ready, "", " \r",
      #"{"type":"failed","seq":1,"reason":"no server yet","retry":true}"#,
      #"{"type":"failed","seq":1,"reason":"still none","retry":true}"#,
      #"{"type":"presented","seq":1}"#,
      #"{"type":"failed","seq":1,"reason":"and gone again","retry":true}"#,
      #"{"type":"presented","seq":1,"unheard":[]}"#, #"{"type":"pong"}"#,
      #"{"type":"intent","action":"stop","occurrence":"\#(Self.occurrence)"}"#,
      #"{"type":"intent","action":"snooze","target":"alerting"}"#,
    ])
    #expect(transcript.faults.isEmpty)
    #expect(transcript.intents.count == 2)
    #expect(transcript.logs.count == 1)
    #expect(transcript.answer(to: 1) == .presented)
    #expect(transcript.answer(to: 2) == .none)
    #expect(transcript.fulfils(.ready))
    #expect(transcript.fulfils(.pong))
    #expect(transcript.fulfils(.receipts([1])))
    #expect(!transcript.fulfils(.receipts([1, 2])))
  }

  @Test("an event that is sent again wants another receipt")
  func again() {
    var transcript = transcript([Self.ready, #"{"type":"presented","seq":1}"#])
    transcript.said(RouterText(bytes: [], seqs: [1]))
    #expect(!transcript.fulfils(.receipts([1])))
    transcript.take(.line(Array(#"{"type":"presented","seq":1}"#.utf8)))
    #expect(transcript.fulfils(.receipts([1])))
    #expect(transcript.faults.isEmpty)
  }

  @Test(
    "what it does not allow is told, with what to do",
    arguments: [
      (#"{"type":"presented","seq":1}{"#, .message, "not a JSON object", "standard error"),
      ("Hello\u{1b}[2J!", .message, "the line Hello?[2J! came", "standard error"),
      ("[1]", .message, "the line [1] came", "standard error"),
      (#"{"type":"presentd","seq":1}"#, .message, "no version knows", "did you mean presented?"),
      (#"{"type":"presented"}"#, .message, "the key \"seq\" is missing", "standard error"),
      (#"{"type":"presented","seq":9}"#, .receipt, "event 9 came, which was never", "seq"),
      (#"{"type":"failed","seq":9,"reason":"x"}"#, .receipt, "event 9 came", "seq"),
      (
        #"{"type":"intent","action":"stop","occurrence":"00000000-0000-0000-0000-000000000001:0:0"}"#,
        .intent, "which was never presented", "unchanged"
      ),
      (#"{"type":"intent","action":"dance"}"#, .message, "dance", "standard error"),
    ] as [(String, PluginTranscript.Fault.Rule, String, String)]
  )
  func wrong(line: String, rule: PluginTranscript.Fault.Rule, came: String, remedy: String) {
    let faults = transcript([Self.ready, line]).faults
    #expect(faults.count == 1)
    #expect(faults.first?.rule == rule)
    #expect(faults.first?.came.contains(came) == true, "\(faults)")
    #expect(faults.first?.remedy.contains(remedy) == true, "\(faults)")
  }

  @Test("an event is answered once")
  func twice() {
    let confirmed = #"{"type":"presented","seq":1}"#
    let failed = #"{"type":"failed","seq":2,"reason":"never","retry":false}"#
    let twice = transcript([Self.ready, confirmed, confirmed]).faults
    #expect(twice.map(\.came) == ["event 1 was confirmed twice"])
    let after = transcript([Self.ready, failed, #"{"type":"presented","seq":2}"#]).faults
    #expect(after.map(\.came) == ["event 2 was answered again after it had failed"])
  }

  @Test(
    "an introduction has all its words, and comes first and once",
    arguments: [
      ([#"{"type":"pong"}"#, ready], #"{"type":"pong"} came before ready"#),
      ([ready, ready], "ready came again"),
      ([#"{"type":"ready","name":"t","version":"1","capabilities":[]}"#], "ready has no audible"),
      (
        [#"{"type":"ready","name":"","version":"1","capabilities":[],"audible":true}"#],
        "empty name"
      ),
      (
        [#"{"type":"ready","name":"t","version":"1","capabilities":["sounds"],"audible":true}"#],
        "the capability sounds"
      ),
      (
        [
          #"{"type":"ready","name":"t","version":"1","capabilities":[],"audible":true,"parts":[{"name":"a b"}]}"#
        ], "a part is called a b"
      ),
      (
        [
          #"{"type":"ready","name":"t","version":"1","capabilities":[],"audible":true,"parts":[{"name":"a"},{"name":"a"}]}"#
        ], "two parts are called a"
      ),
    ] as [([String], String)]
  )
  func introduction(lines: [String], came: String) {
    let faults = transcript(lines).faults
    #expect(faults.count == 1, "\(faults)")
    #expect(faults.first?.rule == .ready)
    #expect(faults.first?.came.contains(came) == true, "\(faults)")
  }

  @Test("a flood of faults takes no more room than its beginning")
  func flood() {
    let transcript = transcript([Self.ready] + Array(repeating: "x", count: 10_000))
    #expect(transcript.faults.count == 100)
    #expect(transcript.furtherFaults == 9_900)
    var long = transcript
    long.take(.overlong)
    #expect(long.furtherFaults == 9_901)
  }
}
