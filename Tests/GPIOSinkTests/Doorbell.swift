import Glibc

@testable import GPIOSink

/// A pipe of which one end is given away as a descriptor.
final class Doorbell {
  let readEnd: CInt
  private var writeEnd: CInt

  init() throws(GPIOError) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw GPIOError(.other, "no pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  deinit {
    close(readEnd)
    hangUp()
  }

  func ring() {
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }

  func quiet() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while read(readEnd, &bytes, bytes.count) > 0 {}
  }

  func hangUp() {
    if writeEnd >= 0 { close(writeEnd) }
    writeEnd = -1
  }
}
