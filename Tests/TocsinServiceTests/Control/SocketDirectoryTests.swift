import Glibc
import Testing

@testable import TocsinService

@Suite("The socket's directory")
struct SocketDirectoryTests {
  struct Case: Sendable {
    var owner: uid_t
    var mode: mode_t
    var isTrusted: Bool
  }

  @Test(
    "is trusted if only the daemon's user and root can replace what is in it",
    arguments: [
      Case(owner: 1_000, mode: 0o700, isTrusted: true),
      Case(owner: 1_000, mode: 0o755, isTrusted: true),
      Case(owner: 0, mode: 0o755, isTrusted: true),
      Case(owner: 0, mode: 0o1777, isTrusted: true),
      Case(owner: 0, mode: 0o777, isTrusted: false),
      Case(owner: 1_000, mode: 0o775, isTrusted: false),
      Case(owner: 1_000, mode: 0o757, isTrusted: false),
      Case(owner: 1_001, mode: 0o700, isTrusted: false),
      Case(owner: 1_001, mode: 0o1777, isTrusted: false),
    ]
  )
  func rules(_ row: Case) {
    let fault = SocketDirectory.fault(owner: row.owner, mode: row.mode, user: 1_000)
    #expect((fault == nil) == row.isTrusted)
  }
}
