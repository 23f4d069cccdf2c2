import CGPIOD
import Glibc

/// An event device of the kernel's input layer (linux/input.h, evdev).
final class SystemKeyDevice: KeyDevice {
  let name: String
  let descriptor: CInt
  private let path: String
  private let keys: [UInt8]
  /// Events were dropped, and those up to the next report belong to what was lost.
  private var isResyncing = false

  private static let keyBytes = Int(KEY_MAX) / 8 + 1

  init(_ path: String) throws(GPIOError) {
    let opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else { throw SystemDevices.failure(errno, opening: path) }
    var text = [CChar](repeating: 0, count: 128)
    var bits = [UInt8](repeating: 0, count: Self.keyBytes)
    guard tocsin_input_keys(opened, &bits, bits.count) >= 0,
      tocsin_input_set_clock(opened, CInt(CLOCK_MONOTONIC)) == 0
    else {
      let code = errno
      close(opened)
      throw SystemDevices.failure(code, opening: path)
    }
    _ = tocsin_input_name(opened, &text, text.count - 1)
    name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    descriptor = opened
    keys = bits
    self.path = path
  }

  deinit { close(descriptor) }

  func has(_ key: UInt16) -> Bool { Self.isSet(key, in: keys) }

  func grab() throws(GPIOError) {
    guard tocsin_input_grab(descriptor) == 0 else {
      throw SystemDevices.failure(errno, opening: path)
    }
  }

  func isDown(_ key: UInt16) throws(GPIOError) -> Bool {
    var bits = [UInt8](repeating: 0, count: Self.keyBytes)
    guard tocsin_input_pressed(descriptor, &bits, bits.count) >= 0 else {
      throw SystemDevices.failure(errno, opening: path)
    }
    return Self.isSet(key, in: bits)
  }

  func read() throws(GPIOError) -> KeyEvents {
    var taken = KeyEvents()
    var buffer = [input_event](repeating: input_event(), count: 64)
    let count = Glibc.read(descriptor, &buffer, 64 * MemoryLayout<input_event>.stride)
    guard count > 0 else {
      if count < 0, errno == EAGAIN || errno == EINTR { return taken }
      throw SystemDevices.failure(count == 0 ? ENODEV : errno, opening: path)
    }
    for event in buffer.prefix(count / MemoryLayout<input_event>.stride) {
      switch CInt(event.type) {
      case EV_SYN where CInt(event.code) == SYN_DROPPED:
        isResyncing = true
        taken.isDoubtful = true
      case EV_SYN: isResyncing = false
      // Value 2 is the repetition of a key that is held.
      case EV_KEY where !isResyncing && event.value < 2:
        let stamp = Duration.seconds(event.time.tv_sec) + .microseconds(event.time.tv_usec)
        taken.events.append(
          KeyEvents.Event(key: event.code, edge: Edge(isActive: event.value == 1, stamp: stamp))
        )
      default: break
      }
    }
    return taken
  }

  private static func isSet(_ key: UInt16, in bits: [UInt8]) -> Bool {
    let byte = Int(key) / 8
    return bits.indices.contains(byte) && bits[byte] & (1 << (key % 8)) != 0
  }
}
