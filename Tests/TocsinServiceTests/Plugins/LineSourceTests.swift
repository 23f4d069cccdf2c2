import Glibc
import ProcessTesting
import Testing
import TocsinModel

@testable import TocsinService

@Suite("What a plugin writes at once")
struct LineSourceTests {
  @Test("is all read if it was asked for; of anything else no more than a window's worth")
  func window() throws {
    #expect(try read(3_000, areAskedFor: true) == 3_000)
    #expect(try read(3_000, areAskedFor: false) < 600)
  }

  /// How many of so many short lines are read at once.
  private func read(_ count: Int, areAskedFor: Bool) throws -> Int {
    let ends = try pipeEnds()
    defer { close(ends.write) }
    // Less than a pipe holds.
    let text = String(repeating: "presented\n", count: count)
    #expect(text.utf8.count < 65_536 && write(ends.write, text, text.utf8.count) > 0)
    #expect(fcntl(ends.read, F_SETFL, O_NONBLOCK) == 0)
    var lines = 0
    let source = try LineSource(
      Descriptor(owning: ends.read),
      LineReader(limit: 64, overlong: .skip),
      reactor: try Reactor(),
      onItem: { _ in
        lines += 1
        return areAskedFor
      }
    )
    source.drainAndClose()
    return lines
  }
}
