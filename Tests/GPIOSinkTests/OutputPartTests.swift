import SinkKit
import SinkTesting
import Testing

@testable import GPIOSink

@Suite("Lamps and buzzer asked for one by one") struct OutputPartTests {
  private static let steady = [
    "led": "GPIO22", "buzzer": "GPIO23", "buzzer.alert": "on", "led.countdown": "off",
  ]

  private func failed(_ seq: UInt64, _ reason: String) -> SinkReport {
    .failed(SinkReport.Failed(seq: seq, reason: reason, retry: true))
  }

  @Test("are announced, as far as there are any")
  func announced() throws {
    let led = SinkDescriptor.Part(name: "led", capabilities: [.light], audible: false)
    let buzzer = SinkDescriptor.Part(name: "buzzer", capabilities: [.sound], audible: true)
    #expect(try Bench().manual.sink.descriptor.parts == [led, buzzer])
    #expect(try Bench(["led": "GPIO22"]).manual.sink.descriptor.parts == [led])
    #expect(try Bench(["buzzer": "GPIO23"]).manual.sink.descriptor.parts == [buzzer])
    let mute = try Bench(["buzzer": "GPIO23", "buzzer.alert": "off"]).manual.sink.descriptor
    #expect(mute.parts.map(\.audible) == [false] && mute.parts[0].capabilities.isEmpty)
    // Asked for by its name it sounds at once, so it is heard.
    let later = try Bench(["buzzer": "GPIO23", "buzzer.after": "1min"]).manual.sink.descriptor
    #expect(later.parts == [buzzer] && !later.audible)
  }

  @Test("are driven alone, or together as without a name")
  func alone() throws {
    let bench = try Bench(Self.steady)
    bench.show(Sample.alert(seq: 1).with(parts: ["led"]))
    #expect(bench.isHigh("GPIO22") && !bench.isHigh("GPIO23"))
    bench.clear()
    bench.show(Sample.alert(seq: 2, 2).with(parts: ["buzzer"]))
    #expect(!bench.isHigh("GPIO22") && bench.isHigh("GPIO23"))
    bench.show(Sample.alert(seq: 3, 2).with(parts: ["led", "buzzer"]))
    #expect(bench.isHigh("GPIO22") && bench.isHigh("GPIO23"))
    bench.show(Sample.alert(seq: 4, 2).with(parts: ["led"]))
    #expect(bench.isHigh("GPIO22") && !bench.isHigh("GPIO23"))
    let confirmed = bench.reports()
    #expect(confirmed == [1, 90, 2, 3, 4].map { SinkReport.presented(seq: $0) })
  }

  @Test("The lamp of a countdown goes on beside an alert that is for the buzzer only")
  func beside() throws {
    let bench = try Bench(["led": "GPIO22", "led.countdown": "on", "buzzer": "GPIO23"])
    bench.show(Sample.countdown(seq: 1, 1), Sample.alert(seq: 2, 2).with(parts: ["buzzer"]))
    bench.pass(700)
    #expect(bench.wave("GPIO22") == "0- 0+")
  }

  @Test("Another part that joins does not disturb what goes on")
  func joins() throws {
    let bench = try Bench(["led": "GPIO22", "buzzer": "GPIO23"])
    bench.show(Sample.alert(seq: 1).with(parts: ["led"]))
    bench.pass(1_300)
    bench.show(Sample.alert(seq: 2).with(parts: ["led", "buzzer"]))
    bench.pass(1_150)
    #expect(bench.wave("GPIO22") == "0- 0+ 500- 1000+ 1500- 2000+")
    #expect(bench.wave("GPIO23") == "0- 1300+ 1400- 1500+ 1600- 2300+ 2400-")
    #expect(bench.reports() == [.presented(seq: 1), .presented(seq: 2)])
    // Nor does the whole of it.
    bench.show(Sample.alert(seq: 3))
    bench.pass(100)
    #expect(bench.wave("GPIO22") == "0- 0+ 500- 1000+ 1500- 2000+ 2500-")
    #expect(bench.wave("GPIO23") == "0- 1300+ 1400- 1500+ 1600- 2300+ 2400- 2500+")
  }

