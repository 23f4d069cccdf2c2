import Foundation
import Synchronization
import Testing
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

/// Prints what the store costs, beside what the file system alone costs; asserts nothing about time.
///
/// Run it with `TOCSIN_MEASURE=1 swift test -c release --filter StoreMeasurements`.
@Suite(
  .serialized,
  .enabled(if: ProcessInfo.processInfo.environment["TOCSIN_MEASURE"] != nil, "a measurement")
)
struct StoreMeasurements {
  private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(body) / .milliseconds(1)
  }

  private static func report(_ name: String, _ samples: [Double]) {
    let sorted = samples.sorted()
    func part(_ share: Double) -> String {
      String(format: "%.3f", sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
    }
    print("measured \(name): p50 \(part(0.5)) ms, p99 \(part(0.99)) ms, \(samples.count) times")
  }

  /// Milliseconds of one write of two pages and one fdatasync.
  private static func syncs(_ shelf: Shelf, _ count: Int, overwriting: Bool) -> [Double] {
    let fd = open(shelf.directory + "/floor", O_RDWR | O_CREAT, 0o600)
    defer { close(fd) }
    let block = [UInt8](repeating: 1, count: 8_240)
    for index in 0..<(overwriting ? count : 0) {
      pwrite(fd, block, block.count, off_t(index * block.count))
    }
    fsync(fd)
    return (0..<count).map { index in
      milliseconds {
        pwrite(fd, block, block.count, off_t(index * block.count))
        fdatasync(fd)
      }
    }
  }

  @Test func commits() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    func changes(_ number: UInt64) -> [StoreChange] {
      [.save(timer(number)), .record(entry(number, at: 0, .scheduled))]
    }
    // In turns, so that a neighbour's load falls on all of them.
    var grown: [Double] = []
    var written: [Double] = []
    var single: [Double] = []
    for round in 0..<10 {
      grown += Self.syncs(shelf, 50, overwriting: false)
      unlink(shelf.directory + "/floor")
      written += Self.syncs(shelf, 50, overwriting: true)
      unlink(shelf.directory + "/floor")
      for number in 0..<50 {
        let changes = changes(UInt64(round * 50 + number))
        single.append(
          Self.milliseconds {
            let done = DispatchSemaphore(value: 0)
            store.commit(changes) { _ in done.signal() }
            done.wait()
          }
        )
      }
      _ = await store.tidied()
    }
    Self.report("write and fdatasync, file growing", grown)
    Self.report("write and fdatasync, in place", written)
    Self.report("one client's commit", single)
    let before = store.figures
    let each = Mutex<[Double]>([])
    let whole = Self.milliseconds {
      let threads = DispatchGroup()
      for lane in 0..<8 {
        threads.enter()
        Thread {
          for number in 0..<200 {
            let time = Self.milliseconds {
              let done = DispatchSemaphore(value: 0)
              store.commit([.save(timer(UInt64(10_000 + lane * 1_000 + number)))]) { _ in
                done.signal()
              }
              done.wait()
            }
            each.withLock { $0.append(time) }
          }
          threads.leave()
        }.start()
      }
      threads.wait()
    }
    Self.report("a commit of one of eight clients", each.withLock { $0 })
    let transactions = store.figures.transactions - before.transactions
    print("measured eight clients: 1600 commits in \(transactions) transactions, \(whole) ms")
  }

  /// Kilobytes of private memory that were written to.
  private static func privateDirty() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
    return line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0
  }

  @Test func memory() async throws {
    let shelf = Shelf()
    let first = try shelf.open()
    #expect(await first.save((0..<10_000).map { timer($0) }) == nil)
    first.close()
    let before = try Self.privateDirty()
    let store = try shelf.open()
    _ = try store.load(wallNow: someDay, bootNow: 0) { _ in }
    print("measured memory: \(try Self.privateDirty() - before) kB after loading 10,000 alarms")
    for number in 0..<100 { #expect(await store.save([timer(UInt64(number))]) == nil) }
    print("measured memory: \(try Self.privateDirty() - before) kB after 100 commits")
    _ = await store.tidied()
    print("measured memory: \(try Self.privateDirty() - before) kB after a quiet moment")
    store.close()
  }

  @Test(arguments: [(1_000, false), (100_000, false), (100_000, true), (1_000_000, false)])
  func load(count: Int, options: Bool) async throws {
    let shelf = Shelf()
    let time = try #require(TimeOfDay(hour: 7, minute: 30))
    let store = try shelf.open()
    var generator = SystemRandomNumberGenerator()
    let fill = Self.milliseconds {
      var changes: [StoreChange] = []
      for number in 0..<count {
        var alarm = Alarm(
          id: AlarmID(using: &generator),
          title: "Alarm number \(number)",
          schedule: .wall(WallSchedule(time: time, days: .weekly(WeekdaySet(rawValue: 31))))
        )
        if options { alarm.options.sound = "birds.ogg" }
        var record = AlarmRecord(alarm: alarm)
        record.nextDate = CivilDate(daysSince1970: 20_000)
        changes.append(.save(record))
        if changes.count == 10_000 || number == count - 1 {
          let done = DispatchSemaphore(value: 0)
          store.commit(changes) { _ in done.signal() }
          done.wait()
          changes = []
        }
      }
    }
    let end = Self.milliseconds { store.close() }
    let size = try shelf.bytes().count
    print("measured \(count) alarms: filled \(fill) ms, closed \(end) ms, \(size) bytes")
    var opens: [Double] = []
    var loads: [Double] = []
    var backups: [Double] = []
    for _ in 0..<5 {
      var opened: Store?
      opens.append(try Self.milliseconds { opened = try shelf.open() })
      var loaded = 0
      loads.append(
        try Self.milliseconds {
          _ = try opened?.load(wallNow: someDay, bootNow: 0) { _ in loaded += 1 }
        }
      )
      #expect(loaded == count)
      let target = shelf.directory + "/copy.db"
      let clock = ContinuousClock()
      let start = clock.now
      _ = await opened?.backedUp(to: target)
      backups.append((clock.now - start) / .milliseconds(1))
      opened?.close()
    }
    let name = "\(count) alarms\(options ? " with options" : "")"
    Self.report("opening with \(name)", opens)
    Self.report("loading \(name)", loads)
    Self.report("backing up \(name)", backups)
  }
}
