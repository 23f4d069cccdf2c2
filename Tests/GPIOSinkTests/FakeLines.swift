import Glibc

@testable import GPIOSink

/// An output whose line shows what it is driven to.
final class FakeOutput: OutputLine {
  private let line: FakeBoard.Line
  private let isActiveLow: Bool
  private unowned let board: FakeBoard

  init(_ line: FakeBoard.Line, isActiveLow: Bool, board: FakeBoard) {
    self.line = line
    self.isActiveLow = isActiveLow
    self.board = board
    drive(false)
  }

  deinit {
    guard line.isOutput else { return }
    line.holder = nil
    line.isOutput = false
  }

  func set(_ isActive: Bool) throws(GPIOError) {
    guard line.isOutput else { throw SystemDevices.failure(ENODEV, opening: "/dev/gpiochip0") }
    drive(isActive)
  }

  private func drive(_ isActive: Bool) {
    line.driven = isActive != isActiveLow
    line.wave.append((board.elapsed(), line.driven))
  }
}

/// An input that tells of what a test does to its line.
final class FakeInput: InputLine {
  var descriptor: CInt { bell.readEnd }
  private let bell: Doorbell
  private let line: FakeBoard.Line
  private let settings: InputSettings
  private unowned let board: FakeBoard
  private var queue: [Edge] = []
  private var lost = 0
  private var isGone = false

  init(_ line: FakeBoard.Line, _ settings: InputSettings, board: FakeBoard) throws(GPIOError) {
    bell = try Doorbell()
    self.line = line
    self.settings = settings
    self.board = board
    line.input = self
  }

  deinit {
    if !isGone { line.holder = nil }
  }

  func note(_ isHigh: Bool, at stamp: Duration) {
    if queue.count == 16 {
      guard board.overflow == .dropsOldest else { return }
      queue.removeFirst()
      lost += 1
    }
    queue.append(Edge(isActive: isHigh != settings.activeLow, stamp: stamp))
    bell.ring()
  }

  func hangUp() {
    isGone = true
    bell.hangUp()
  }

  func read() throws(GPIOError) -> [Edge] {
    if isGone { throw SystemDevices.failure(ENODEV, opening: "/dev/gpiochip0") }
    board.reads += 1
    bell.quiet()
    defer { (queue, lost) = ([], 0) }
    if !queue.isEmpty { queue[0].lost = lost }
    return queue
  }

  func isActive() throws(GPIOError) -> Bool {
    if isGone { throw SystemDevices.failure(ENODEV, opening: "/dev/gpiochip0") }
    return line.isHigh != settings.activeLow
  }
}
