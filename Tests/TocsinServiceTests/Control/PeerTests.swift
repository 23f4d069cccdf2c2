import Glibc
import Testing

@testable import TocsinService

@Suite("A peer")
struct PeerTests {
  struct Case: Sendable {
    var uid: uid_t
    var groups: Set<gid_t>
    var group: gid_t?
    var isAllowed: Bool
    var isOwner: Bool
  }

  @Test(
    "may speak as the owner, as root, or as a member of the group; and only the first two are owners",
    arguments: [
      Case(uid: 1000, groups: [100], group: nil, isAllowed: true, isOwner: true),
      Case(uid: 0, groups: [0], group: nil, isAllowed: true, isOwner: true),
      Case(uid: 1001, groups: [100], group: nil, isAllowed: false, isOwner: false),
      Case(uid: 1001, groups: [100], group: 50, isAllowed: false, isOwner: false),
      Case(uid: 1001, groups: [100, 50], group: 50, isAllowed: true, isOwner: false),
      Case(uid: 1001, groups: [50], group: 50, isAllowed: true, isOwner: false),
      // Being in root's group is not being root.
      Case(uid: 1001, groups: [0], group: nil, isAllowed: false, isOwner: false),
    ]
  )
  func rules(_ row: Case) {
    let peer = Peer(pid: 1, uid: row.uid, groups: row.groups)
    #expect(peer.isAllowed(owner: 1000, group: row.group) == row.isAllowed)
    #expect(peer.isOwner(1000) == row.isOwner)
  }

  @Test("is known by the kernel, with all its groups")
  func kernel() throws {
    let (mine, theirs) = Wire.pair()
    defer { close(theirs) }
    let peer = try Peer(of: theirs)
    #expect(peer.pid == getpid())
    #expect(peer.uid == geteuid())
    var own = [gid_t](repeating: 0, count: 1_000)
    let count = getgroups(Int32(own.count), &own)
    #expect(peer.groups == Set(own.prefix(Int(count))).union([getegid()]))
    #expect(!peer.program.isEmpty)
    withExtendedLifetime(mine) {}
  }

  @Test("is called what a terminal and a log can bear")
  func names() {
    #expect(Peer.printable("tocsin\n") == "tocsin")
    #expect(Peer.printable("a\u{1B}[31m b\u{7F}\u{9B}c") == "a[31m bc")
    #expect(Peer.printable("\n") == "client")
    #expect(Peer(pid: -1, uid: 0, groups: []).program == "client")
  }
}
