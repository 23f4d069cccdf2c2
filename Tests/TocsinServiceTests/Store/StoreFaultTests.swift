import Foundation
import Testing
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

/// File systems that are full or take no writes, and rivals for the lock.
@Suite struct StoreFaultTests {
  @Suite(.serialized, .enabled(if: PrivateMounts.isPossible, "needs to mount file systems"))
  struct Mounted {
    /// Runs a body with a shelf on a small file system of its own.
    private static func onTmpfs(_ body: @escaping @Sendable (Shelf) throws -> Void) {
      let shelf = Shelf()
      PrivateMounts.run { [unowned shelf] in
        #expect(PrivateMounts.tmpfs(shelf.directory, size: "256k"))
        #expect(throws: Never.self) { try body(shelf) }
      }
      // The last to let go of it removes the directory, which needs a thread without the mount.
      withExtendedLifetime(shelf) {}
    }

    /// Runs a body with a shelf that can be made read-only.
    private static func onBind(_ body: @escaping @Sendable (Shelf) throws -> Void) {
      let shelf = Shelf()
      PrivateMounts.run { [unowned shelf] in
        #expect(PrivateMounts.bindToItself(shelf.directory))
        #expect(throws: Never.self) { try body(shelf) }
      }
      // The last to let go of it removes the directory, which needs a thread without the mount.
      withExtendedLifetime(shelf) {}
    }

    private static func fill(_ shelf: Shelf) {
      let fd = open(shelf.directory + "/fill", O_WRONLY | O_CREAT, 0o600)
      let block = [UInt8](repeating: 1, count: 4096)
      while write(fd, block, block.count) > 0 {}
      #expect(errno == ENOSPC)
      close(fd)
    }

    private static func free(_ shelf: Shelf) {
      unlink(shelf.directory + "/fill")
    }

    @Test("On a full disk a change fails, is kept if asked, and is stored when there is room")
    func full() {
      Self.onTmpfs { shelf throws in
        let store = try shelf.open()
        var stored = Set((1...10).map { timer($0) })
        #expect(store.saveAndWait(Array(stored)) == nil)
        Self.fill(shelf)
        // A commit or two may find room in the log's last page.
        var number: UInt64 = 100
        var error: StoreError?
        while error == nil, number < 150 {
          error = store.saveAndWait([timer(number)], keepOnFailure: false)
          if error == nil { stored.insert(timer(number)) }
          number += 1
        }
        #expect(error?.kind == .full)
        #expect(!store.hasPending)
        #expect(store.saveAndWait([timer(1, "new"), timer(200)])?.kind == .full)
        #expect(store.hasPending && store.figures.lastError?.kind == .full)
        #expect(try store.records().records == stored)
        #expect(store.retryAndWait()?.kind == .full)
        Self.free(shelf)
        #expect(store.retryAndWait() == nil)
        #expect(!store.hasPending && store.figures.lastError == nil)
        stored.remove(timer(1))
        stored.formUnion([timer(1, "new"), timer(200)])
        #expect(try store.records().records == stored)
        store.close()
        #expect(try shelf.open().records().records == stored)
      }
    }

    @Test("What is kept after a failure is stored at the end, if there is room by then")
    func fullUntilEnd() {
      Self.onTmpfs { shelf throws in
        let store = try shelf.open()
        #expect(store.saveAndWait([timer(1)]) == nil)
        Self.fill(shelf)
        var number: UInt64 = 100
        while store.saveAndWait([timer(number)]) == nil, number < 150 { number += 1 }
        #expect(store.hasPending)
        Self.free(shelf)
        store.close()
        #expect(try shelf.open().records().records.contains(timer(number)))
      }
    }

    @Test("A store on a full disk opens, and is written when there is room")
    func fullAtStart() {
      Self.onTmpfs { shelf throws in
        let first = try shelf.open()
        #expect(first.saveAndWait([timer(1)]) == nil)
        first.close()
        Self.fill(shelf)
        let store = try shelf.open()
        #expect(try store.records().records == [timer(1)])
        #expect(store.saveAndWait([timer(2)])?.kind == .full)
        Self.free(shelf)
        #expect(store.retryAndWait() == nil)
        store.close()
        #expect(try shelf.open().records().records == [timer(1), timer(2)])
      }
    }

