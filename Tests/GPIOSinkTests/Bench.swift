import SinkKit
import SinkTesting

@testable import GPIOSink

/// A sink on a fake board, and the words to say what happens to it.
final class Bench {
  let board: FakeBoard
  let manual: ManualSinkHost<GPIOSink>

  /// A lamp, a buzzer and a button with a short and a long press, as the manual has it.
  static let bedside = [
    "led": "GPIO22", "buzzer": "GPIO23", "button.snooze": "GPIO17",
    "button.snooze.press": "snooze", "button.snooze.hold-3s": "stop",
  ]

  init(_ settings: [String: String] = Bench.bedside, _ board: FakeBoard = .raspberry()) throws {
    self.board = board
    manual = try ManualSinkHost(
      now: Sample.seven,
      name: "bedside",
      settings: settings
    ) { try GPIOSink(settings: $0, host: $1, devices: board) }
    board.elapsed = { [unowned manual] in manual.elapsed }
  }

  /// What was reported since the last call, `ready` left out.
  func reports() -> [SinkReport] {
    manual.takeReports().filter { if case .ready = $0 { false } else { true } }
  }

  var intents: [Intent] {
    reports().compactMap { if case .intent(let intent) = $0 { intent } else { nil } }
  }

  var logs: [String] {
    reports().compactMap { if case .log(let log) = $0 { log.message } else { nil } }
  }

  func show(_ presentations: Presentation...) {
    for one in presentations { manual.receive(.present(one)) }
  }

  func clear(_ serial: UInt32 = 0, seq: UInt64 = 90) {
    manual.receive(.cleared(Sample.cleared(seq: seq, of: serial)))
  }

  /// Lets time pass, in milliseconds.
  func pass(_ milliseconds: Int) { manual.advance(by: .milliseconds(milliseconds)) }

  func press(_ line: String = "GPIO17") {
    board.press(line)
    manual.tick()
  }

  func letGo(_ line: String = "GPIO17") {
    board.letGo(line)
    manual.tick()
  }

  /// A press of that many milliseconds, and a rest.
  func tap(_ line: String = "GPIO17", _ milliseconds: Int = 100) {
    press(line)
    pass(milliseconds)
    letGo(line)
    pass(50)
  }

  /// When an output changed and to what, in milliseconds since the start, such as `0- 500+`.
  func wave(_ name: String) -> String {
    board.line(name).wave.map { "\($0.at.inMilliseconds)\($0.isHigh ? "+" : "-")" }
      .joined(separator: " ")
  }

  func isHigh(_ name: String) -> Bool { board.line(name).isHigh }
}

extension Duration {
  var inMilliseconds: Int {
    Int(components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)
  }
}
