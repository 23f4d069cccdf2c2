import Glibc
import Testing

@testable import TocsinService

/// A pipe with a name, from which a plugin's script reads a line once the test lets it.
final class Gate {
  /// What the script reads from.
  let path: String
  private let descriptor: Descriptor

  init(_ path: String) throws {
    self.path = path
    try #require(mkfifo(path, 0o600) == 0)
    // To read as well, or it would wait for a plugin that has ended.
    descriptor = Descriptor(owning: Glibc.open(path, O_RDWR | O_CLOEXEC))
    try #require(descriptor.raw >= 0)
  }

  /// Lets one script go on.
  func open() {
    #expect(write(descriptor.raw, "\n", 1) == 1)
  }
}
