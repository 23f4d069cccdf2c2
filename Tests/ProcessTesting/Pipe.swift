import Glibc

// Glibc's module does not show what is behind _GNU_SOURCE.
private typealias Pipe2 = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32

/// A pipe that no other test's children inherit.
package func pipeEnds() throws -> (read: Int32, write: Int32) {
  var ends: [Int32] = [-1, -1]
  guard let symbol = dlsym(nil, "pipe2"),
    // Safe because the symbol is that function, as unistd.h declares it.
    unsafeBitCast(symbol, to: Pipe2.self)(&ends, O_CLOEXEC) == 0
  else { throw Failure("there is no pipe") }
  return (ends[0], ends[1])
}

/// Waits for what comes next out of a descriptor; nil at the end.
///
/// If nothing comes for long the error says that `wanted` did not.
package func nextBytes(
  _ descriptor: Int32,
  before wanted: () -> String = { "anything to read" }
) throws -> [UInt8]? {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  let ready = poll(&entry, 1, Int32(patience.components.seconds * 1_000))
  guard ready != 0 else { throw Failure("waited in vain for \(wanted())") }
  var chunk = [UInt8](repeating: 0, count: 65_536)
  let count = read(descriptor, &chunk, chunk.count)
  if count < 0, errno == EINTR || errno == EAGAIN { return [] }
  // A terminal whose other end is closed says EIO.
  return count > 0 ? Array(chunk[..<count]) : nil
}

/// Writes all of it, waiting for whoever reads.
///
/// - Throws: `Failure` if nobody does.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw Failure("nobody reads: \(String(cString: strerror(errno)))") }
    rest = rest.dropFirst(count)
  }
}
