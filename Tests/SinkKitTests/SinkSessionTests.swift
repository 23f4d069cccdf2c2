import SinkKit
import SinkTesting
import Testing

@Suite struct SinkSessionTests {
  private func bench(_ settings: [String: String] = [:]) throws -> ManualSinkHost<RecordingSink> {
    let bench = try ManualSinkHost<RecordingSink>(now: Sample.seven, settings: settings)
    _ = bench.takeReports()
    return bench
  }

  @Test("The first report says what the sink is, with its settings taken into account")
  func ready() throws {
    let bench = try ManualSinkHost<RecordingSink>(now: Sample.seven, settings: ["audible": "yes"])
    let ready = SinkReport.Ready(
      name: "recorder",
      version: "2",
      capabilities: ["sound", "buttons"],
      audible: true
    )
    #expect(bench.takeReports() == [.ready(ready)])
  }

  @Test("Wrong settings are told together and there is no sink")
  func wrongSettings() {
    var error: SettingsError?
    do {
      _ = try ManualSinkHost<RecordingSink>(
        now: Sample.seven,
        name: "speaker",
        settings: ["audible": "maybe", "audbile": "yes"]
      )
    } catch let thrown { error = thrown as? SettingsError }
    #expect(
      error?.lines == [
        "[plugin speaker] audible = \"maybe\" is neither yes nor no",
        "[plugin speaker] audbile is no setting of this sink; did you mean audible?",
      ]
    )
  }

  @Test("Presenting and clearing are confirmed by the event's number")
  func receipts() throws {
    let bench = try bench()
    bench.receive(.present(Sample.alert(seq: 7)))
    bench.receive(.cleared(Sample.cleared(seq: 8)))
    #expect(bench.sink.calls == ["present 7", "clear 0 stopped"])
    #expect(bench.takeReports() == [.presented(seq: 7), .presented(seq: 8)])
  }

  @Test("What a sink throws is a failure of that event and of no other")
  func failure() throws {
    let bench = try bench()
    bench.sink.broken = ["Loud"]
    bench.receive(.sync([Sample.alert(seq: 1, 1, title: "Loud"), Sample.alert(seq: 2, 2)]))
    let failed = SinkReport.Failed(seq: 1, reason: "the bell is broken", retry: false)
    #expect(bench.takeReports() == [.failed(failed), .presented(seq: 2)])
    #expect(bench.host.presentations.map(\.seq) == [1, 2])
  }

  @Test("A sync clears what is gone, presents what is new or failed, confirms the rest again")
  func sync() throws {
    let bench = try bench()
    bench.sink.broken = ["Loud"]
    let steady = Sample.alert(seq: 1, 1)
    let failing = Sample.alert(seq: 2, 2, title: "Loud")
    for presentation in [steady, failing, Sample.alert(seq: 3, 3)] {
      bench.receive(.present(presentation))
    }
    _ = bench.takeReports()
    bench.sink.calls = []
    bench.sink.broken = []
    bench.receive(.sync([steady, failing, Sample.alert(seq: 4, 4)]))
    #expect(bench.sink.calls == ["clear 3 -", "present 2", "present 4"])
    #expect(
      bench.takeReports() == [.presented(seq: 1), .presented(seq: 2), .presented(seq: 4)]
    )
  }

  @Test("A sync does not repeat what still waits for its receipt")
  func syncWhilePending() throws {
    let bench = try bench()
    bench.sink.confirms = false
    let pending = Sample.alert(seq: 1, 1)
    bench.receive(.present(pending))
    bench.receive(.sync([pending]))
    #expect(bench.sink.calls == ["present 1"])
    #expect(bench.takeReports().isEmpty)
  }

  @Test("A new presentation of an occurrence takes the place of the old one")
  func replacement() throws {
    let bench = try bench()
    bench.receive(.present(Sample.alert(seq: 1, 1)))
    bench.receive(.present(Sample.alert(seq: 2, 2)))
    bench.receive(.present(Sample.alert(seq: 3, 1)))
    #expect(bench.host.presentations.map(\.seq) == [3, 2])
  }

  @Test(
    "At the end everything is cleared while nothing is left to turn to, then end is called once"
  )
  func ending() throws {
    let bench = try bench()
    bench.receive(.present(Sample.alert(seq: 1, 1)))
    bench.receive(.present(Sample.alert(seq: 2, 2)))
    bench.host.wake(after: .seconds(1)) {}
    _ = bench.takeReports()
    bench.receive(.bye)
    bench.receive(.present(Sample.alert(seq: 3, 3)))
    bench.end()
    #expect(bench.sink.calls == ["present 1", "present 2", "clear 1 -", "clear 2 -", "end"])
    #expect(bench.sink.heldDuringClear == [0, 0])
    #expect(bench.takeReports().isEmpty)
    #expect(bench.nextWake == nil)
  }

  @Test("A ping is answered; a type from the future, a missed alarm and a press are not")
  func otherMessages() throws {
    let bench = try bench()
    let missed = SinkMessage.Missed(
      seq: 9,
      occurrence: Sample.occurrence(1),
      title: "",
      due: Sample.seven,
      reason: .late
    )
    let secondary = SinkMessage.Secondary(seq: 10, occurrence: Sample.occurrence(1), source: "x")
    for message in [.unknown("dance"), .missed(missed), .secondary(secondary), .ping]
      as [SinkMessage]
    {
      bench.receive(message)
    }
    #expect(bench.takeReports() == [.pong])
    #expect(bench.sink.calls.isEmpty)
  }

  @Test("Intents and lines of the log go out as they are")
  func intents() throws {
    let bench = try bench()
    bench.host.send(Intent(.snooze, .alerting, duration: 300))
    bench.host.log(.warning, "the button is stuck")
    let log = SinkReport.Log(level: "warning", message: "the button is stuck")
    #expect(
      bench.takeReports() == [.intent(Intent(.snooze, .alerting, duration: 300)), .log(log)]
    )
  }

  @Test("A notice is passed on, and answered as an event is")
  func notice() throws {
    let bench = try bench()
    bench.sink.broken = ["loud"]
    bench.receive(.notice(Sample.notice(seq: 1, .info, "quiet")))
    bench.receive(.notice(Sample.notice(seq: 2, .critical, "loud")))
    #expect(bench.sink.calls == ["notice 1 quiet", "notice 2 loud"])
    let failed = SinkReport.Failed(seq: 2, reason: "the bell is broken", retry: false)
    #expect(bench.takeReports() == [.presented(seq: 1), .failed(failed)])
  }

  @Test(
    "What is over is withdrawn, also where it goes on elsewhere or ended for a reason of the future",
    arguments: ["stopped", "rerouted", "eaten"]
  )
  func reasons(word: String) throws {
    let bench = try bench()
    bench.receive(.present(Sample.alert(seq: 7)))
    var line = String(decoding: try JSONLine.encode(cleared), as: UTF8.self)
    line = line.split(separator: "stopped").joined(separator: word)
    bench.receive(try JSONLine.decode(SinkMessage.self, from: Array(line.utf8)))
    let reason = word == "eaten" ? "other" : word
    #expect(bench.sink.calls == ["present 7", "clear 0 \(reason)"])
    #expect(bench.host.presentations.isEmpty)
    #expect(bench.takeReports() == [.presented(seq: 7), .presented(seq: 8)])
  }

  private let cleared = SinkMessage.cleared(Sample.cleared(seq: 8))
}
