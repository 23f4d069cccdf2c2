import Glibc

@testable import GPIOSink

/// An event device whose keys a test presses.
final class FakeKeyboard: KeyDevice {
  let name: String
  var denial: CInt?
  private(set) var isGrabbed = false
  var descriptor: CInt { bell.readEnd }
  private let bell: Doorbell
  private let keys: Set<UInt16>
  private var down: Set<UInt16> = []
  private var taken = KeyEvents()
  private var isGone = false
  private let clock: () -> Duration

  init(_ name: String, _ keys: Set<UInt16>, _ board: FakeBoard) throws(GPIOError) {
    self.name = name
    self.keys = keys
    bell = try Doorbell()
    clock = { [unowned board] in board.eventClock }
  }

  func press(_ key: UInt16) { change(key, true) }
  func letGo(_ key: UInt16) { change(key, false) }

  /// What SYN_DROPPED means: all that waited is lost, and the next change with it.
  func dropEvents(leaving key: UInt16, isDown: Bool) {
    taken = KeyEvents(events: [], isDoubtful: true)
    if isDown { down.insert(key) } else { down.remove(key) }
    bell.ring()
  }

  func hangUp() {
    isGone = true
    bell.hangUp()
  }

  private func change(_ key: UInt16, _ isDown: Bool) {
    if isDown { down.insert(key) } else { down.remove(key) }
    let edge = Edge(isActive: isDown, stamp: clock())
    taken.events.append(KeyEvents.Event(key: key, edge: edge))
    bell.ring()
  }

  func has(_ key: UInt16) -> Bool { keys.contains(key) }

  func grab() throws(GPIOError) { isGrabbed = true }

  func read() throws(GPIOError) -> KeyEvents {
    if isGone { throw SystemDevices.failure(ENODEV, opening: "/dev/input/event0") }
    bell.quiet()
    defer { taken = KeyEvents() }
    return taken
  }

  func isDown(_ key: UInt16) throws(GPIOError) -> Bool {
    if isGone { throw SystemDevices.failure(ENODEV, opening: "/dev/input/event0") }
    return down.contains(key)
  }
}
