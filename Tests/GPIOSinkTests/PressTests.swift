import SinkKit
import SinkTesting
import Testing

@testable import GPIOSink

@Suite("A press") struct PressTests {
  private static let oneButton = [
    "button.a": "GPIO17", "button.a.press.alerting": "snooze",
    "button.a.press.countdown": "pause", "button.a.press.paused": "resume",
  ]

  @Test("of one button snoozes, pauses and resumes, at its first edge")
  func oneButton() throws {
    let bench = try Bench(Self.oneButton)
    for (presentation, action) in [
      (Sample.alert(seq: 1), AlarmAction.snooze), (Sample.countdown(seq: 2), .pause),
      (Sample.paused(seq: 3), .resume),
    ] {
      bench.show(presentation)
      bench.pass(10)
      _ = bench.reports()
      bench.press()
      #expect(bench.intents == [Intent(action, .occurrence(Sample.occurrence()))])
      bench.letGo()
      bench.pass(100)
      #expect(bench.intents == [])
    }
  }

  @Test("is a snooze when short and a stop when held, before it is let go")
  func shortAndLong() throws {
    let bench = try Bench()
    bench.show(Sample.alert())
    bench.tap()
    #expect(bench.intents.map(\.action) == [.snooze])
    bench.press()
    bench.pass(2_999)
    #expect(bench.intents == [])
    bench.pass(1)
    #expect(bench.intents.map(\.action) == [.stop])
    bench.letGo()
    bench.pass(1_000)
    #expect(bench.intents == [])
  }

  @Test("that began before the alert is not for it, however it goes on")
  func heldWhenItBegins() throws {
    let bench = try Bench()
    bench.press()
    bench.pass(1_000)
    bench.show(Sample.alert())
    _ = bench.reports()
    bench.pass(60_000)
    bench.letGo()
    bench.pass(1_000)
    #expect(bench.intents == [])
    bench.tap()
    #expect(bench.intents.map(\.action) == [.snooze])
  }

  @Test("that began while it counted is not for the ring that follows")
  func heldSinceCountdown() throws {
    let bench = try Bench()
    bench.show(Sample.countdown(seq: 1))
    bench.pass(1_000)
    bench.press()
    bench.pass(100)
    bench.show(Sample.alert(seq: 2))
    bench.letGo()
    bench.pass(100)
    #expect(bench.intents == [])
  }

  @Test("whose edge the kernel saw before the alert, but we only after, is not for it")
  func waitingEdge() throws {
    let bench = try Bench(Self.oneButton)
    bench.pass(100)
    bench.board.press("GPIO17", ago: .milliseconds(3))
    bench.show(Sample.alert())
    bench.manual.tick()
    #expect(bench.intents == [])
  }

  @Test("is for what rang when it began: one that began to ring since is left alone")
  func bound() throws {
    let bench = try Bench()
    bench.show(Sample.alert(seq: 1, 1))
    bench.pass(100)
    bench.press()
    bench.pass(100)
    bench.clear(1)
    bench.show(Sample.alert(seq: 2, 2))
    bench.letGo()
    bench.pass(100)
    #expect(bench.intents == [])
    #expect(bench.isHigh("GPIO22"))
  }

