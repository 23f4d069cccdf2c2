import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// More than one user on a machine.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: Users.canBeOthers, "needs root and setpriv")
)
struct UserTests {
  /// Users and a group that need not exist by name.
  private static let one = 54_321
  private static let other = 54_322

  /// A place that belongs to a user, as everything in it.
  private func place(of user: Int, _ configuration: String = Place.quiet) throws -> Place {
    let place = try Place(configuration)
    for name in ["", "/run", "/state", "/config"] {
      chown(place.directory + name, uid_t(user), gid_t(user))
      chmod(place.directory + name, 0o755)
    }
    return place
  }

  private func words(_ name: String, as user: Int, groups: [Int] = []) throws -> [String] {
    Users.words(as: user, groups: groups, [try Program.find(name)])
  }

  @Test("daemons of two users know nothing of each other")
  func independent() async throws {
    try await waiting {
      let (mine, theirs) = (try place(of: Self.one), try place(of: Self.other))
      let first = try mine.daemon(words("tocsind", as: Self.one))
      let second = try theirs.daemon(words("tocsind", as: Self.other))
      #expect(try mine.run(words("tocsin", as: Self.one) + ["timer", "1h", "A"]).code == 0)
      #expect(try theirs.run(words("tocsin", as: Self.other) + ["timer", "1h", "B"]).code == 0)
      #expect(try mine.run(words("tocsin", as: Self.one) + ["list"]).out.contains("\tA\t"))
      #expect(!(try mine.run(words("tocsin", as: Self.one) + ["list"]).out.contains("\tB\t")))
      try first.crash()
      #expect(try theirs.run(words("tocsin", as: Self.other) + ["list"]).out.contains("\tB\t"))
      #expect(second.isRunning)
    }
  }

  @Test("another user is refused with 77, by the file and, if it were open, by the daemon")
  func refused() async throws {
    try await waiting {
      let place = try place(of: Self.one)
      let daemon = try place.daemon(words("tocsind", as: Self.one))
      let command = try words("tocsin", as: Self.other)
      let byFile = try place.run(command + ["list"])
      #expect(byFile.code == 77 && byFile.err.contains(place.socket))
      chmod(place.socket, 0o666)
      for words in [["list"], ["stop"], ["timer", "1h"], ["status"]] {
        let byDaemon = try place.run(command + words)
        #expect(byDaemon.code == 77, "\(byDaemon.err)")
        #expect(byDaemon.err.contains("\(Self.other)"))
      }
      // The owner and root may.
      #expect(try place.run(words("tocsin", as: Self.one) + ["list"]).code == 0)
      #expect(try place.tocsin("list").code == 0)
      #expect(daemon.isRunning)
    }
  }

  @Test("a member of the configured group may, by its first group or another one")
  func group() async throws {
    try await waiting {
      // Any group that has a name; nothing in it is touched.
      let entry = try #require(getgrnam("audio") ?? getgrnam("users"))
      let (name, gid) = (String(cString: entry.pointee.gr_name), Int(entry.pointee.gr_gid))
      let place = try place(of: Self.one, "[daemon]\ngroup = \(name)\n")
      let daemon = try place.daemon(words("tocsind", as: Self.one, groups: [gid]))
      let attributes = try FileManager.default.attributesOfItem(atPath: place.socket)
      #expect(attributes[.posixPermissions] as? Int == 0o660)
      #expect(attributes[.groupOwnerAccountID] as? Int == gid)
      let tocsin = try Program.find("tocsin")
      let first = ["setpriv", "--reuid=\(Self.other)", "--regid=\(gid)", "--clear-groups", tocsin]
      #expect(try place.run(first + ["timer", "1h", "A"]).code == 0)
      let member = try words("tocsin", as: Self.other, groups: [gid])
      let result = try place.run(member + ["list"])
      #expect(result.code == 0, "\(result.err)")
      #expect(try place.run(words("tocsin", as: Self.other) + ["list"]).code == 77)
      #expect(daemon.isRunning)
    }
  }
}
