import TocsinModel
import TocsinTime

/// One alarm in the table: 88 bytes; what is rare stands in boxes.
struct Entry: Sendable {
  // In this order it leaves no gaps.

  var id: AlarmID
  /// Where its title stands in the table's titles.
  var title = Titles.Place.empty
  /// Microseconds; 0 without a countdown before the alert.
  var preAlert: Int64
  var extras: Extras?
  var active: Active?
  /// When the next occurrence of the schedule is due by the wall clock; `Entry.never` if none is.
  var due = Entry.never
  var rule: Rule
  var isEnabled: Bool
  var isRetired = false
  /// True for a slot that holds no alarm.
  var isFree = false
  /// The nominal local date of the next occurrence.
  @PackedDate var nextDate: CivilDate?
  /// The last occurrence that rang on a trusted clock.
  @PackedRing var lastRing: LastRing?
  /// The nominal local date to leave out.
  @PackedDate var skips: CivilDate?
  var serial: UInt32 = 0

  static let never = Int64.max

  /// When it is due, packed; the rare forms are boxed.
  enum Rule: Hashable, Sendable {
    case timer
    case fixed(Instant)
    case weekly(TimeOfDay, WeekdaySet)
    case once(TimeOfDay)
    case other(Boxed)
  }

  /// A wall schedule with a date, a zone or a calendar expression.
  final class Boxed: Hashable, Sendable {
    let schedule: WallSchedule

    init(_ schedule: WallSchedule) { self.schedule = schedule }

    static func == (one: Boxed, other: Boxed) -> Bool { one.schedule == other.schedule }

    func hash(into hasher: inout Hasher) { hasher.combine(schedule) }
  }

  /// What most alarms leave to the daemon.
  final class Extras: Sendable {
    let postAlert: Double?
    let options: SharedOptions

    init(postAlert: Double?, options: SharedOptions) {
      self.postAlert = postAlert
      self.options = options
    }
  }

  /// The occurrence under way, and the number of the last event about it.
  final class Active: Sendable {
    let activity: Activity
    /// True if its deadline was worked out from the wall clock after a reboot.
    let isFromEarlierBoot: Bool
    /// True if it went on before a restart and was not answered since.
    let isResumed: Bool
    let seq: UInt64

    init(
      _ activity: Activity,
      seq: UInt64,
      isFromEarlierBoot: Bool = false,
      isResumed: Bool = false
    ) {
      self.activity = activity
      self.seq = seq
      self.isFromEarlierBoot = isFromEarlierBoot
      self.isResumed = isResumed
    }
  }

  init(_ alarm: Alarm) {
    id = alarm.id
    rule = Rule(alarm.schedule)
    preAlert = alarm.countdown.preAlert.map(microseconds) ?? 0
    isEnabled = alarm.isEnabled
    if alarm.countdown.postAlert != nil || alarm.sharedOptions.chosen != nil {
      extras = Extras(postAlert: alarm.countdown.postAlert, options: alarm.sharedOptions)
    }
  }

  /// What was chosen for it; nil if every choice was left open.
  var chosen: SharedOptions.Chosen? { extras?.options.chosen }
  var kind: AlarmKind { rule == .timer ? .timer : .alarm }
  /// The program it belongs to; nil for a person's own.
  var application: String? { extras?.options.application }
  var priority: Int { chosen?.options.priority ?? 0 }
  var activity: Activity? { active?.activity }

  var state: AlarmState {
    switch activity?.phase {
    case nil: .scheduled
    case .countdown: .countdown
    case .paused: .paused
    case .alerting: .alerting
    }
  }

  /// The identity of the occurrence that began at `origin`, now or before a crash.
  func occurrence(from origin: Instant) -> OccurrenceID {
    OccurrenceID(alarm: id, origin: origin, serial: serial)
  }

  /// When the wall clock next matters to it: the end of a countdown that the wall clock governs, the
  /// time of its schedule, or the countdown before that, which begins only when nothing else is under way.
  var wallDeadline: Int64? {
    var key = Entry.never
    if isEnabled, due != Entry.never { key = activity == nil ? due - preAlert : due }
    if case .countdown(let countdown) = activity?.phase, countdown.end.boot == nil {
      key = min(key, countdown.end.wall.microseconds)
    }
    return key == Entry.never ? nil : key
  }

  /// When the clock since boot next matters to it.
  var bootDeadline: Int64? {
    switch activity?.phase {
    case .countdown(let countdown): countdown.end.boot
    case .alerting(let alert): alert.end?.boot
    case .paused, nil: nil
    }
  }
}

extension Entry.Rule {
  init(_ schedule: Schedule?) {
    switch schedule {
    case nil: self = .timer
    case .fixed(let instant): self = .fixed(instant)
    case .wall(let wall):
      switch (wall.zone, wall.days) {
      case (nil, .weekly(let days)): self = .weekly(wall.time, days)
      case (nil, .once): self = .once(wall.time)
      default: self = .other(Entry.Boxed(wall))
      }
    }
  }

  var schedule: Schedule? {
    switch self {
    case .timer: nil
    case .fixed(let instant): .fixed(instant)
    case .weekly, .once, .other: wall.map { .wall($0) }
    }
  }

  /// The wall schedule; nil for a timer or a fixed instant.
  var wall: WallSchedule? {
    switch self {
    case .timer, .fixed: nil
    case .weekly(let time, let days): WallSchedule(time: time, days: .weekly(days))
    case .once(let time): WallSchedule(time: time, days: .once)
    case .other(let box): box.schedule
    }
  }

  /// The zone it names for itself.
  var zone: String? {
    if case .other(let box) = self { box.schedule.zone } else { nil }
  }

  /// Whether it comes again.
  var isRepeating: Bool {
    switch wall?.days {
    case .weekly, .calendar: true
    case .once, .on, nil: false
    }
  }
}

/// Microseconds of a number of seconds that validation has kept within range.
func microseconds(_ seconds: Double) -> Int64 {
  Int64((seconds * 1_000_000).rounded())
}

/// Seconds of a number of microseconds.
func seconds(_ microseconds: Int64) -> Double {
  Double(microseconds) / 1_000_000
}
