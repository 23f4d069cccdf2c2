import Foundation
import Testing
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

/// Whatever happened to the file, no alarm is lost in silence.
@Suite struct StoreDamageTests {
  /// Ways to break a file of many pages.
  static let damages: [(name: String, damage: @Sendable (Data) -> Data)] = [
    ("0 bytes", { _ in Data() }),
    ("50 bytes", { $0.prefix(50) }),
    ("cut at half", { $0.prefix($0.count / 2) }),
    ("4 KiB of zeros in front", { Data(count: 4096) + $0 }),
    ("first 4 KiB zeroed", { Data(count: 4096) + $0.dropFirst(4096) }),
    ("the middle zeroed", { $0.prefix(8192) + Data(count: 16_384) + $0.dropFirst(24_576) }),
    ("text", { _ in Data("alarms = []\n".utf8) }),
    ("JSON", { _ in Data("{\"alarms\":[{\"id\":7}]}".utf8) }),
    ("garbage after the header", { $0.prefix(100) + Data(repeating: 0xA5, count: $0.count) }),
  ]

  private static let alarms = (0..<500).map { timer($0, "Alarm number \($0)") }

  /// A store with alarms, closed in order, with or without a backup.
  private static func shelf(backup: Bool) async throws -> Shelf {
    let shelf = Shelf()
    let store = try shelf.open()
    #expect(await store.save(alarms) == nil)
    store.close()
    if !backup { try FileManager.default.removeItem(atPath: shelf.backup) }
    return shelf
  }

  @Test("A damaged file is kept byte for byte and its backup restored", arguments: damages.indices)
  func restored(index: Int) async throws {
    let shelf = try await Self.shelf(backup: true)
    let bad = Self.damages[index].damage(try shelf.bytes())
    try shelf.write(bad)
    let backup = try shelf.bytes("store.db.backup")
    let store = try shelf.open(now: someDay)
    #expect(try store.records().records == Set(Self.alarms))
    let aside = "store.db.damaged-20270327T120000Z"
    #expect(try shelf.damaged() == [aside])
    #expect(try shelf.bytes(aside) == bad)
    #expect(try shelf.bytes("store.db.backup") == backup)
    let warning = try #require(store.warnings.first)
    #expect(warning.contains(aside) && warning.contains(shelf.backup))
    #expect(await store.save([timer(9_000)]) == nil)
    store.close()
    #expect(try shelf.open().records().records.count == 501)
  }

  @Test(
    "Without a backup the damaged file stays, and a new store is made",
    arguments: damages.indices
  )
  func kept(index: Int) async throws {
    let shelf = try await Self.shelf(backup: false)
    let bad = Self.damages[index].damage(try shelf.bytes())
    try shelf.write(bad)
    do {
      let store = try shelf.open(now: someDay)
      #expect(try store.records().records.isEmpty)
      let warning = try #require(store.warnings.first)
      #expect(warning.contains("damaged-20270327T120000Z") && warning.contains("LOST"))
      #expect(await store.save([timer(1)]) == nil)
      store.close()
    }
    #expect(try shelf.bytes(#require(try shelf.damaged().first)) == bad)
    let again = try shelf.open()
    #expect(again.warnings.isEmpty)
    #expect(try again.records().records == [timer(1)])
  }

  @Test("Garbage after the last page harms nothing")
  func trailing() async throws {
    let shelf = try await Self.shelf(backup: false)
    try shelf.write(try shelf.bytes() + Data("garbage".utf8))
    #expect(try shelf.open().records().records == Set(Self.alarms))
  }

  @Test("A file that is gone is restored, unless there never was one")
  func missing() async throws {
    let shelf = try await Self.shelf(backup: true)
    try FileManager.default.removeItem(atPath: shelf.path)
    let store = try shelf.open()
    #expect(try store.records().records == Set(Self.alarms))
    #expect(store.warnings.count == 1)
    store.close()
    #expect(try shelf.damaged().isEmpty)
    let fresh = try Shelf().open()
    #expect(fresh.warnings.isEmpty)
  }

