import Foundation
import Synchronization
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

/// A directory that goes away with the test, and the store's path in it.
final class Shelf: Sendable {
  let directory: String
  var path: String { directory + "/store.db" }
  var backup: String { path + ".backup" }

  init(in parent: String = "/tmp") {
    var template = Array((parent + "/tocsin-store-XXXXXX").utf8CString)
    directory = mkdtemp(&template).map { String(cString: $0) } ?? parent
  }

  /// Whether its disk has so much space that the log gets its room.
  var hasSpareSpace: Bool {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: directory)
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue ?? 0 > LogRoom.spare
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  func open(
    boot: String = "boot-1",
    now: Instant? = nil,
    schema: StoreSchema = .current,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StoreError) -> Store {
    var setup = StoreSetup(bootID: boot, schema: schema, warn: warn)
    if let now { setup.now = { now } }
    setup.quiet = .seconds(3_600)
    return try Store(.file(path), setup: setup)
  }

  func bytes(_ name: String = "store.db") throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(name)"))
  }

  func write(_ data: Data, _ name: String = "store.db") throws {
    try data.write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
  }

  /// Changes the store with a connection of its own, which is closed then.
  func execute(_ sql: String) throws {
    let database = try Database(path: path, mode: .readWrite)
    try database.execute(sql)
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
  }

  /// The names of files moved aside.
  func damaged() throws -> [String] {
    try names().filter { $0.contains(".damaged-") }
  }

  func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }
}

/// Waits for the answer of another thread.
///
/// It is handed over by a lock as well: where it came before it was waited for, the thread sanitizer sees no order.
private func answer<Value: Sendable>(
  to ask: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  let door = Door()
  let value = await withCheckedContinuation { continuation in
    ask { value in
      door.pass()
      continuation.resume(returning: value)
    }
  }
  door.pass()
  return value
}

private final class Door: Sendable {
  private let lock = Mutex(())

  func pass() { lock.withLock { _ in } }
}

extension Store {
  func save(_ changes: [StoreChange], keepOnFailure: Bool = true) async -> StoreError? {
    await answer { commit(changes, keepOnFailure: keepOnFailure, completion: $0) }
  }

  func save(_ records: [AlarmRecord]) async -> StoreError? {
    await save(records.map(StoreChange.save))
  }

  func retried() async -> StoreError? { await answer { retry(completion: $0) } }

  func tidied() async -> StoreError? { await answer { tidy(completion: $0) } }

  func backedUp(to path: String) async -> StoreError? {
    await answer { backup(to: path, completion: $0) }
  }

  func pruned(before instant: Instant) async -> StoreError? {
    await answer { prune(before: instant, completion: $0) }
  }

  func entries(_ filter: Request.HistoryFilter = .init()) async throws -> [HistoryEntry] {
    try await answer { history(filter, completion: $0) }.get()
  }

  func records(
    wallNow: Instant = Instant(microseconds: 0),
    bootNow: BootTime = 0
  ) throws(StoreError) -> (records: Set<AlarmRecord>, faults: [String]) {
    var records: Set<AlarmRecord> = []
    let faults = try load(wallNow: wallNow, bootNow: bootNow) { records.insert($0) }
    return (records, faults)
  }
}

/// Alarms for tests, each another for another number.
func timer(_ number: UInt64, _ title: String = "Tea") -> AlarmRecord {
  AlarmRecord(
    alarm: Alarm(
      id: AlarmID(high: 7, low: number),
      title: title,
      countdown: CountdownDuration(preAlert: 600)
    )
  )
}

func entry(_ number: UInt64, at seconds: Int64, _ event: HistoryEntry.Event) -> HistoryEntry {
  HistoryEntry(
    at: Instant(seconds: seconds),
    alarm: AlarmID(high: 7, low: number),
    occurrence: nil,
    title: "Tea",
    event: event
  )
}

/// An intent that a program is to run, another for another number.
func owedIntent(
  _ number: UInt64,
  _ action: AlarmAction = .stop,
  _ application: String = "kitchen",
  done: AlarmAction? = .stop,
  parameters: JSONValue? = .object(["dose": .string("1")])
) -> OwedIntent {
  let occurrence = OccurrenceID(
    alarm: AlarmID(high: 7, low: number),
    origin: Instant(microseconds: 1_806_148_800_123_456),
    serial: UInt32(number)
  )
  let intent = PendingIntent(
    number: number,
    application: application,
    occurrence: occurrence,
    action: action,
    done: done,
    source: "popup",
    at: someDay,
    call: IntentCall(type: "Taken", parameters: parameters)
  )
  return OwedIntent(intent, title: "Tea")
}

/// The error a body throws; nil if it throws none.
func failure<Value>(_ body: () throws -> Value) -> StoreError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? StoreError
  }
}

let someDay = Instant(seconds: 1_806_148_800)

extension Store {
  // For threads that are no tasks.

  func saveAndWait(_ records: [AlarmRecord], keepOnFailure: Bool = true) -> StoreError? {
    wait { commit(records.map(StoreChange.save), keepOnFailure: keepOnFailure, completion: $0) }
  }

  func retryAndWait() -> StoreError? {
    wait { retry(completion: $0) }
  }

  private func wait(_ job: (@escaping StoreCompletion) -> Void) -> StoreError? {
    final class Box: Sendable { let error = Mutex<StoreError?>(nil) }
    let box = Box()
    let done = DispatchSemaphore(value: 0)
    job { error in
      box.error.withLock { $0 = error }
      done.signal()
    }
    done.wait()
    return box.error.withLock { $0 }
  }
}
