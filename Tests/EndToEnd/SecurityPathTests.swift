import Foundation
import Glibc
import ProcessTesting
import Testing

/// What is found in the place of the daemon's files: it says so, and touches nothing that is not its own.
@Suite(.timeLimit(.minutes(10)))
struct SecurityPathTests {
  /// A file that must stay as it is.
  private struct Precious {
    let path: String

    init(_ path: String) throws {
      self.path = path
      try "precious".write(toFile: path, atomically: false, encoding: .utf8)
      chmod(path, 0o640)
    }

    var isUntouched: Bool {
      (try? String(contentsOfFile: path, encoding: .utf8)) == "precious" && mode(path) == 0o640
    }
  }

  private static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  private func end(_ daemon: Program) throws {
    daemon.signal(SIGTERM)
    #expect(try daemon.exitCode() == 0)
  }

  /// How a daemon ends that cannot start.
  private func refusal(_ place: Place, _ words: String...) throws -> Program.Result {
    try place.run(["tocsind"] + words)
  }

  @Test(
    "whatever the umask, socket, locks and store are their owner's alone",
    arguments: [0, 1, 2]
  )
  func umasks(_ index: Int) async throws {
    try await waiting {
      let mask = ["000", "077", "777"][index]
      let place = try Place()
      // Root may read what nobody may: the modes count for others.
      let user = Users.canBeOthers ? 54_321 : Int(geteuid())
      for name in ["", "/run", "/state", "/config"] {
        chown(place.directory + name, uid_t(user), gid_t(user))
      }
      place.environment["TOCSIN_SOCKET"] = "\(place.directory)/run/new/tocsin.sock"
      let shell = ["/bin/sh", "-c", "umask \(mask); exec \"$@\"", "sh"]
      let program = try Program.find("tocsind")
      let words =
        shell + (Users.canBeOthers ? Users.words(as: user, [program]) : [program])
      // Twice: what the first made, the second must be able to use.
      for _ in 0..<2 {
        let daemon = try place.daemon(words)
        try place.done("timer", "1h", "Roast")
        #expect(Self.mode(place.socket) == 0o600)
        #expect(Self.mode(place.socket + ".lock") == 0o600)
        #expect(Self.mode("\(place.directory)/run/new") == 0o755)
        #expect(Self.mode("\(place.directory)/state/tocsin") == 0o700)
        try end(daemon)
        for name in try place.storeFiles() where name.hasPrefix("alarms") {
          #expect(Self.mode("\(place.directory)/state/tocsin/\(name)") == 0o600, "\(name)")
        }
      }
    }
  }

  @Test("no socket is made where others could replace it, but for a directory with the sticky bit")
  func directories() async throws {
    try await waiting {
      let place = try Place()
      let run = "\(place.directory)/run"
      for mode in [0o777, 0o775, 0o757] as [mode_t] {
        chmod(run, mode)
        let result = try refusal(place)
        #expect(result.code == 69, "\(result.err)")
        #expect(result.err.contains("may write in it") && result.err.contains("TOCSIN_SOCKET"))
        #expect(access(place.socket, F_OK) != 0 && access(place.socket + ".lock", F_OK) != 0)
      }
      chmod(run, 0o1777)
      try end(place.daemon())
    }
  }

  @Test("a second name of a file in the place of a lock is refused, and the file is as it was")
  func hardLinks() async throws {
    try await waiting {
      let place = try Place()
      let precious = try Precious("\(place.directory)/precious")
      #expect(link(precious.path, place.socket + ".lock") == 0)
      let socket = try refusal(place)
      #expect(socket.code == 69 && socket.err.contains("remove it"), "\(socket.err)")
      unlink(place.socket + ".lock")
      // The store was opened and let go of.
      unlink(place.store + ".lock")
      #expect(link(precious.path, place.store + ".lock") == 0)
      let store = try refusal(place)
      #expect(store.code == 74 && store.err.contains("remove it"), "\(store.err)")
      #expect(precious.isUntouched)
    }
  }