    @Test(
      "A damaged store on a full disk rings from its backup, and is repaired when there is room"
    )
    func damagedAndFull() {
      Self.onTmpfs { shelf throws in
        let first = try shelf.open()
        #expect(first.saveAndWait((0..<300).map { timer($0) }) == nil)
        first.close()
        try shelf.write(Data("x".utf8))
        Self.fill(shelf)
        let store = try shelf.open()
        #expect(try store.records().records.count == 300)
        #expect(try #require(store.warnings.first).contains(shelf.backup))
        #expect(try shelf.bytes() == Data("x".utf8))
        #expect(store.saveAndWait([timer(2, "new")])?.kind == .full)
        Self.free(shelf)
        #expect(store.saveAndWait([timer(3, "new")]) == nil)
        store.close()
        let again = try shelf.open().records().records
        #expect(again.count == 300)
        #expect(again.isSuperset(of: [timer(2, "new"), timer(3, "new")]))
        #expect(try shelf.damaged().count == 1)
      }
    }

    @Test("No store is left where there was no room to make one")
    func fullAtFirst() {
      Self.onTmpfs { shelf throws in
        Self.fill(shelf)
        let error = failure { try shelf.open() }
        #expect(error?.kind == .full)
        Self.free(shelf)
        #expect(try shelf.open().warnings.isEmpty)
      }
    }

    @Test(
      "On a read-only file system alarms are read, and stored when it takes writes",
      arguments: [false, true]
    )
    func readOnly(withLog: Bool) {
      Self.onBind { shelf throws in
        let first = try shelf.open()
        #expect(first.saveAndWait([timer(1)]) == nil)
        let main = try shelf.bytes()
        let log = try shelf.bytes("store.db-wal")
        first.close()
        if withLog {
          // As a kill would have left it.
          try shelf.write(main)
          try shelf.write(log, "store.db-wal")
          unlink(shelf.backup)
        }
        #expect(PrivateMounts.setReadOnly(shelf.directory, true))
        let store = try shelf.open()
        #expect(try store.records().records == [timer(1)])
        #expect(try #require(store.warnings.first).contains("nothing can be changed"))
        #expect(store.saveAndWait([timer(2)])?.kind == .readOnly)
        #expect(store.saveAndWait([timer(3)], keepOnFailure: false)?.kind == .readOnly)
        #expect(store.hasPending)
        #expect(PrivateMounts.setReadOnly(shelf.directory, false))
        #expect(store.retryAndWait() == nil)
        #expect(try store.records().records == [timer(1), timer(2)])
        let rival = failure { try shelf.open() }
        #expect(rival?.kind == .locked(pid: getpid()))
        store.close()
        #expect(try shelf.open().records().records == [timer(1), timer(2)])
      }
    }

    @Test("An older store on a read-only file system rings, and is brought up to date later")
    func olderAndReadOnly() {
      Self.onBind { shelf throws in
        try shelf.write(Data())
        try shelf.execute(StoreVersionTests.version1)
        #expect(PrivateMounts.setReadOnly(shelf.directory, true))
        let store = try shelf.open()
        #expect(try store.records().records.map(\.alarm.title) == ["Wake up"])
        #expect(try store.owedIntents() == OwedIntents())
        #expect(store.saveAndWait([timer(2)])?.kind == .readOnly)
        #expect(PrivateMounts.setReadOnly(shelf.directory, false))
        #expect(store.retryAndWait() == nil)
        store.close()
        #expect(try shelf.open().records().records.count == 2)
      }
    }

    @Test("A first start on a read-only file system says so")
    func readOnlyAtFirst() {
      Self.onBind { shelf throws in
        #expect(PrivateMounts.setReadOnly(shelf.directory, true))
        let error = failure { try shelf.open() }
        #expect(error?.kind == .readOnly)
      }
    }

    @Test("A damaged store on a read-only file system rings from its backup")
    func damagedAndReadOnly() {
      Self.onBind { shelf throws in
        let first = try shelf.open()
        #expect(first.saveAndWait([timer(1)]) == nil)
        first.close()
        try shelf.write(Data("x".utf8))
        #expect(PrivateMounts.setReadOnly(shelf.directory, true))
        let store = try shelf.open()
        #expect(try store.records().records == [timer(1)])
        #expect(try #require(store.warnings.first).contains(shelf.backup))
        let rival = failure { try shelf.open() }
        #expect(rival?.kind == .locked(pid: getpid()) || rival?.kind == .locked(pid: nil))
        #expect(PrivateMounts.setReadOnly(shelf.directory, false))
      }
    }
  }

