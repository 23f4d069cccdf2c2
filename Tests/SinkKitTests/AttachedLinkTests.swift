import Glibc
import Testing
import TocsinClient

@testable import SinkKit

@Suite struct AttachedLinkTests {
  /// A link, and the daemon's end of its socket.
  private final class Pair {
    let daemon: CInt
    private(set) var link: AttachedLink?
    private(set) var messages: [SinkMessage] = []
    private(set) var ends: [String] = []

    init() throws {
      var ends: [CInt] = [-1, -1]
      try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
      daemon = ends[1]
      link = AttachedLink(
        Connection(adopting: ends[0], path: "here"),
        onMessage: { [unowned self] in
          if case .event(let message) = $0 { messages.append(message) }
        },
        onEnd: { [unowned self] in
          self.ends.append($0)
          link?.close()
        }
      )
    }

    deinit { close(daemon) }

    func write(_ bytes: [UInt8]) { _ = Glibc.write(daemon, bytes, bytes.count) }

    /// What the loop does, without waiting.
    func turn() {
      guard var wanted = link?.prepare().descriptors else { return }
      _ = poll(&wanted, 1, 0)
      link?.dispatch(wanted[...])
    }
  }

  @Test("Messages come in whole, reports go out, and the end is told once")
  func ordinary() throws {
    let pair = try Pair()
    pair.turn()
    let ping = try JSONLine.encode(SinkMessage.ping)
    pair.write(ping + ping.dropLast(3))
    pair.turn()
    #expect(pair.messages == [.ping])
    pair.write(Array(ping.suffix(3)))
    pair.link?.channel.send(.pong)
    pair.turn()
    #expect(pair.messages == [.ping, .ping])
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(pair.daemon, &bytes, bytes.count)
    let pong = try JSONLine.encode(SinkReport.pong)
    #expect(Array(bytes.prefix(max(0, count))) == pong)
    shutdown(pair.daemon, CInt(SHUT_RDWR))
    pair.turn()
    pair.turn()
    #expect(pair.ends.count == 1)
  }

  @Test("Nothing is read while reports pile up, and even then the end is noticed")
  func full() throws {
    let pair = try Pair()
    while pair.link?.channel.isFull == false {
      pair.link?.channel.send(.failed(SinkReport.Failed(seq: 1, reason: "not now", retry: true)))
    }
    pair.write(try JSONLine.encode(SinkMessage.ping))
    pair.turn()
    #expect(pair.messages.isEmpty)
    #expect(pair.ends.isEmpty)
    shutdown(pair.daemon, CInt(SHUT_RDWR))
    pair.turn()
    #expect(pair.ends.count == 1)
  }
}
