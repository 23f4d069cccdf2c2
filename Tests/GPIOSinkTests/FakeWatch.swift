import Glibc

@testable import GPIOSink

/// Tells of the devices that a test plugs in and takes away.
final class FakeWatch: DeviceWatch {
  var descriptor: CInt { bell.readEnd }
  private let bell: Doorbell
  private var waiting: [DeviceChange] = []

  init() throws(GPIOError) { bell = try Doorbell() }

  func tell(_ change: DeviceChange) {
    waiting.append(change)
    bell.ring()
  }

  func changes() -> [DeviceChange] {
    bell.quiet()
    defer { waiting = [] }
    return waiting
  }
}
