import Foundation
import Synchronization
import Testing
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

/// The queue, its transactions, the record and the backups.
@Suite struct StoreCommitTests {
  @Test("What is queued while a commit is under way shares the next one")
  func grouped() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    let done = Mutex(0)
    // The first completion holds the store's thread until all others are queued.
    let gate = DispatchSemaphore(value: 0)
    store.commit([.save(timer(0))]) { _ in gate.wait() }
    for number in 1...50 {
      store.commit([.save(timer(UInt64(number)))]) { error in
        if error == nil { done.withLock { $0 += 1 } }
      }
    }
    gate.signal()
    #expect(await store.save([timer(99)]) == nil)
    #expect(done.withLock { $0 } == 50)
    #expect(store.figures.commits == 52)
    #expect(store.figures.transactions <= 4)
    #expect(try store.records().records.count == 52)
  }

  @Test("One bad request fails alone in a shared transaction")
  func badNeighbour() async throws {
    let store = try Store(.memory, bootID: "boot-1")
    var bad = timer(2)
    bad.alarm.options.volume = .nan
    let results = Mutex<[StoreError.Kind?]>([])
    let gate = DispatchSemaphore(value: 0)
    store.commit([]) { _ in gate.wait() }
    for record in [timer(1), bad, timer(3)] {
      store.commit([.save(record)]) { error in results.withLock { $0.append(error?.kind) } }
    }
    gate.signal()
    #expect(await store.save([timer(4)]) == nil)
    #expect(results.withLock { $0 } == [nil, .rejected, nil])
    #expect(try store.records().records == [timer(1), timer(3), timer(4)])
  }

  @Test("Changes are applied in their order")
  func ordered() async throws {
    let store = try Store(.memory, bootID: "boot-1")
    for number in 0..<100 { store.commit([.save(timer(1, "\(number)"))]) }
    store.commit([.save(timer(2)), .delete(timer(2).alarm.id)])
    store.commit([.delete(timer(3).alarm.id), .save(timer(3))])
    #expect(await store.save([StoreChange]()) == nil)
    #expect(try store.records().records == [timer(1, "99"), timer(3)])
  }

  @Test("A load sees all that was queued before it")
  func loadAfterCommit() throws {
    for round in 0..<200 {
      let store = try Store(.memory, bootID: "boot-1")
      var random = SystemRandomNumberGenerator()
      store.commit([
        .save(AlarmRecord(alarm: Alarm(id: AlarmID(using: &random), title: "\(round)")))
      ])
      var count = 0
      _ = try store.load(wallNow: Instant(seconds: 0), bootNow: 0) { _ in count += 1 }
      #expect(count == 1)
    }
  }

  @Test("Commits from many threads are all there")
  func concurrent() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            let error = await store.save([timer(UInt64(lane * 1000 + number))])
            #expect(error == nil)
          }
        }
      }
    }
    store.close()
    #expect(try shelf.open().records().records.count == 400)
  }

  @Test("Closing stores what is queued, and refuses what comes after")
  func closing() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    for number in 0..<100 { store.commit([.save(timer(UInt64(number)))]) }
    store.close()
    store.close()
    #expect(await store.save([timer(1)])?.kind == .closed)
    await #expect(throws: StoreError.self) { try await store.entries() }
    #expect(try shelf.names() == ["store.db", "store.db.backup", "store.db.lock"])
    #expect(try shelf.open().records().records.count == 100)
  }

  @Test("A store that is let go of in its own completion ends in order")
  func letGo() async throws {
    let shelf = Shelf()
    do {
      let store = try shelf.open()
      await withCheckedContinuation { continuation in
        store.commit([.save(timer(1))]) { _ in
          store.close()
          continuation.resume()
        }
      }
    }
    // The end was not waited for; whoever waits for the lock does.
    let lock = open(shelf.path + ".lock", O_RDONLY)
    #expect(flock(lock, LOCK_EX) == 0)
    close(lock)
    #expect(try shelf.open().records().records == [timer(1)])
  }

  @Test("Files and directory are their owner's alone")
  func modes() async throws {
    let shelf = Shelf()
    let path = shelf.directory + "/state/tocsin/store.db"
    let store = try Store(.file(path), bootID: "b")
    #expect(await store.save([timer(1)]) == nil)
    #expect(try shelf.mode("state") == 0o700)
    #expect(try shelf.mode("state/tocsin") == 0o700)
    for name in ["store.db", "store.db-wal", "store.db.lock"] {
      #expect(try shelf.mode("state/tocsin/" + name) == 0o600, "\(name)")
    }
    store.close()
    #expect(try shelf.mode("state/tocsin/store.db.backup") == 0o600)
  }

  @Test("The record comes newest first, filtered and limited")
  func history() async throws {
    let store = try Store(.memory, bootID: "boot-1")
    var stopped = entry(1, at: 30, .stopped)
    stopped.occurrence = OccurrenceID(
      alarm: stopped.alarm,
      origin: Instant(microseconds: -5),
      serial: 7
    )
    stopped.due = Instant(microseconds: 29_999_999)
    stopped.source = "cli"
    stopped.detail = ""
    let entries = [
      entry(1, at: 10, .scheduled), entry(2, at: 15, .scheduled), entry(1, at: 20, .fired), stopped,
      // The clock was set back in between.
      entry(2, at: 5, .fired),
    ]
    for entry in entries { #expect(await store.save([StoreChange.record(entry)]) == nil) }
    #expect(try await store.entries() == entries.reversed())
    #expect(try await store.entries(.init(limit: 2)) == [entries[4], entries[3]])
    #expect(try await store.entries(.init(limit: 0)) == [])
    #expect(
      try await store.entries(.init(alarm: entries[0].alarm)) == [stopped, entries[2], entries[0]]
    )
    #expect(
      try await store.entries(.init(alarm: entries[1].alarm, events: [.fired])) == [entries[4]]
    )
    #expect(try await store.entries(.init(events: [])) == [])
    #expect(await store.pruned(before: Instant(seconds: 20)) == nil)
    #expect(try await store.entries() == [stopped, entries[2]])
    for number in 0..<200 {
      store.commit([.record(entry(3, at: 100 + Int64(number), .snoozed))])
    }
    #expect(try await store.entries().count == 100)
  }

  @Test("A backup is a whole store of its own, while commits go on")
  func backup() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    #expect(await store.save((0..<300).map { timer($0) }) == nil)
    let target = shelf.directory + "/copy.db"
    #expect(await store.backedUp(to: target) == nil)
    #expect(await store.save([timer(1_000)]) == nil)
    #expect(await store.backedUp(to: target) == nil)
    #expect(try shelf.mode("copy.db") == 0o600)
    #expect(try Store(.file(target), bootID: "b").records().records.count == 301)
    for path in ["relative.db", shelf.path, shelf.path + "-wal", shelf.directory + "/./store.db"] {
      #expect(await store.backedUp(to: path) != nil, "\(path)")
    }
    #expect(await store.backedUp(to: shelf.directory + "/nowhere/copy.db")?.kind == .cannotOpen)
    #expect(try store.records().records.count == 301)
  }

  @Test("A fresh store has a backup from its first quiet moment on, then one a day")
  func rotation() async throws {
    let shelf = Shelf()
    let now = Mutex(Store.wallClock())
    var setup = StoreSetup(bootID: "b", now: { now.withLock { $0 } })
    setup.quiet = .seconds(3_600)
    let store = try Store(.file(shelf.path), setup: setup)
    #expect(await store.tidied() == nil)
    #expect(store.figures.backups == 0)
    #expect(await store.save([timer(1)]) == nil)
    #expect(await store.tidied() == nil)
    #expect(store.figures.backups == 1)
    #expect(await store.save([timer(2)]) == nil)
    #expect(await store.tidied() == nil)
    #expect(store.figures.backups == 1)
    now.withLock { $0 = $0 + .seconds(90_000) }
    #expect(await store.tidied() == nil)
    #expect(store.figures.backups == 2)
    now.withLock { $0 = $0 + .seconds(90_000) }
    #expect(await store.tidied() == nil)
    #expect(store.figures.backups == 2)
    let restored = Shelf()
    try restored.write(try shelf.bytes("store.db.backup"))
    #expect(try restored.open().records().records.count == 2)
  }

  @Test(
    "When a backup is due",
    arguments: [
      (false, nil, false, 0, false), (true, nil, false, 0, true), (true, 60, false, 0, false),
      (true, 86_400, false, 0, true), (true, -60, false, 0, false), (true, -90_000, false, 0, true),
      (true, 60, true, 0, true), (false, 60, true, 0, false), (true, 60, true, 1 << 30, false),
    ] as [(Bool, Int64?, Bool, Int, Bool)]
  )
  func policy(changed: Bool, age: Int64?, isEnd: Bool, size: Int, expected: Bool) {
    let last = age.map { Instant(seconds: 1_000_000 - $0) }
    #expect(
      BackupPolicy.isDue(
        changed: changed,
        last: last,
        now: Instant(seconds: 1_000_000),
        size: size,
        isEnd: isEnd
      )
        == expected
    )
  }

  @Test("Restoring puts a verified copy in place and keeps what was there")
  func restore() async throws {
    let shelf = Shelf()
    let source = Shelf()
    for (shelf, number) in [(shelf, 1), (source, 2)] {
      let store = try shelf.open()
      #expect(await store.save([timer(UInt64(number))]) == nil)
      if number == 1 {
        let error = failure {
          try Store.restore(from: source.path, to: shelf.path)
        }
        #expect(error?.kind == .locked(pid: getpid()))
      }
      store.close()
    }
    try source.write(Data("x".utf8), "bad.db")
    let damaged = failure {
      try Store.restore(from: source.directory + "/bad.db", to: shelf.path)
    }
    #expect(damaged?.kind == .damaged)
    #expect(throws: StoreError.self) {
      try Store.restore(from: source.directory + "/none.db", to: shelf.path)
    }
    #expect(try shelf.open().records().records == [timer(1)])
    let aside = try #require(try Store.restore(from: source.path, to: shelf.path))
    #expect(try shelf.open().records().records == [timer(2)])
    #expect(try Store(.file(aside), bootID: "b").records().records == [timer(1)])
    let empty = Shelf()
    #expect(try Store.restore(from: source.path, to: empty.path) == nil)
    #expect(try empty.open().records().records == [timer(2)])
  }

  @Test("The log is moved into the file when it has grown, and is written over from then on")
  func checkpoints() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    for round in 0..<6 {
      for lane in 0..<8 {
        let changes = (0..<400).map { number in
          StoreChange.save(
            timer(UInt64(lane * 400 + number), String(repeating: "x", count: 500 + round))
          )
        }
        #expect(await store.save(changes) == nil)
      }
      #expect(await store.tidied() == nil)
    }
    #expect(store.figures.checkpoints >= 6)
    let log = try shelf.bytes("store.db-wal").count
    #expect(log < 8_192 * 4_120 * 2)
    store.close()
    #expect(try shelf.open().records().records.count == 3_200)
  }
}