  @Test("A database of something else is moved aside, its log with it")
  func foreign() async throws {
    let shelf = try await Self.shelf(backup: true)
    for sql in [
      "CREATE TABLE notes (text); INSERT INTO notes VALUES ('x')",
      "CREATE TABLE alarms (id, title); PRAGMA user_version = 1",
    ] {
      try FileManager.default.removeItem(atPath: shelf.path)
      try shelf.write(Data())
      do {
        let database = try Database(path: shelf.path, mode: .readWrite)
        try database.execute("PRAGMA journal_mode = WAL")
        database.keepLogOnClose(true)
        try database.execute(sql)
      }
      let main = try shelf.bytes()
      let log = try shelf.bytes("store.db-wal")
      #expect(!log.isEmpty)
      let store = try shelf.open()
      #expect(try store.records().records == Set(Self.alarms))
      #expect(store.warnings.count == 1)
      store.close()
      let aside = try #require(
        try shelf.damaged().last { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
      )
      #expect(try shelf.bytes(aside) == main)
      #expect(try shelf.bytes(aside + "-wal") == log)
      for name in try shelf.damaged() {
        try FileManager.default.removeItem(atPath: "\(shelf.directory)/\(name)")
      }
    }
  }

  @Test("A damaged backup is kept as well")
  func bothDamaged() async throws {
    let shelf = try await Self.shelf(backup: true)
    try shelf.write(Data("a".utf8))
    try shelf.write(Data("b".utf8), "store.db.backup")
    let store = try shelf.open(now: someDay)
    #expect(try store.records().records.isEmpty)
    #expect(try #require(store.warnings.first).contains("LOST"))
    #expect(await store.save([timer(1)]) == nil)
    store.close()
    #expect(try shelf.bytes("store.db.damaged-20270327T120000Z") == Data("a".utf8))
    #expect(try shelf.bytes("store.db.backup.damaged-20270327T120000Z") == Data("b".utf8))
  }

  @Test("Damage twice within a second leaves two files")
  func twice() async throws {
    let shelf = try await Self.shelf(backup: true)
    for text in ["a", "b"] {
      try shelf.write(Data(text.utf8))
      try shelf.open(now: someDay).close()
    }
    #expect(try shelf.damaged().count == 2)
  }

  @Test("What was acknowledged is there after a kill, and a torn tail of the log is not")
  func killed() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    #expect(await store.save([timer(1)]) == nil)
    // A copy of the files as they are now is what a kill at this moment leaves.
    let killed = Shelf()
    try killed.write(try shelf.bytes())
    let log = try shelf.bytes("store.db-wal")
    try killed.write(log, "store.db-wal")
    #expect(try killed.open().records().records == [timer(1)])
    // Behind its frames the log has room, which is zeros.
    let frames = log.prefix((log.lastIndex { $0 != 0 } ?? 0) + 1)
    let torn = Shelf()
    try torn.write(try shelf.bytes())
    try torn.write(frames.dropLast(100) + Data(repeating: 0xA5, count: 100), "store.db-wal")
    let opened = try torn.open()
    #expect(try opened.records().records.isEmpty)
    #expect(opened.warnings.isEmpty)
    store.close()
  }

  @Test("The log has room after the first commit, and what stands in it survives a kill")
  func logRoom() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    #expect(await store.save([timer(1)]) == nil)
    // The next commit comes behind the making of room.
    #expect(await store.save([timer(2)]) == nil)
    let log = try shelf.bytes("store.db-wal")
    #expect(log.count >= LogRoom.step || !shelf.hasSpareSpace)
    let killed = Shelf()
    try killed.write(try shelf.bytes())
    try killed.write(log, "store.db-wal")
    #expect(try killed.open().records().records.count == 2)
    store.close()
  }

  @Test("A row that is not understood is named and stays")
  func strangeRow() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    #expect(await store.save([timer(1), timer(2), timer(3)]) == nil)
    store.close()
    do {
      let database = try Database(path: shelf.path, mode: .readWrite)
      try database.execute("UPDATE alarms SET schedule = 99 WHERE substr(id, 16) = x'01'")
      try database.execute("UPDATE alarms SET options = '{' WHERE substr(id, 16) = x'02'")
    }
    for _ in 0..<2 {
      let store = try shelf.open()
      let (records, faults) = try store.records()
      #expect(records == [timer(3)])
      #expect(faults.count == 2)
      #expect(faults.contains { $0.contains("\(timer(1).alarm.id)") && $0.contains("schedule") })
      #expect(await store.save([timer(3)]) == nil)
      store.close()
    }
  }
}
