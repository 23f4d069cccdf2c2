import Testing
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

/// What is stored comes back as it was.
@Suite struct AlarmRowTests {
  /// Records that between them use every column.
  static let samples: [(name: String, record: AlarmRecord)] = {
    var samples: [(String, AlarmRecord)] = []
    func add(_ name: String, _ change: (inout AlarmRecord) -> Void) {
      var record = timer(UInt64(samples.count))
      change(&record)
      samples.append((name, record))
    }
    let time = TimeOfDay(hour: 23, minute: 59, second: 58)
    func wall(_ make: (TimeOfDay) -> WallSchedule) -> Schedule? {
      time.map { .wall(make($0)) }
    }
    add("timer") { _ in }
    add("empty title") { $0.alarm.title = "" }
    add("title with a zero byte and an emoji") { $0.alarm.title = "a\0b ⏰" }
    add("longest title") { $0.alarm.title = String(repeating: "x", count: AlarmLimits.titleBytes) }
    add("disabled") { $0.alarm.isEnabled = false }
    add("fixed, to the microsecond") {
      $0.alarm.schedule = .fixed(Instant(microseconds: 1_806_148_800_750_001))
    }
    add("before 1970") { $0.alarm.schedule = .fixed(Instant(microseconds: -1)) }
    add("once") { $0.alarm.schedule = wall { WallSchedule(time: $0, days: .once) } }
    add("in a zone") {
      $0.alarm.schedule = wall { WallSchedule(time: $0, days: .once, zone: "Europe/Berlin") }
    }
    add("on a date") {
      $0.alarm.schedule = wall {
        WallSchedule(time: $0, days: .on(CivilDate(daysSince1970: 20_904)))
      }
    }
    add("weekly") {
      $0.alarm.schedule = wall {
        WallSchedule(time: $0, days: .weekly(WeekdaySet(rawValue: 0b0011111)))
      }
    }
    add("no countdown, only a snooze") {
      $0.alarm.countdown = CountdownDuration(preAlert: nil, postAlert: 0.1)
    }
    add("dates and serial") {
      $0.nextDate = CivilDate(daysSince1970: 20_904)
      $0.lastRing = LastRing(date: CivilDate(daysSince1970: -1), hour: .min)
      $0.skips = CivilDate(daysSince1970: 20_905)
      $0.serial = .max
      $0.isRetired = true
    }
    add("options") {
      $0.alarm.options.sound = "birds.ogg"
      $0.alarm.options.volume = 0.8
      $0.alarm.options.labels = ["kitchen", "ü"]
      $0.alarm.options.metadata = .object(["a": .array([.null, .integer(1), .number(0.5)])])
      $0.alarm.options.buttons = [AlarmButton(role: .stop, text: "Up")]
      $0.alarm.options.snoozeLimit = 0
    }
    func activity(_ phase: Activity.Phase) -> Activity {
      var activity = Activity(
        origin: Instant(microseconds: 11),
        date: CivilDate(daysSince1970: 20_904),
        due: Instant(microseconds: 12),
        phase: phase
      )
      activity.snoozes = .max
      activity.autoSnoozes = 3
      activity.isTrusted = false
      return activity
    }
    let deadline = Activity.Deadline(wall: Instant(microseconds: 1_750_000), boot: 999)
    add("counting down") {
      $0.activity = activity(
        .countdown(
          .init(
            start: Instant(microseconds: 13),
            end: deadline,
            total: 1_800_000_000,
            elapsed: 5,
            isSnooze: true
          )
        )
      )
    }
    add("counting down by the wall clock") {
      $0.activity = activity(
        .countdown(
          .init(
            start: Instant(microseconds: 13),
            end: .init(wall: Instant(microseconds: 7), boot: nil),
            total: 1,
            elapsed: 0,
            isSnooze: false
          )
        )
      )
    }
    add("paused") {
      $0.activity = activity(.paused(total: 1_800_000_000, elapsed: 300_000_000, isSnooze: false))
    }
    add("alerting") {
      $0.activity = activity(
        .alerting(.init(fired: Instant(microseconds: 14), late: 5_000_000, end: deadline))
      )
    }
    add("alerting until answered") {
      $0.activity = activity(.alerting(.init(fired: Instant(microseconds: 14), late: 0, end: nil)))
      $0.activity?.date = nil
    }
    return samples
  }()