  @Test("a FIFO or a directory in the place of any file holds nothing up, and is named")
  func strangers() async throws {
    try await waiting {
      for isFIFO in [true, false] {
        let place = try Place()
        try place.makeDirectory("state/tocsin")
        for path in [place.store, place.store + ".lock", place.socket, place.socket + ".lock"] {
          // A lock stays where it was made.
          unlink(path)
          #expect((isFIFO ? mkfifo(path, 0o600) : mkdir(path, 0o700)) == 0)
          let result = try refusal(place)
          #expect(result.code != 0 && result.err.contains(path), "\(result.err)")
          remove(path)
        }
        unlink(place.configuration)
        if isFIFO { mkfifo(place.configuration, 0o600) } else { mkdir(place.configuration, 0o700) }
        let result = try refusal(place)
        #expect(result.code == 78 && result.err.contains(place.configuration), "\(result.err)")
      }
    }
  }

  @Test("a backup replaces files only, and a restore reads files only")
  func backups() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      try place.done("timer", "1h", "Roast")
      let (fifo, link) = ("\(place.directory)/fifo", "\(place.directory)/link")
      mkfifo(fifo, 0o600)
      let refused = try place.tocsin("backup", fifo)
      #expect(refused.code != 0 && refused.err.contains("not a file"), "\(refused.err)")
      #expect(Self.mode(fifo) == 0o600)
      let precious = try Precious("\(place.directory)/precious")
      symlink(precious.path, link)
      try place.done("backup", link)
      #expect(precious.isUntouched && Self.mode(link) == 0o600)
      try end(daemon)
      let restored = try place.tocsin("restore", fifo)
      #expect(restored.code != 0 && restored.err.contains("not a file"), "\(restored.err)")
    }
  }

  @Test("plugins.conf that others may write is not read, and a running daemon keeps what it knew")
  func configuration() async throws {
    try await waiting {
      let place = try Place()
      chmod(place.configuration, 0o666)
      let refused = try refusal(place)
      #expect(refused.code == 78 && refused.err.contains("chmod o-w"), "\(refused.err)")
      chmod(place.configuration, 0o644)
      let daemon = try place.daemon()
      chmod(place.configuration, 0o646)
      #expect(try place.tocsin("reload").code == 78)
      try place.done("timer", "1h", "Roast")
      // A file beside it counts as it does.
      chmod(place.configuration, 0o644)
      try place.makeDirectory("config/tocsin/plugins.conf.d")
      let part = "\(place.configuration).d/more.conf"
      try "[daemon]\n".write(toFile: part, atomically: true, encoding: .utf8)
      chmod(part, 0o666)
      #expect(try place.tocsin("reload").code == 78)
      chmod(part, 0o600)
      try place.done("reload")
      try end(daemon)
    }
  }

  @Test("while links change under a daemon that starts and ends, no file they lead to is changed")
  func races() async throws {
    try await waiting {
      let place = try Place()
      let (good, foreign) = ("\(place.directory)/good", "\(place.directory)/foreign")
      try place.makeDirectory("good")
      try place.makeDirectory("foreign")
      chmod(foreign, 0o777)
      let names = ["tocsin.sock", "tocsin.sock.lock", "alarms.db", "alarms.db.lock"]
      let precious = try names.map { try Precious("\(foreign)/\($0)") }
      let way = "\(place.directory)/way"
      symlink(good, way)
      let swapper = Swapper(way, good, foreign)
      defer { swapper.end() }
      var (served, failed) = (0, 0)
      for _ in 0..<12 {
        let daemon = try place.start(
          ["tocsind", "--socket", "\(way)/tocsin.sock", "--store", "\(good)/alarms.db"]
        )
        if (try? daemon.errors.wait(for: "listens on")) != nil {
          served += 1
          daemon.signal(SIGTERM)
        } else {
          failed += 1
        }
        _ = try daemon.exitCode()
        for file in precious { #expect(file.isUntouched) }
      }
      #expect(served + failed == 12)
      #expect(swapper.end() > 1_000)
    }
  }
}

/// Lets a link lead here and there, as fast as it goes.
private final class Swapper: @unchecked Sendable {
  // Unchecked is safe because both numbers are guarded by the lock.
  private let lock = NSLock()
  private var count = 0
  private var isOver = false
  private let done = DispatchSemaphore(value: 0)

  init(_ path: String, _ first: String, _ second: String) {
    Thread { [self] in
      while lock.withLock({ !isOver }) {
        for target in [second, first] {
          symlink(target, path + ".new")
          rename(path + ".new", path)
        }
        lock.withLock { count += 2 }
      }
      done.signal()
    }.start()
  }

  /// Ends it; how often the link was changed.
  @discardableResult
  func end() -> Int {
    lock.withLock { isOver = true }
    done.wait()
    done.signal()
    return lock.withLock { count }
  }
}