  @Test("is for all that ring")
  func several() throws {
    let bench = try Bench()
    bench.show(Sample.alert(seq: 1, 1), Sample.alert(seq: 2, 2), Sample.countdown(seq: 3, 3))
    bench.tap()
    #expect(
      bench.intents == [
        Intent(.snooze, .occurrence(Sample.occurrence(1))),
        Intent(.snooze, .occurrence(Sample.occurrence(2))),
      ]
    )
  }

  @Test("found down at the start does nothing, and a stuck one is told of once")
  func stuck() throws {
    let board = FakeBoard.raspberry()
    board.press("GPIO17")
    let bench = try Bench(Bench.bedside, board)
    bench.show(Sample.alert())
    bench.pass(3_600_000)
    let reports = bench.reports()
    #expect(!reports.contains { if case .intent = $0 { true } else { false } })
    let logs = reports.compactMap { if case .log(let log) = $0 { log.message } else { nil } }
    #expect(logs.count == 1 && logs[0].hasPrefix("button.snooze has been down for 30 s"))
    bench.letGo()
    bench.pass(100)
    bench.tap()
    #expect(bench.intents.map(\.action) == [.snooze])
  }

  @Test("of a line that flickers is none, costs little, and works again soon after")
  func flood() throws {
    let bench = try Bench()
    bench.show(Sample.alert())
    _ = bench.reports()
    func flicker() {
      for _ in 0..<1_000 {
        bench.press()
        bench.pass(1)
        bench.letGo()
        bench.pass(1)
      }
    }
    flicker()
    #expect(bench.board.reads < 200)
    #expect(bench.logs.count == 1)
    bench.pass(900)
    flicker()
    bench.pass(900)
    #expect(bench.logs == [])
    bench.tap()
    #expect(bench.intents.map(\.action) == [.snooze])
    bench.clear()
    bench.pass(100)
    #expect(bench.manual.nextWake == nil)
  }

  @Test(
    "is in the end as the line is when the kernel had to drop edges",
    arguments: [FakeBoard.Overflow.dropsNewest, .dropsOldest]
  )
  func overflow(kind: FakeBoard.Overflow) throws {
    let board = FakeBoard.raspberry()
    board.overflow = kind
    let bench = try Bench(Bench.bedside, board)
    bench.show(Sample.alert())
    bench.pass(1_000)
    _ = bench.reports()
    // 100 edges in 10 ms that nobody reads.
    for index in 0..<100 {
      board.drive("GPIO17", high: index % 2 == 1, ago: .microseconds(10_000 - index * 100))
    }
    bench.manual.tick()
    bench.pass(2_000)
    #expect(bench.intents == [])
    bench.tap()
    #expect(bench.intents.map(\.action) == [.snooze])
  }

  @Test("in the very moment in which the line is taken is one")
  func firstMoment() throws {
    let board = FakeBoard()
    let bench = try Bench(Self.oneButton, board)
    bench.show(Sample.alert())
    bench.pass(1_000)
    board.afterRequest = { board.press("GPIO17") }
    board.plug(FakeBoard.Chip("/dev/gpiochip0", "pinctrl-rp1", ["GPIO17"]))
    bench.manual.tick()
    #expect(bench.intents.map(\.action) == [.snooze])
  }

  @Test("is counted on the kernel's clock, whatever is done to the wall clock")
  func wallClock() throws {
    let bench = try Bench()
    bench.show(Sample.alert())
    bench.press()
    bench.pass(100)
    bench.manual.stepClock(by: .seconds(3_600))
    bench.letGo()
    bench.pass(100)
    #expect(bench.intents.map(\.action) == [.snooze])
  }

  @Test("of a button that is wired to 3.3 V works, too")
  func activeHigh() throws {
    var settings = Bench.bedside
    settings["button.snooze.active-low"] = "no"
    let bench = try Bench(settings)
    bench.show(Sample.alert())
    bench.board.drive("GPIO17", high: true)
    bench.manual.tick()
    bench.pass(100)
    bench.board.drive("GPIO17", high: false)
    bench.manual.tick()
    bench.pass(50)
    #expect(bench.intents.map(\.action) == [.snooze])
  }
}

@Suite("A key of an event device") struct KeyTests {
  private static let settings = [
    "button.a": "key:KEY_PLAYPAUSE", "button.a.device": "gpio-keys",
    "button.a.press": "snooze", "button.a.hold-1s": "stop",
  ]
  private static let key: UInt16 = 164
  private static let path = "/dev/input/event3"

  private func bench(_ settings: [String: String] = settings) throws -> (Bench, FakeKeyboard) {
    let board = FakeBoard()
    let keyboard = try FakeKeyboard("gpio-keys", [Self.key, 30], board)
    board.keyboards = [
      Self.path: keyboard, "/dev/input/event0": try FakeKeyboard("other", [Self.key], board),
    ]
    let bench = try Bench(settings, board)
    _ = bench.reports()
    return (bench, keyboard)
  }

