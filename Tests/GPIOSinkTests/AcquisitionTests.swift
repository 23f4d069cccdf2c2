import Glibc
import SinkKit
import SinkTesting
import Testing

@testable import GPIOSink

@Suite("What is not there") struct AcquisitionTests {
  private static let names = (0..<28).map { "GPIO\($0)" }
  private static let noChip = "this machine has no GPIO chip, /dev/gpiochip*"

  private func chip(_ path: String = "/dev/gpiochip0") -> FakeBoard.Chip {
    FakeBoard.Chip(path, "pinctrl-rp1", Self.names)
  }

  private func failed(_ seq: UInt64, _ reason: String) -> SinkReport {
    .failed(SinkReport.Failed(seq: seq, reason: reason, retry: true))
  }

  @Test("is told once and waited for without a timer")
  func noChips() throws {
    let bench = try Bench(Bench.bedside, FakeBoard())
    #expect(
      bench.logs == [
        "led (GPIO22), buzzer (GPIO23), button.snooze (GPIO17): \(Self.noChip); waiting for it"
      ]
    )
    #expect(bench.manual.nextWake == nil)
    bench.show(Sample.alert(seq: 3))
    #expect(bench.reports() == [failed(3, "buzzer (GPIO23): \(Self.noChip)")])
    bench.pass(3_600_000)
    #expect(bench.reports() == [])
    #expect(bench.manual.nextWake == nil)
  }

  @Test("is used as soon as it comes, wherever it comes")
  func comes() throws {
    let bench = try Bench(Bench.bedside, FakeBoard())
    bench.show(Sample.alert(seq: 3))
    _ = bench.reports()
    bench.pass(10_200)
    bench.board.plug(chip("/dev/gpiochip13"))
    bench.manual.tick()
    let log = SinkReport.Log(
      level: "info",
      message: "led (GPIO22), buzzer (GPIO23), button.snooze (GPIO17): works now"
    )
    #expect(bench.reports() == [.log(log), .presented(seq: 3)])
    #expect(bench.wave("GPIO22") == "10200- 10200+")
    bench.tap()
    #expect(bench.intents.map(\.action) == [.snooze])
  }

  @Test("any more is reported, and found again under another number")
  func unplugged() throws {
    let bench = try Bench(Bench.bedside, FakeBoard([chip()]))
    bench.show(Sample.alert(seq: 3))
    _ = bench.reports()
    bench.pass(700)
    bench.board.unplug("/dev/gpiochip0")
    bench.manual.tick()
    bench.pass(0)
    let reports = bench.reports()
    #expect(
      reports.contains { if case .failed(let failed) = $0 { failed.seq == 3 } else { false } }
    )
    #expect(reports.filter { if case .log = $0 { true } else { false } }.count == 1)
    bench.pass(99_500)
    #expect(bench.reports() == [])
    #expect(bench.manual.nextWake == nil)
    bench.board.plug(chip("/dev/gpiochip1"))
    bench.manual.tick()
    #expect(bench.reports().contains(.presented(seq: 3)))
    #expect(bench.isHigh("GPIO22"))
    bench.tap()
    #expect(bench.intents.map(\.action) == [.snooze])
  }

  @Test("any more while nothing is presented is one line in the log, and one when it is back")
  func unpluggedAtRest() throws {
    let bench = try Bench(Bench.bedside, FakeBoard([chip()]))
    _ = bench.reports()
    for _ in 0..<2 {
      bench.board.unplug("/dev/gpiochip0")
      bench.manual.tick()
      bench.pass(5_000)
      #expect(bench.logs.count == 1)
      bench.board.plug(chip())
      bench.manual.tick()
      #expect(
        bench.logs == ["led (GPIO22), buzzer (GPIO23), button.snooze (GPIO17): works now"]
      )
    }
    #expect(bench.manual.nextWake == nil)
  }

  @Test("allowed is tried again for a minute, more and more seldom, and at once when it changes")
  func denied() throws {
    let board = FakeBoard([chip()])
    board.chips_[0].denial = EACCES
    let bench = try Bench(["led": "GPIO22"], board)
    let log = bench.logs
    #expect(log.count == 1)
    #expect(log[0].hasPrefix("led (GPIO22): /dev/gpiochip0: Permission denied; "))
    bench.pass(2_000)
    #expect(bench.logs == [])
    board.chips_[0].denial = nil
    bench.pass(2_000)
    #expect(bench.logs == ["led (GPIO22): works now"])
    #expect(bench.manual.nextWake == nil)

    board.chips_[0].denial = EACCES
    let other = try Bench(["led": "GPIO23"], board)
    let before = board.questions
    other.pass(59_000)
    #expect(board.questions - before < 40)
    other.pass(10_000)
    #expect(other.manual.nextWake == nil)
    board.chips_[0].denial = nil
    board.tell("/dev/gpiochip0")
    other.manual.tick()
    #expect(other.logs.last == "led (GPIO23): works now")
  }

  @Test("free names who has it, leaves the rest working, and is taken when it is free")
  func busy() throws {
    let board = FakeBoard([chip()])
    board.line("GPIO22").holder = "spi0 CS0"
    let bench = try Bench(Bench.bedside, board)
    #expect(bench.logs == ["led (GPIO22): it is in use by \"spi0 CS0\"; waiting for it"])
    bench.show(Sample.alert(seq: 1))
    #expect(bench.reports() == [.presented(seq: 1)])
    bench.tap()
    #expect(bench.intents.map(\.action) == [.snooze])
    bench.pass(120_000)
    bench.clear()
    #expect(bench.manual.nextWake == nil)
    board.line("GPIO22").holder = nil
    bench.pass(100_000)
    #expect(board.line("GPIO22").holder == nil)
    bench.show(Sample.alert(seq: 2, 1))
    #expect(board.line("GPIO22").holder == "tocsin-gpio")
    #expect(bench.isHigh("GPIO22"))
  }

  @Test("heard fails the alert even if it is seen; what only counts is seen all the same")
  func buzzerAway() throws {
    let board = FakeBoard([chip()])
    board.line("GPIO23").holder = "other"
    let bench = try Bench(Bench.bedside, board)
    _ = bench.reports()
    bench.show(Sample.countdown(seq: 1))
    #expect(bench.reports() == [.presented(seq: 1)])
    bench.show(Sample.alert(seq: 2))
    #expect(bench.reports() == [failed(2, "buzzer (GPIO23): it is in use by \"other\"")])
    #expect(bench.isHigh("GPIO22"))
    board.line("GPIO23").holder = nil
    bench.pass(20_000)
    #expect(bench.reports().contains(.presented(seq: 2)))
  }

  @Test("by its number is taken with a warning")
  func numbered() throws {
    let bench = try Bench(["chip": "gpiochip0", "led": "GPIO22"], FakeBoard([chip()]))
    #expect(bench.logs.count == 1)
    bench.show(Sample.alert())
    #expect(bench.isHigh("GPIO22"))
  }

  @Test("At rest nothing is asked of the devices, and there is no timer")
  func rest() throws {
    let bench = try Bench()
    let before = bench.board.questions
    bench.pass(86_400_000)
    #expect(bench.board.questions == before)
    #expect(bench.manual.nextWake == nil)
  }
}
