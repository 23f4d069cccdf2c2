import SinkKit
import SinkTesting
import Testing

@Suite("The parts of a sink") struct PartTests {
  private func bench(parts: String? = nil) throws -> ManualSinkHost<RecordingSink> {
    let settings = parts.map { ["parts": $0] } ?? [:]
    let bench = try ManualSinkHost<RecordingSink>(
      now: Sample.seven,
      name: "lamp",
      settings: settings
    )
    _ = bench.takeReports()
    return bench
  }

  private func failed(_ seq: UInt64, _ reason: String) -> SinkReport {
    .failed(SinkReport.Failed(seq: seq, reason: reason, retry: false))
  }

  @Test("are announced, each with what it can do")
  func ready() throws {
    let bench = try ManualSinkHost<RecordingSink>(
      now: Sample.seven,
      settings: ["parts": "glow, bell"]
    )
    guard case .ready(let ready)? = bench.takeReports().first else {
      Issue.record("nothing was announced")
      return
    }
    let both = ["sound", "light"]
    #expect(
      ready.parts == [
        SinkReport.Ready.Part(name: "glow", capabilities: both, audible: false),
        SinkReport.Ready.Part(name: "bell", capabilities: both, audible: true),
      ]
    )
  }

  @Test("A sink of one piece presents nothing of an event for a part, and says which it has not")
  func none() throws {
    let bench = try bench()
    bench.receive(.present(Sample.alert(seq: 1).with(parts: ["buzzer"])))
    #expect(bench.sink.calls.isEmpty && bench.host.presentations.isEmpty)
    #expect(bench.takeReports() == [failed(1, "lamp has no part buzzer")])
    bench.receive(
      .sync([Sample.alert(seq: 2).with(parts: ["buzzer", "led"]), Sample.alert(seq: 3, 3)])
    )
    #expect(bench.sink.calls == ["present 3"])
    #expect(
      bench.takeReports() == [.presented(seq: 3), failed(2, "lamp has no part buzzer, led")]
    )
  }

  @Test("What was presented goes when the event is for other parts from now on")
  func gone() throws {
    let bench = try bench()
    bench.receive(.present(Sample.alert(seq: 1)))
    bench.receive(.present(Sample.alert(seq: 2).with(parts: ["buzzer"])))
    #expect(bench.sink.calls == ["present 1", "clear 0 -"])
    #expect(bench.host.presentations.isEmpty)
    #expect(bench.takeReports() == [.presented(seq: 1), failed(2, "lamp has no part buzzer")])
  }

  @Test("reach the sink as they are, and an empty list is the whole of it")
  func known() throws {
    let bench = try bench(parts: "glow, bell")
    bench.receive(.present(Sample.alert(seq: 1).with(parts: ["bell"])))
    bench.receive(.present(Sample.alert(seq: 2).with(parts: ["glow", "bell"])))
    bench.receive(.present(Sample.alert(seq: 3).with(parts: [])))
    #expect(bench.sink.calls == ["present 1 bell", "present 2 glow+bell", "present 3"])
    #expect(bench.takeReports() == [.presented(seq: 1), .presented(seq: 2), .presented(seq: 3)])
  }

  @Test("Of some that it has and some that it has not, those it has present, and it is a failure")
  func some() throws {
    let bench = try bench(parts: "glow")
    let event = Sample.alert(seq: 1).with(parts: ["glow", "bell"])
    bench.receive(.present(event))
    #expect(bench.sink.calls == ["present 1 glow"])
    #expect(bench.takeReports() == [failed(1, "lamp has no part bell")])
    // Also when it is asked again after the connection was lost.
    bench.receive(.sync([event]))
    #expect(bench.takeReports() == [failed(1, "lamp has no part bell")])
    bench.sink.broken = ["Wake up"]
    bench.receive(.present(Sample.alert(seq: 2).with(parts: ["glow", "bell"])))
    #expect(
      bench.takeReports() == [failed(2, "the bell is broken; lamp has no part bell")]
    )
  }
}