  private func tap(_ bench: Bench, _ keyboard: FakeKeyboard, _ milliseconds: Int = 100) {
    keyboard.press(Self.key)
    bench.manual.tick()
    bench.pass(milliseconds)
    keyboard.letGo(Self.key)
    bench.manual.tick()
    bench.pass(50)
  }

  @Test("is pressed and held like a line")
  func gestures() throws {
    let (bench, keyboard) = try bench()
    bench.show(Sample.alert())
    tap(bench, keyboard)
    #expect(bench.intents.map(\.action) == [.snooze])
    tap(bench, keyboard, 1_500)
    #expect(bench.intents.map(\.action) == [.stop])
    keyboard.press(30)
    bench.manual.tick()
    bench.pass(2_000)
    #expect(bench.intents == [])
    #expect(!keyboard.isGrabbed)
  }

  @Test("of another device is not meant, unless no device is named")
  func device() throws {
    for (name, count) in [("gpio-keys", 0), (nil, 1)] as [(String?, Int)] {
      var settings = Self.settings
      settings["button.a.device"] = name
      let (bench, _) = try bench(settings)
      bench.show(Sample.alert())
      let other = try #require(bench.board.keyboards["/dev/input/event0"])
      tap(bench, other)
      #expect(bench.intents.count == count)
    }
  }

  @Test("can be kept from others")
  func grab() throws {
    var settings = Self.settings
    settings["button.a.grab"] = "yes"
    let (bench, keyboard) = try bench(settings)
    #expect(keyboard.isGrabbed)
    #expect(bench.board.keyboards["/dev/input/event0"]?.isGrabbed == false)
  }

  @Test("is found again when its device was unplugged")
  func replug() throws {
    let (bench, _) = try bench()
    bench.show(Sample.alert())
    _ = bench.reports()
    bench.board.unplugKeyboard(Self.path)
    bench.manual.tick()
    bench.pass(1_000)
    #expect(bench.logs.count == 1)
    #expect(bench.manual.nextWake == nil)
    let again = try FakeKeyboard("gpio-keys", [Self.key], bench.board)
    bench.board.plug(again, at: "/dev/input/event7")
    bench.manual.tick()
    #expect(bench.logs == ["button.a: works now"])
    tap(bench, again)
    #expect(bench.intents.map(\.action) == [.snooze])
  }

  @Test("pressed in the very moment in which its device is opened is pressed")
  func firstMoment() throws {
    let (bench, _) = try bench()
    bench.show(Sample.alert())
    bench.pass(100)
    let another = try FakeKeyboard("gpio-keys", [Self.key], bench.board)
    another.press(Self.key)
    bench.board.plug(another, at: "/dev/input/event9")
    bench.manual.tick()
    bench.pass(1_000)
    #expect(bench.intents.map(\.action) == [.stop])
  }

  @Test("that was down before its device was opened is not")
  func heldAtStart() throws {
    let (bench, _) = try bench()
    bench.show(Sample.alert())
    bench.pass(100)
    let another = try FakeKeyboard("gpio-keys", [Self.key], bench.board)
    another.dropEvents(leaving: Self.key, isDown: true)
    bench.board.plug(another, at: "/dev/input/event9")
    bench.manual.tick()
    bench.pass(5_000)
    #expect(bench.intents == [])
  }

  @Test("whose release was dropped by the kernel is asked for")
  func dropped() throws {
    let (bench, keyboard) = try bench()
    bench.show(Sample.alert())
    keyboard.press(Self.key)
    bench.manual.tick()
    bench.pass(100)
    keyboard.dropEvents(leaving: Self.key, isDown: false)
    bench.manual.tick()
    bench.pass(5_000)
    #expect(!bench.intents.contains { $0.action == .stop })
    bench.clear()
    #expect(bench.manual.nextWake == nil)
  }
}
