import Glibc
import Testing

@testable import SinkKit

@Suite struct NonblockingOutputTests {
  private struct NoDescriptor: Error {}

  private func ends(of kind: String) throws -> (read: CInt, write: CInt) {
    var ends: [CInt] = [-1, -1]
    let code =
      kind == "pipe" ? pipe(&ends) : socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends)
    guard code == 0 else { throw NoDescriptor() }
    return (ends[0], ends[1])
  }

  @Test(
    "A full pipe or socket is told at once, also where it cannot be opened again; its flags stay",
    arguments: [("pipe", true), ("pipe", false), ("socket", true)]
  )
  func full(kind: String, mayReopen: Bool) throws {
    signal(SIGPIPE, SIG_IGN)
    let ends = try ends(of: kind)
    let output = NonblockingOutput(ends.write, mayReopen: mayReopen)
    #expect((output.descriptor != ends.write) == (kind == "pipe" && mayReopen))
    let bytes = [UInt8](repeating: 1, count: 100_000)
    var total = 0
    while case .wrote(let count) = output.write(bytes[...]) { total += count }
    #expect(total >= 65_536)
    #expect(output.write(bytes[...]) == .full)
    #expect(fcntl(ends.write, F_GETFL) & O_NONBLOCK == 0)
    close(ends.read)
    #expect(output.write(bytes[...]) == .closed(EPIPE))
    close(ends.write)
  }

  @Test("A descriptor that is not open is told by its errno")
  func closed() {
    #expect(NonblockingOutput(9_999).write([1]) == .closed(EBADF))
  }
}
