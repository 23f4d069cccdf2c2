import SinkKit
import SinkTesting
import Testing

@testable import GPIOSink

@Suite("Lamp and buzzer") struct LightTests {
  @Test("are low from the start, follow the alert, and are low when it is over")
  func alert() throws {
    let bench = try Bench()
    #expect(bench.wave("GPIO22") == "0-" && bench.wave("GPIO23") == "0-")
    bench.pass(1_000)
    bench.show(Sample.alert(seq: 7))
    #expect(bench.reports() == [.presented(seq: 7)])
    bench.pass(1_700)
    bench.clear(seq: 8)
    #expect(bench.reports() == [.presented(seq: 8)])
    #expect(bench.wave("GPIO22") == "0- 1000+ 1500- 2000+ 2500-")
    #expect(
      bench.wave("GPIO23") == "0- 1000+ 1100- 1200+ 1300- 2000+ 2100- 2200+ 2300-"
    )
    #expect(bench.manual.nextWake == nil)
  }

  @Test("are low after an alert that was cleared while they were high")
  func clearedWhileHigh() throws {
    let bench = try Bench()
    bench.show(Sample.alert())
    bench.pass(10)
    bench.clear()
    #expect(bench.wave("GPIO22") == "0- 0+ 10-" && bench.wave("GPIO23") == "0- 0+ 10-")
  }

  @Test("have their own patterns, which may be steady and then need no timer")
  func patterns() throws {
    let bench = try Bench([
      "led": "GPIO22", "led.alert": "on", "led.countdown": "30ms on, 70ms off",
      "led.paused": "off", "buzzer": "GPIO23", "buzzer.alert": "on", "buzzer.limit": "1s",
    ])
    bench.show(Sample.countdown(seq: 1))
    bench.pass(250)
    bench.show(Sample.alert(seq: 2))
    bench.pass(2_000)
    #expect(bench.manual.nextWake == nil)
    bench.show(Sample.paused(seq: 3))
    #expect(bench.wave("GPIO22") == "0- 0+ 30- 100+ 130- 200+ 230- 250+ 2250-")
    #expect(bench.wave("GPIO23") == "0- 250+ 1250-")
    #expect(bench.reports() == [.presented(seq: 1), .presented(seq: 2), .presented(seq: 3)])
  }

  @Test("show what rings before what counts, and that before what is paused")
  func priority() throws {
    let bench = try Bench(["led": "GPIO22", "led.alert": "on", "led.countdown": "off"])
    bench.show(Sample.paused(seq: 1, 1))
    #expect(bench.isHigh("GPIO22"))
    bench.show(Sample.countdown(seq: 2, 2))
    #expect(!bench.isHigh("GPIO22"))
    bench.show(Sample.alert(seq: 3, 3))
    #expect(bench.isHigh("GPIO22"))
    bench.clear(3)
    #expect(!bench.isHigh("GPIO22"))
    bench.clear(2)
    #expect(bench.isHigh("GPIO22"))
    bench.clear(1)
    #expect(!bench.isHigh("GPIO22"))
  }

  @Test("keep step when the same alert is presented again, and begin anew when it rings anew")
  func again() throws {
    let bench = try Bench(["led": "GPIO22", "led.countdown": "off"])
    bench.show(Sample.alert(seq: 1))
    bench.pass(300)
    bench.show(Sample.alert(seq: 2))
    bench.pass(300)
    bench.show(Sample.countdown(seq: 3))
    bench.pass(400)
    bench.show(Sample.alert(seq: 4))
    bench.pass(600)
    #expect(bench.wave("GPIO22") == "0- 0+ 500- 1000+ 1500-")
  }

  @Test("may be several, and may be wired the other way round")
  func several() throws {
    let bench = try Bench([
      "led": "GPIO22, GPIO24", "led.active-low": "yes", "led.alert": "on", "buzzer": "GPIO23",
      "buzzer.active-low": "yes", "buzzer.alert": "on",
    ])
    bench.pass(5)
    bench.show(Sample.alert())
    bench.pass(5)
    bench.clear()
    for name in ["GPIO22", "GPIO23", "GPIO24"] { #expect(bench.wave(name) == "0+ 5- 10+") }
  }

  @Test("The buzzer may begin later; then it does not count as heard")
  func after() throws {
    let bench = try Bench([
      "buzzer": "GPIO23", "buzzer.alert": "on", "buzzer.after": "2s", "buzzer.limit": "3s",
    ])
    #expect(!bench.manual.sink.descriptor.audible)
    bench.show(Sample.alert(seq: 5))
    #expect(bench.reports() == [.presented(seq: 5)])
    bench.pass(12_000)
    #expect(bench.wave("GPIO23") == "0- 2000+ 5000-")
    #expect(bench.manual.nextWake == nil)
  }

  @Test("The buzzer has its own limit for each alert, and a snoozed one has it anew")
  func limit() throws {
    let bench = try Bench(["buzzer": "GPIO23", "buzzer.alert": "on", "buzzer.limit": "2s"])
    bench.show(Sample.alert(seq: 1, 1))
    bench.pass(1_000)
    bench.show(Sample.alert(seq: 2, 2))
    bench.pass(5_000)
    bench.show(Sample.countdown(seq: 3, 1))
    bench.show(Sample.alert(seq: 4, 1))
    bench.pass(5_000)
    #expect(bench.wave("GPIO23") == "0- 0+ 3000- 6000+ 8000-")
  }

  @Test("An alarm whose sound is none is only seen")
  func silent() throws {
    let bench = try Bench()
    bench.show(Sample.alert(seq: 1, sound: "none"))
    bench.pass(3_000)
    #expect(bench.wave("GPIO23") == "0-")
    #expect(bench.isHigh("GPIO22"))
    #expect(bench.reports() == [.presented(seq: 1)])
  }

  @Test("A buzzer has one loudness: a limit leaves it as it is, and one of nothing silences it")
  func limited() throws {
    let bench = try Bench(["buzzer": "GPIO23", "buzzer.alert": "on"])
    var alert = Sample.alert(seq: 1)
    alert.volumeLimit = 0
    bench.show(alert)
    bench.pass(1_000)
    (alert.seq, alert.volumeLimit) = (2, 0.2)
    bench.show(alert)
    bench.pass(1_000)
    #expect(bench.wave("GPIO23") == "0- 1000+")
    #expect(bench.reports() == [.presented(seq: 1), .presented(seq: 2)])
  }

  @Test("are low when the sink ends, and the lines are let go")
  func end() throws {
    let bench = try Bench()
    bench.show(Sample.alert())
    bench.manual.end()
    for name in ["GPIO22", "GPIO23"] {
      #expect(bench.wave(name) == "0- 0+ 0-")
      #expect(bench.board.line(name).holder == nil)
    }
    #expect(bench.board.line("GPIO17").holder == nil)
  }

  @Test("are low when the sink ends in the midst of an answer to a press")
  func endOfAnswer() throws {
    let settings = ["led": "GPIO22", "button.a": "GPIO17", "button.a.press": "skip"]
    let bench = try Bench(settings)
    bench.press()
    bench.pass(10)
    bench.manual.end()
    #expect(bench.wave("GPIO22") == "0- 0+ 10-")
  }

  @Test("A press that is accepted is answered, one that is not is not")
  func blip() throws {
    var settings = Bench.bedside
    (settings["button.snooze.hold-3s"], settings["buzzer.chirp"]) = (nil, "60ms")
    settings["led.countdown"] = "off"
    let bench = try Bench(settings)
    bench.tap()
    #expect(bench.wave("GPIO22") == "0-")
    bench.pass(850)
    bench.show(Sample.alert())
    bench.pass(600)
    bench.press()
    bench.pass(5)
    bench.show(Sample.countdown(seq: 2))
    bench.pass(1_000)
    #expect(bench.wave("GPIO22") == "0- 1000+ 1500- 1600+ 1680-")
    #expect(bench.wave("GPIO23") == "0- 1000+ 1100- 1200+ 1300- 1600+ 1660-")
  }

  @Test("say what they are")
  func descriptor() throws {
    let bedside = try Bench().manual.sink.descriptor
    #expect(bedside.capabilities == [.light, .sound, .buttons] && bedside.audible)
    let lamp = try Bench(["led": "GPIO22"]).manual.sink.descriptor
    #expect(lamp.capabilities == [.light] && !lamp.audible)
    var settings = Bench.bedside
    settings["buzzer.alert"] = "off"
    let mute = try Bench(settings).manual.sink.descriptor
    #expect(mute.capabilities == [.light, .buttons] && !mute.audible)
  }
}