  @Test("A record comes back as it was", arguments: samples.indices)
  func roundTrip(index: Int) async throws {
    let record = Self.samples[index].record
    let store = try Store(.memory, bootID: "boot-1")
    #expect(await store.save([record]) == nil)
    let loaded = try store.records()
    #expect(loaded.records == [record], "\(Self.samples[index].name)")
    #expect(loaded.faults.isEmpty)
  }

  @Test(
    "A calendar comes back as it was",
    .enabled(if: CalendarDays("*-*-1") != nil, "needs the calendar's text")
  )
  func calendar() async throws {
    let time = try #require(TimeOfDay(hour: 7, minute: 0))
    let days = try #require(CalendarDays("*-*-1"))
    var record = timer(1)
    record.alarm.schedule = .wall(WallSchedule(time: time, days: .calendar(days)))
    let store = try Store(.memory, bootID: "boot-1")
    #expect(await store.save([record]) == nil)
    #expect(try store.records().records == [record])
  }

  @Test("Nothing of an older state is left when a record is saved again")
  func replace() async throws {
    let store = try Store(.memory, bootID: "boot-1")
    for sample in Self.samples {
      var record = sample.record
      record.alarm.id = AlarmID(high: 1, low: 1)
      #expect(await store.save([record]) == nil)
      #expect(try store.records().records == [record], "\(sample.name)")
    }
  }

  @Test("A hundred times through the file, a deadline is where it was, to the microsecond")
  func noDrift() async throws {
    let shelf = Shelf()
    var record = timer(1)
    record.activity = Activity(
      origin: someDay,
      date: nil,
      due: someDay,
      phase: .countdown(
        .init(
          start: someDay,
          end: .init(wall: Instant(microseconds: someDay.microseconds + 750_123), boot: 42),
          total: 1_800_000_000,
          elapsed: 0,
          isSnooze: false
        )
      )
    )
    let first = record
    for _ in 0..<100 {
      let store = try shelf.open()
      #expect(await store.save([record]) == nil)
      record = try #require(try store.records().records.first)
      store.close()
    }
    #expect(record == first)
  }

  @Test(
    "After another boot a deadline on the clock since boot is found from the wall clock",
    arguments: [
      ("boot-1", 999, 999),
      ("boot-2", 999, 5_000_000 + 3_600_000_000),
      ("boot-2", nil, nil),
    ] as [(String, BootTime?, BootTime?)]
  )
  func reboot(boot: String, stored: BootTime?, expected: BootTime?) async throws {
    let shelf = Shelf()
    let hour: Int64 = 3_600_000_000
    var record = timer(1)
    let deadline = Activity.Deadline(
      wall: Instant(microseconds: someDay.microseconds + hour),
      boot: stored
    )
    record.activity = Activity(
      origin: someDay,
      date: nil,
      due: someDay,
      phase: .countdown(
        .init(start: someDay, end: deadline, total: 2 * hour, elapsed: 0, isSnooze: false)
      )
    )
    var ringing = timer(2)
    ringing.activity = Activity(
      origin: someDay,
      date: nil,
      due: someDay,
      phase: .alerting(.init(fired: someDay, late: 0, end: deadline))
    )
    let store = try shelf.open()
    #expect(await store.save([record, ringing]) == nil)
    store.close()
    let loaded = try shelf.open(boot: boot).records(wallNow: someDay, bootNow: 5_000_000).records
    #expect(loaded.count == 2)
    for record in loaded {
      switch record.activity?.phase {
      case .countdown(let countdown):
        #expect(countdown.end.boot == expected)
        #expect(countdown.end.wall == deadline.wall)
        #expect(countdown.total == 2 * hour)
      case .alerting(let alert): #expect(alert.end?.boot == expected)
      case .paused, nil: Issue.record("the activity is lost")
      }
    }
  }

  @Test("Options that are no JSON are refused alone, and are not tried again")
  func refusedOptions() async throws {
    var bad = timer(1)
    bad.alarm.options.volume = .infinity
    let store = try Store(.memory, bootID: "boot-1")
    #expect(await store.save([bad])?.kind == .rejected)
    #expect(!store.hasPending)
    #expect(await store.save([timer(2)]) == nil)
    #expect(try store.records().records == [timer(2)])
  }

  @Test("Metadata nested as deep as JSON is read does not overflow the store's thread")
  func deepMetadata() async throws {
    var value = JSONValue.null
    for _ in 0..<400 { value = .array([value]) }
    var deep = timer(1)
    deep.alarm.options.metadata = value
    let store = try Store(.memory, bootID: "boot-1")
    #expect(await store.save([deep]) == nil)
    #expect(try store.records().records == [deep])
  }
}
