import Foundation
import Testing
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

/// Files of other versions.
@Suite struct StoreVersionTests {
  /// A store as version 1 wrote it; later versions must go on reading it, so it never changes.
  static let version1 = """
    CREATE TABLE alarms (id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 16), title TEXT NOT NULL,
      enabled INTEGER NOT NULL, schedule INTEGER, at INTEGER, days, zone TEXT, pre_alert REAL,
      post_alert REAL, options TEXT, next_date INTEGER, last_date INTEGER, skip_date INTEGER,
      serial INTEGER NOT NULL, retired INTEGER NOT NULL, phase INTEGER, origin INTEGER,
      date INTEGER, due INTEGER, snoozes INTEGER, auto_snoozes INTEGER, trusted INTEGER,
      began INTEGER, end_wall INTEGER, end_boot INTEGER, boot TEXT, total INTEGER, elapsed INTEGER,
      snooze INTEGER, late INTEGER) WITHOUT ROWID;
    CREATE TABLE history (number INTEGER PRIMARY KEY, at INTEGER NOT NULL, alarm BLOB NOT NULL,
      origin INTEGER, serial INTEGER, title TEXT NOT NULL, event TEXT NOT NULL, due INTEGER,
      source TEXT, detail TEXT);
    INSERT INTO alarms (id, title, enabled, schedule, at, days, options, serial, retired)
      VALUES (x'00000000000000070000000000000001', 'Wake up', 1, 3, 25200, 31,
      '{"sound":"birds.ogg"}', 4, 0);
    INSERT INTO history (at, alarm, title, event)
      VALUES (1806148800000000, x'00000000000000070000000000000001', 'Wake up', 'fired');
    PRAGMA user_version = 1;
    """

  private static let newerVersion = "PRAGMA user_version = \(StoreSchema.current.version + 1)"

  static func shelf(_ sql: String) throws -> Shelf {
    let shelf = Shelf()
    try shelf.write(Data())
    let database = try Database(path: shelf.path, mode: .readWrite)
    try database.execute(sql)
    return shelf
  }

  @Test("A store of version 1 is read by this version")
  func first() async throws {
    let store = try Self.shelf(Self.version1).open()
    let record = try #require(try store.records().records.first)
    #expect(record.alarm.title == "Wake up")
    #expect(record.alarm.options.sound == "birds.ogg")
    #expect(record.serial == 4)
    let time = try #require(TimeOfDay(hour: 7, minute: 0))
    #expect(
      record.alarm.schedule
        == .wall(WallSchedule(time: time, days: .weekly(WeekdaySet(rawValue: 31))))
    )
    #expect(try await store.entries().map(\.event) == [.fired])
  }

  @Test("A store of version 1 takes what programs need, and keeps its alarms and its record")
  func programs() async throws {
    let shelf = try Self.shelf(Self.version1)
    let store = try shelf.open()
    #expect(try store.owedIntents() == OwedIntents())
    let owed = owedIntent(1)
    var line = entry(1, at: 1, .performed)
    line.application = "kitchen"
    #expect(await store.save([.owe(owed), .record(line)]) == nil)
    #expect(try await store.entries().map(\.application) == ["kitchen", nil])
    store.close()
    let again = try shelf.open()
    #expect(again.warnings.isEmpty)
    #expect(try again.owedIntents().all == [owed])
    #expect(try again.records().records.map(\.alarm.title) == ["Wake up"])
    #expect(try await again.entries().map(\.event) == [.performed, .fired])
  }

  @Test("A date that rang under version 1 goes on counting, as far as its hour is known")
  func lastRing() async throws {
    let rang = "UPDATE alarms SET last_date = 20904"
    let store = try Self.shelf(Self.version1 + rang).open()
    let record = try #require(try store.records().records.first)
    #expect(record.lastRing == LastRing(date: CivilDate(daysSince1970: 20_904), hour: 501_696))
  }

  @Test("A step to a next version keeps all alarms and a copy of the file as it was")
  func migrated() async throws {
    let shelf = try Self.shelf(Self.version1)
    var next = StoreSchema.current
    next.steps.append("ALTER TABLE alarms ADD COLUMN mood TEXT; UPDATE alarms SET mood = 'good'")
    let store = try shelf.open(schema: next)
    #expect(try store.records().records.count == 1)
    #expect(try #require(store.warnings.first).contains("store.db.version-1"))
    // The file itself says so, before it is closed: an older version looks nowhere else.
    #expect(try shelf.bytes()[63] == UInt8(StoreSchema.current.version + 1))
    #expect(await store.save([timer(2)]) == nil)
    store.close()
    #expect(try shelf.open(schema: next).records().records.count == 2)
    let copy = try Database(path: shelf.path + ".version-1", mode: .readOnly(hasLog: false))
    #expect(try copy.integer("PRAGMA user_version") == 1)
    #expect(try copy.integer("SELECT count(*) FROM alarms") == 1)
  }

  @Test("A step that fails changes nothing")
  func failedStep() async throws {
    let shelf = try Self.shelf(Self.version1)
    var next = StoreSchema.current
    next.steps.append("ALTER TABLE alarms ADD COLUMN mood TEXT; SELECT * FROM nowhere")
    #expect(throws: StoreError.self) { try shelf.open(schema: next) }
    #expect(try shelf.damaged().isEmpty)
    #expect(try shelf.open().records().records.count == 1)
  }

  @Test("A file of a newer version is refused and not touched", arguments: [false, true])
  func newer(onlyInLog: Bool) async throws {
    let shelf = try Self.shelf(Self.version1 + (onlyInLog ? "" : Self.newerVersion))
    if onlyInLog {
      let database = try Database(path: shelf.path, mode: .readWrite)
      try database.execute("PRAGMA journal_mode = WAL")
      database.keepLogOnClose(true)
      try database.execute(Self.newerVersion)
    }
    let main = try shelf.bytes()
    let log = try? shelf.bytes("store.db-wal")
    #expect((log != nil) == onlyInLog)
    let error = failure { try shelf.open() }
    #expect(error?.kind == .newer(version: StoreSchema.current.version + 1))
    #expect(try shelf.bytes() == main)
    #expect((try? shelf.bytes("store.db-wal")) == log)
    #expect(try shelf.damaged().isEmpty)
  }

  @Test("A damaged store whose backup is of a newer version is left alone")
  func newerBackup() async throws {
    let shelf = try Self.shelf(Self.version1 + Self.newerVersion)
    try shelf.write(try shelf.bytes(), "store.db.backup")
    try shelf.write(Data("x".utf8))
    let error = failure { try shelf.open() }
    #expect(error?.kind == .newer(version: StoreSchema.current.version + 1))
    #expect(try shelf.bytes() == Data("x".utf8))
  }

  @Test("Columns this version does not know are named, and keep their values")
  func unknownColumns() async throws {
    let shelf = try Self.shelf(
      Self.version1 + "ALTER TABLE alarms ADD COLUMN mood TEXT; UPDATE alarms SET mood = 'good'"
    )
    let store = try shelf.open()
    #expect(store.warnings.contains { $0.contains("mood") })
    var record = try #require(try store.records().records.first)
    record.serial += 1
    #expect(await store.save([record]) == nil)
    store.close()
    let database = try Database(path: shelf.path, mode: .readWrite)
    #expect(try database.texts("SELECT mood FROM alarms") == ["good"])
    #expect(try database.integer("SELECT serial FROM alarms") == 5)
  }
}
