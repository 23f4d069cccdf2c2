import Glibc
package import TocsinTime

/// The two clocks everything is timed by.
package protocol Clocks: Sendable {
  /// The wall clock, in UTC.
  func wallNow() -> Instant
  /// The clock since boot, suspend included, in microseconds; comparable within one boot only.
  func bootNow() -> Int64
  /// Names the boot `bootNow` counts from; empty if the kernel does not tell.
  var bootID: String { get }
  /// Whether they stand until somebody moves them, so that no timer of the machine's goes by them.
  var areMovedByHand: Bool { get }
}

extension Clocks {
  package var areMovedByHand: Bool { false }
}

/// The machine's clocks: CLOCK_REALTIME and CLOCK_BOOTTIME.
package struct SystemClocks: Clocks {
  package let bootID: String

  package init(bootIDPath: String = "/proc/sys/kernel/random/boot_id") {
    bootID = (try? readSmallFile(bootIDPath)).map { $0.filter { !$0.isWhitespace } } ?? ""
  }

  package func wallNow() -> Instant {
    Instant(microseconds: microseconds(of: CLOCK_REALTIME))
  }

  package func bootNow() -> Int64 {
    microseconds(of: CLOCK_BOOTTIME)
  }
}

/// Reads a file of at most 64 KiB, as those of /proc and /sys are.
package func readSmallFile(_ path: String) throws(SystemError) -> String {
  let file = Descriptor(
    owning: try check("open", path) { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
  )
  var bytes = [UInt8](repeating: 0, count: 64 * 1024)
  var length = 0
  while length < bytes.count {
    let count = try check("read", path) {
      bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file.raw, buffer.baseAddress?.advanced(by: length), buffer.count - length)
      }
    }
    if count == 0 { break }
    length += count
  }
  return String(decoding: bytes[..<length], as: UTF8.self)
}
