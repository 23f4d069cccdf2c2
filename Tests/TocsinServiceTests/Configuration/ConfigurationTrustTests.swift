import Glibc
import Testing

@testable import TocsinService

@Suite("A file that names programs to run")
struct ConfigurationTrustTests {
  struct Case: Sendable {
    var owner: uid_t = 1_000
    var group: gid_t = 1_000
    var mode: mode_t = S_IFREG | 0o644
    var isTrusted: Bool
  }

  private static let reader = ConfigurationTrust.Reader(
    user: 1_000,
    group: 1_000,
    programOwner: 500
  )

  @Test(
    "is believed if only its reader, root or the program's owner could write it",
    arguments: [
      Case(isTrusted: true),
      Case(owner: 0, isTrusted: true),
      Case(owner: 500, isTrusted: true),
      Case(owner: 1_001, isTrusted: false),
      Case(mode: S_IFREG | 0o646, isTrusted: false),
      Case(owner: 0, mode: S_IFREG | 0o666, isTrusted: false),
      // A person's own group may write what the person makes, on many systems.
      Case(mode: S_IFREG | 0o664, isTrusted: true),
      Case(group: 100, mode: S_IFREG | 0o664, isTrusted: false),
      Case(group: 100, mode: S_IFREG | 0o640, isTrusted: true),
      Case(mode: S_IFIFO | 0o600, isTrusted: false),
      Case(owner: 0, mode: S_IFCHR | 0o644, isTrusted: false),
    ]
  )
  func rules(_ row: Case) {
    var status = stat()
    status.st_uid = row.owner
    status.st_gid = row.group
    status.st_mode = row.mode
    let fault = ConfigurationTrust.fault(of: status, reader: Self.reader)
    #expect((fault == nil) == row.isTrusted, "\(fault ?? "trusted")")
  }
}
