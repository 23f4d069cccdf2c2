import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// A store that is damaged, newer, full or not to be written.
@Suite(.timeLimit(.minutes(10)))
struct StoreTests {
  struct Damage: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var apply: @Sendable (Data) -> Data
  }

  static let damages = [
    Damage(testDescription: "empty") { _ in Data() },
    Damage(testDescription: "cut in half") { $0.prefix($0.count / 2) },
    Damage(testDescription: "NULs in front") { Data(count: 4_096) + $0.dropFirst(4_096) },
    Damage(testDescription: "NULs put before it") { Data(count: 4_096) + $0 },
    Damage(testDescription: "text") { _ in Data("{\"alarms\":[]}\n".utf8) },
    Damage(testDescription: "a hole in the middle") {
      $0.prefix(4_096) + Data(count: $0.count - 4_096)
    },
  ]

  @Test(
    "a damaged store is kept aside byte for byte, the backup takes its place, and it is said",
    arguments: damages
  )
  func damage(_ damage: Damage) async throws {
    try await waiting {
      let place = try Place()
      // An orderly end leaves a backup, once there is one a day; the first comes by itself.
      var daemon = try place.daemon()
      try place.done("alarm", "7:30", "Wake up", "--on", "weekdays")
      try stop(daemon)
      #expect(try place.storeFiles().contains("alarms.db.backup"))
      let damaged = damage.apply(try Data(contentsOf: URL(fileURLWithPath: place.store)))
      try damaged.write(to: URL(fileURLWithPath: place.store))
      daemon = try place.daemon()
      #expect(try place.alarms().map(\.alarm.title) == ["Wake up"])
      let aside = try #require(
        try place.storeFiles().first { $0.contains(".damaged-") && !$0.hasSuffix("-wal") }
      )
      let path = "\(place.directory)/state/tocsin/\(aside)"
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged)
      let status = try place.done("status")
      #expect(status.contains("Warning") && status.contains(path))
      #expect(status.contains("alarms.db.backup"))
      // It works on, and the damaged file stays.
      try place.done("timer", "1h", "Roast")
      try stop(daemon)
      daemon = try place.daemon()
      #expect(try place.alarms().count == 2)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged)
    }
  }

  @Test("a damaged store without a backup: nothing is overwritten, and the loss is said aloud")
  func noBackup() async throws {
    try await waiting {
      let place = try Place()
      let damaged = Data("once upon a time".utf8)
      try place.makeDirectory("state/tocsin")
      try damaged.write(to: URL(fileURLWithPath: place.store))
      let daemon = try place.daemon()
      #expect(try place.done("status").contains("ALL ALARMS IN IT ARE LOST"))
      try place.done("timer", "1h", "Roast")
      try stop(daemon)
      let aside = try #require(try place.storeFiles().first { $0.contains(".damaged-") })
      let path = "\(place.directory)/state/tocsin/\(aside)"
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == damaged)
    }
  }

  @Test("a store of a newer version is refused and left untouched")
  func newerVersion() async throws {
    try await waiting {
      let place = try Place()
      try stop(try place.daemon())
      var newer = try Data(contentsOf: URL(fileURLWithPath: place.store))
      // PRAGMA user_version: bytes 60 to 63 of the file, sqlite.org/fileformat.html, 1.3.
      newer.replaceSubrange(60..<64, with: [0, 0, 3, 231])
      try newer.write(to: URL(fileURLWithPath: place.store))
      let files = try place.storeFiles()
      for words in [["tocsind"], ["tocsin", "timer", "1s"], ["tocsin", "list"]] {
        let result = try place.run(words)
        #expect(result.code == 74, "\(words): \(result.err)")
        #expect(result.err.contains("999") && result.err.contains(place.store))
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: place.store)) == newer)
      #expect(try place.storeFiles() == files)
    }
  }

  @Test("the store is copied and put back by the command, not under a running daemon")
  func backupAndRestore() async throws {
    try await waiting {
      let place = try Place()
      let copy = "\(place.directory)/copy.db"
      var daemon = try place.daemon()
      try place.done("timer", "1h", "Roast")
      try place.done("backup", copy)
      try place.done("cancel", "Roast")
      #expect(try place.tocsin("restore", copy).code == 75)
      try stop(daemon)
      try place.done("restore", copy)
      daemon = try place.daemon()
      #expect(try place.alarms().map(\.alarm.title) == ["Roast"])
    }
  }

  @Test(
    "a full disk: a new alarm is refused with 74, what is there rings, and space is used again",
    .enabled(if: Mounts.arePermitted, "needs unshare -m and mount")
  )
  func fullDisk() async throws {
    try await waiting {
      let place = try Place(Place.console)
      try place.makeDirectory("state/tocsin")
      let disk = "\(place.directory)/state/tocsin"
      let daemon = try place.daemon(
        Mounts.words(["mount -t tmpfs -o size=256k none \(disk)"], then: "tocsind"),
        output: .pipe
      )
      let connection = try place.connect()
      let events = try EventStream(place)
      try connection.request(.schedule(timer(1.2, "Egg")))
      let fire = try #require(try events.presentation(.countdown).countdown?.fire)
      // The daemon's mounts are seen from here through its root.
      let filler = "/proc/\(daemon.pid)/root\(disk)/filler"
      fill(filler)
      let refused = try place.tocsin("timer", "1h", String(repeating: "long ", count: 3_000))
      #expect(refused.code == 74)
      #expect(refused.err.contains("full") && refused.err.contains("make room"))
      #expect(try place.alarms().map(\.alarm.title) == ["Egg"])
      #expect(try place.done("status").contains("Warning"))
      let ring = try events.presentation(.alerting)
      #expect(ring.title == "Egg" && ring.due == fire)
      #expect(try place.tocsin("stop").code == 74 || place.alarms().isEmpty)
      #expect(try place.alarms().isEmpty)
      unlink(filler)
      try place.done("timer", "1h", "Roast")
      #expect(try place.alarms().map(\.alarm.title) == ["Roast"])
      #expect(!(try place.done("status").contains("make room")))
    }
  }

  @Test(
    "a store that becomes read-only: nothing is accepted, what is there rings, and it is said",
    .enabled(if: Mounts.arePermitted, "needs unshare -m and mount")
  )
  func readOnly() async throws {
    try await waiting {
      let place = try Place(Place.console)
      var daemon = try place.daemon()
      try place.done("timer", "1500ms", "Egg")
      try stop(daemon)
      let disk = "\(place.directory)/state/tocsin"
      daemon = try place.daemon(
        Mounts.words(
          ["mount --bind \(disk) \(disk)", "mount -o remount,bind,ro \(disk)"],
          then: "tocsind"
        ),
        output: .pipe
      )
      #expect(try daemon.output.line(with: "\"alerting\"").contains("Egg"))
      let refused = try place.tocsin("timer", "1h", "Roast")
      #expect(refused.code == 74)
      #expect(refused.err.contains("it cannot be written"))
      #expect(try place.done("status").contains("nothing can be changed"))
      // A stop silences all the same, and says that it is not stored.
      #expect(try place.tocsin("stop").code == 74)
      #expect(try EventStream(place).sync().isEmpty)
    }
  }

  private func stop(_ daemon: Program) throws {
    daemon.signal(SIGTERM)
    #expect(try daemon.exitCode() == 0)
  }

  private func fill(_ path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let page = [UInt8](repeating: 1, count: 4_096)
    while write(descriptor, page, page.count) > 0 {}
    close(descriptor)
  }
}

/// Programs with mounts of their own, which end with them.
enum Mounts {
  /// Whether this process may mount.
  static let arePermitted: Bool = {
    let words = Self.words(["mount -t tmpfs -o size=64k none /mnt"], then: "true")
    let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
    guard let program = try? Program(words, environment: environment) else { return false }
    return (try? program.exitCode()) == 0
  }()

  /// The words that do what must be done in a private namespace and then are that program.
  static func words(_ commands: [String], then program: String) -> [String] {
    let path = (try? Program.find(program)) ?? program
    return ["unshare", "-m", "--propagation", "private", "sh", "-ec"]
      + [(commands + ["exec \(path) \"$@\""]).joined(separator: "; "), "sh"]
  }
}