  @Test("A buzzer that has to wait does not if it is asked for by its name, and has its own limit")
  func named() throws {
    var settings = Self.steady
    (settings["buzzer.after"], settings["buzzer.limit"]) = ("2min", "3s")
    let bench = try Bench(settings)
    bench.show(Sample.alert(seq: 1))
    bench.pass(10_000)
    #expect(bench.wave("GPIO23") == "0-")
    bench.show(Sample.alert(seq: 2).with(parts: ["led", "buzzer"]))
    bench.pass(10_000)
    #expect(bench.wave("GPIO23") == "0- 10000+ 13000-")
    #expect(bench.reports() == [.presented(seq: 1), .presented(seq: 2)])
  }

  @Test("A busy buzzer fails what is for the buzzer, and not what is for the lamp")
  func busyBuzzer() throws {
    let board = FakeBoard.raspberry()
    board.line("GPIO23").holder = "other"
    let bench = try Bench(Self.steady, board)
    _ = bench.reports()
    bench.show(Sample.alert(seq: 1).with(parts: ["led"]))
    #expect(bench.reports() == [.presented(seq: 1)])
    bench.show(Sample.alert(seq: 2).with(parts: ["led", "buzzer"]))
    #expect(bench.reports() == [failed(2, "buzzer (GPIO23): it is in use by \"other\"")])
    #expect(bench.isHigh("GPIO22"))
    board.line("GPIO23").holder = nil
    bench.pass(1_000)
    #expect(bench.reports().contains(.presented(seq: 2)))
    #expect(bench.isHigh("GPIO23"))
  }

  @Test("A busy lamp fails what is for the lamp, and not what is for the buzzer")
  func busyLamp() throws {
    let board = FakeBoard.raspberry()
    board.line("GPIO22").holder = "other"
    let bench = try Bench(Self.steady, board)
    _ = bench.reports()
    bench.show(Sample.alert(seq: 1, 1).with(parts: ["buzzer"]))
    bench.show(Sample.alert(seq: 2, 2).with(parts: ["led"]))
    #expect(
      bench.reports() == [
        .presented(seq: 1), failed(2, "led (GPIO22): it is in use by \"other\""),
      ]
    )
  }

  @Test("A buzzer alone that begins later is confirmed when its line is had, and failed if not")
  func later() throws {
    let board = FakeBoard.raspberry()
    board.line("GPIO23").holder = "other"
    let bench = try Bench(["buzzer": "GPIO23", "buzzer.after": "2min"], board)
    _ = bench.reports()
    bench.show(Sample.alert(seq: 1))
    #expect(bench.reports() == [failed(1, "buzzer (GPIO23): it is in use by \"other\"")])
    board.line("GPIO23").holder = nil
    bench.pass(1_000)
    #expect(bench.reports().contains(.presented(seq: 1)))
  }

  @Test("Buttons act on what is presented, whatever parts present it")
  func buttons() throws {
    let bench = try Bench()
    bench.show(Sample.alert(seq: 1).with(parts: ["led"]))
    bench.pass(1_000)
    bench.tap()
    #expect(bench.intents == [Intent(.snooze, .occurrence(Sample.occurrence()))])
  }

  @Test("A part that is not there is no part, and the rest goes on")
  func unknown() throws {
    let bench = try Bench(["led": "GPIO22"])
    bench.show(Sample.alert(seq: 1).with(parts: ["led", "buzzer"]))
    #expect(bench.isHigh("GPIO22"))
    let failed = SinkReport.Failed(seq: 1, reason: "bedside has no part buzzer", retry: false)
    #expect(bench.reports() == [.failed(failed)])
  }
}
