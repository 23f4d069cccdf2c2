import Foundation
import Glibc
import ProcessTesting
import Testing

/// What other users of the machine can put in a daemon's or a command's way.
@Suite(
  .timeLimit(.minutes(10)),
  .enabled(if: Users.canBeOthers, "needs root and setpriv")
)
struct SecurityUserTests {
  private static let one = 54_321
  private static let other = 54_322

  private func place(of user: Int) throws -> Place {
    let place = try Place()
    for name in ["", "/run", "/state", "/config", "/config/tocsin", "/config/tocsin/plugins.conf"] {
      chown(place.directory + name, uid_t(user), gid_t(user))
    }
    for name in ["", "/run", "/state", "/config"] { chmod(place.directory + name, 0o755) }
    return place
  }

  private func words(_ name: String, as user: Int) throws -> [String] {
    Users.words(as: user, [try Program.find(name)])
  }

  @Test("a stranger that listens in a directory of all is told nothing; who owns it is trusted")
  func impostor() async throws {
    try await waiting {
      let place = try place(of: Self.one)
      let shared = "\(place.directory)/shared"
      try place.makeDirectory("shared")
      chown(shared, 0, 0)
      chmod(shared, 0o1777)
      let theirs = try self.place(of: Self.other)
      let socket = "\(shared)/tocsin.sock"
      let impostor = try theirs.daemon(
        words("tocsind", as: Self.other),
        ["TOCSIN_SOCKET": socket]
      )
      chmod(socket, 0o666)
      for user in [Self.one, 0] {
        let command = try words("tocsin", as: user)
        for request in [["list"], ["timer", "1h", "Secret"]] {
          let result = try place.run(command + request, ["TOCSIN_SOCKET": socket])
          #expect(result.code == 77, "\(result.err)")
          #expect(result.err.contains("user \(Self.other)") && result.err.contains(socket))
        }
      }
      #expect(try theirs.tocsin("list").out.isEmpty)
      // The owner of the directory decides who listens there.
      chown(shared, uid_t(Self.other), gid_t(Self.other))
      let root = try place.run(words("tocsin", as: 0) + ["list"], ["TOCSIN_SOCKET": socket])
      #expect(root.code == 0, "\(root.err)")
      #expect(impostor.isRunning)
    }
  }

  @Test("no socket is made in another user's directory, not even by root")
  func directory() async throws {
    try await waiting {
      let place = try place(of: Self.other)
      chmod("\(place.directory)/run", 0o755)
      chown(place.configuration, 0, 0)
      let result = try place.run(["tocsind"])
      #expect(result.code == 69, "\(result.err)")
      #expect(result.err.contains("it belongs to user \(Self.other)"))
      #expect(access(place.socket + ".lock", F_OK) != 0)
    }
  }

  @Test("plugins.conf of another user is not read, not even by root")
  func configuration() async throws {
    try await waiting {
      let place = try Place()
      chown(place.configuration, uid_t(Self.other), gid_t(Self.other))
      let result = try place.run(["tocsind"])
      #expect(result.code == 78, "\(result.err)")
      #expect(result.err.contains("it belongs to user \(Self.other)"))
      chown(place.configuration, 0, gid_t(Self.other))
      chmod(place.configuration, 0o664)
      let group = try place.run(["tocsind"])
      #expect(group.code == 78 && group.err.contains("chmod g-w"), "\(group.err)")
    }
  }

  @Test("what the owner reads of the daemon in /proc, another process of the user does not")
  func process() async throws {
    try await waiting {
      let place = try place(of: Self.one)
      let daemon = try place.daemon(words("tocsind", as: Self.one))
      for name in ["environ", "mem", "maps", "fd/0", "cwd"] {
        let read = Users.words(
          as: Self.one,
          ["/bin/sh", "-c", "readlink \"$0\" || head -c 1 \"$0\"", "/proc/\(daemon.pid)/\(name)"]
        )
        let result = try place.run(read)
        #expect(result.code != 0 && result.out.isEmpty, "\(name): \(result.out)")
      }
    }
  }
}