  // MARK: The lock

  @Test("A second store on the same file is refused with the first one's process")
  func second() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    let error = failure { try shelf.open() }
    #expect(error?.kind == .locked(pid: getpid()))
    #expect("\(try #require(error))".contains("process \(getpid())"))
    store.close()
    #expect(throws: Never.self) { try shelf.open() }
  }

  @Test("A lock that cannot be written is a lock all the same")
  func unwritableLock() {
    guard PrivateMounts.isPossible else { return }
    let shelf = Shelf()
    PrivateMounts.run { [unowned shelf] in
      let holder = open(shelf.path + ".lock", O_RDONLY | O_CREAT, 0o600)
      #expect(flock(holder, LOCK_EX) == 0)
      #expect(PrivateMounts.bindToItself(shelf.directory))
      #expect(PrivateMounts.setReadOnly(shelf.directory, true))
      let error = failure { try shelf.open() }
      #expect(error?.kind == .locked(pid: nil))
      close(holder)
    }
    withExtendedLifetime(shelf) {}
  }

  @Test("The lock of a process that was killed is taken over")
  func killedHolder() throws {
    let shelf = Shelf()
    let holder = Process()
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
    holder.arguments = [
      "--no-fork", shelf.path + ".lock", "sh", "-c",
      "echo $$ > \(shelf.path).lock; echo ready; exec sleep 600",
    ]
    let output = Pipe()
    holder.standardOutput = output
    try holder.run()
    #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
    let error = failure { try shelf.open() }
    #expect(error?.kind == .locked(pid: holder.processIdentifier))
    kill(holder.processIdentifier, SIGKILL)
    holder.waitUntilExit()
    #expect(throws: Never.self) { try shelf.open() }
  }

  @Test("Symbolic links in place of the lock or the store are refused, in the directory followed")
  func links() async throws {
    let shelf = Shelf()
    let other = Shelf()
    try other.write(Data(), "file")
    symlink(other.directory + "/file", shelf.path + ".lock")
    let lock = failure { try shelf.open() }
    #expect(lock?.kind == .cannotOpen)
    unlink(shelf.path + ".lock")
    symlink(other.directory + "/file", shelf.path)
    let main = failure { try shelf.open() }
    #expect(main?.kind == .cannotOpen)
    #expect(try other.bytes("file").isEmpty)
    unlink(shelf.path)
    symlink(other.directory, shelf.directory + "/link")
    let store = try Store(.file(shelf.directory + "/link/store.db"), bootID: "b")
    #expect(await store.save([timer(1)]) == nil)
    store.close()
    #expect(try other.open().records().records == [timer(1)])
  }

  // MARK: What is kept

  @Test("Of each alarm only the newest state is kept, of the record the last thousand lines")
  func pending() {
    var pending = PendingChanges()
    pending.keep([.save(timer(1, "a")), .save(timer(2)), .record(entry(1, at: 1, .fired))])
    pending.keep([.save(timer(1, "b")), .delete(timer(2).alarm.id)])
    #expect(
      Set(pending.changes) == [
        .save(timer(1, "b")), .delete(timer(2).alarm.id), .record(entry(1, at: 1, .fired)),
      ]
    )
    #expect(pending.changes.last == .record(entry(1, at: 1, .fired)))
    for second in 0..<2_000 { pending.keep([.record(entry(1, at: Int64(second), .snoozed))]) }
    #expect(pending.count == PendingChanges.historyLimit + 2)
    #expect(pending.lostHistory == 1_001)
    #expect(pending.changes.last == .record(entry(1, at: 1_999, .snoozed)))
    pending.removeAll()
    #expect(pending.isEmpty)
  }

  @Test("What is owed is kept until it is paid; what was never stored needs no undoing")
  func pendingIntents() {
    var pending = PendingChanges()
    pending.keep([.owe(owedIntent(1)), .owe(owedIntent(2)), .pay(3)])
    #expect(pending.count == 3)
    pending.keep([.pay(1)])
    #expect(Set(pending.changes) == [.owe(owedIntent(2)), .pay(3)])
    pending.removeAll()
    #expect(pending.isEmpty)
  }
}
