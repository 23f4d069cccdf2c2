import TocsinModel
import TocsinTime

/// When a schedule rings, and what a change of the clocks makes of the time that was said.
struct Ring: Hashable, Sendable {
  var instant: Instant
  /// The local date it belongs to.
  var date: CivilDate
  /// Why it is not the time that was said; nil if it is.
  var note: String?

  init(_ occurrence: Occurrence, time: TimeOfDay, zone: Zone) {
    instant = occurrence.instant
    date = occurrence.date
    switch occurrence.shift {
    case .none: note = nil
    case .gap:
      let rings = zone.local(at: occurrence.instant).time
      note = "\(time) does not exist that day; rings at \(rings)"
    case .fold:
      note = "\(time) comes twice that day; rings the first time"
    }
  }

  init(fixed instant: Instant, zone: Zone) {
    self.instant = instant
    date = zone.date(at: instant)
  }
}

extension Schedule {
  /// The next times it rings after the instant, at most that many.
  ///
  /// - Parameters:
  ///   - start: a time of the clock is strictly later, a fixed moment not earlier.
  ///   - zone: whose clocks count if the schedule names no zone; the caller has looked up the one it
  ///     names.
  ///   - count: 1 or more.
  /// - Returns: in their order; fewer if there are no more.
  func rings(after start: Instant, in zone: Zone, count: Int) -> [Ring] {
    switch self {
    case .fixed(let instant):
      // "Now" still rings, once.
      return instant >= start ? [Ring(fixed: instant, zone: zone)] : []
    case .wall(let wall):
      var rings: [Ring] = []
      var instant = start
      var date: CivilDate?
      while rings.count < count, let next = wall.next(after: instant, in: zone, afterDate: date) {
        rings.append(Ring(next, time: wall.time, zone: zone))
        guard wall.repeats else { break }
        // By date as well: the second pass of a repeated hour is not the next time.
        instant = next.instant
        date = next.date
      }
      return rings
    }
  }
}

/// What was understood, told back.
enum Echo {
  /// One line such as `Wake up: Tue 1 Dec 07:30 (in 8 h 12 min), then every weekday`.
  ///
  /// - Parameters:
  ///   - alarm: what was understood.
  ///   - ring: when it rings next; nil if it does not.
  ///   - now: what the time left is counted from.
  ///   - zone: whose clocks the alarm goes by.
  ///   - here: the machine's zone, told too if the alarm's own is another.
  /// - Returns: the line, without its end.
  static func line(
    _ alarm: Alarm,
    ring: Ring?,
    now: Instant,
    zone: Zone,
    here: Zone
  ) -> String {
    let title = EventText.title(alarm.title, kind: alarm.kind)
    guard let schedule = alarm.schedule else {
      return timer(alarm, title: title, now: now, zone: here)
    }
    var line = "\(title): "
    if let ring {
      if case .wall(let wall) = schedule, wall.days == .once,
        ring.date == zone.date(at: now).adding(days: 1)
      {
        line += "tomorrow, "
      }
      line += Wording.moment(ring.instant, in: zone, now: now)
      if zone.name != here.name {
        line += " \(zone.name) = \(Wording.time(ring.instant, in: here, now: now)) here"
      }
      line += " (in \(Wording.length((ring.instant - now).seconds)))"
    } else {
      line += "rings no more"
    }
    if case .wall(let wall) = schedule, let repetition = wall.repetition {
      line += ring == nil ? ", \(repetition)" : ", then \(repetition)"
    }
    if let before = alarm.countdown.preAlert {
      line += "; counts down \(Wording.length(before)) before"
    }
    if let note = ring?.note { line += "; \(note)" }
    if !alarm.isEnabled { line += "; disabled, so it does not ring" }
    return line
  }

  private static func timer(_ alarm: Alarm, title: String, now: Instant, zone: Zone) -> String {
    let seconds = alarm.countdown.preAlert ?? 0
    let end = Duration(seconds: seconds).map { now + $0 }
    let time = end.map { end in
      let isToday = zone.date(at: end) == zone.date(at: now)
      return isToday ? Wording.exactTime(end, in: zone) : Wording.moment(end, in: zone, now: now)
    }
    var line = "\(title): \(Wording.length(seconds))"
    if alarm.isEnabled { line += time.map { ", rings at \($0)" } ?? "" }
    return alarm.isEnabled ? line : line + "; disabled, so it does not count"
  }
}
