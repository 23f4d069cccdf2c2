/// One ring of a schedule: the local date it belongs to, and the instant.
///
/// The date is its identity: an alarm never rings twice for one date, whatever becomes of clocks
/// and zones in between.
public struct Occurrence: Hashable, Sendable {
  /// What a change of the zone's offset did to the time that was said.
  public enum Shift: Hashable, Sendable {
    /// Nothing.
    case none
    /// The time does not exist on that date; the clocks go from one offset to the other over it.
    ///
    /// Both in seconds east of UTC; it rings as read with the first.
    case gap(from: Int32, to: Int32)
    /// The time exists twice on that date; it rings at the first.
    case fold
  }

  /// When it rings.
  public let instant: Instant
  /// The date it belongs to; where a gap ends at midnight it rings on the date after.
  public let date: CivilDate
  /// What a change of the zone's offset did to the time that was said.
  public let shift: Shift

  /// An occurrence of that date at that instant.
  public init(instant: Instant, date: CivilDate, shift: Shift) {
    self.instant = instant
    self.date = date
    self.shift = shift
  }
}

extension WallSchedule {
  /// The occurrence that belongs to that date, if the schedule names it.
  public func occurrence(on date: CivilDate, in zone: Zone) -> Occurrence? {
    date == days.next(onOrAfter: date) ? resolved(date, in: zone) : nil
  }

  /// The first occurrence after that instant.
  ///
  /// It belongs to the earliest date that the schedule names, that comes after `afterDate`, and
  /// whose instant is later than `instant`. Between the two passes of a repeated time that is the
  /// next date named, as the first pass is over.
  ///
  /// - Parameters:
  ///   - instant: the occurrence is strictly later.
  ///   - zone: whose clocks count; `self.zone` is only a name, and the caller's to look up.
  ///   - afterDate: the date of the last occurrence that rang, so that a clock set back does not
  ///     ring it again; nil if none did.
  /// - Returns: nil if there is no further occurrence.
  public func next(
    after instant: Instant,
    in zone: Zone,
    afterDate: CivilDate? = nil
  ) -> Occurrence? {
    // Yesterday's time may still be to come: a gap that ends at midnight moves it to today.
    var date = zone.date(at: instant).adding(days: -1)
    if let afterDate, afterDate >= date { date = afterDate.adding(days: 1) }
    // No change of offset moves an occurrence by more than a day, so a few dates decide.
    for _ in 0..<8 {
      guard let named = days.next(onOrAfter: date) else { return nil }
      let occurrence = resolved(named, in: zone)
      if occurrence.instant > instant { return occurrence }
      date = named.adding(days: 1)
    }
    return nil
  }

  /// The last occurrence later than `start` and not later than `end`.
  ///
  /// What a machine that was off from `start` to `end` has missed last; the cost does not grow
  /// with the time between them. For a schedule without a day it is the first, its only one.
  ///
  /// - Parameters:
  ///   - end: the occurrence is at this instant or earlier.
  ///   - start: the occurrence is strictly later.
  ///   - zone: whose clocks count.
  ///   - afterDate: the occurrence belongs to a later date; nil for any.
  /// - Returns: nil if none lies between.
  public func latest(
    atOrBefore end: Instant,
    after start: Instant,
    in zone: Zone,
    afterDate: CivilDate? = nil
  ) -> Occurrence? {
    if days == .once {
      let only = next(after: start, in: zone, afterDate: afterDate)
      return only.flatMap { $0.instant <= end ? $0 : nil }
    }
    // Tomorrow's time may be over: clocks put back over midnight show today's date once more.
    var date = zone.date(at: end).adding(days: 1)
    for _ in 0..<8 {
      guard let named = days.previous(onOrBefore: date) else { return nil }
      if let afterDate, named <= afterDate { return nil }
      let occurrence = resolved(named, in: zone)
      if occurrence.instant <= end { return occurrence.instant > start ? occurrence : nil }
      date = named.adding(days: -1)
    }
    return nil
  }

  private func resolved(_ date: CivilDate, in zone: Zone) -> Occurrence {
    let resolution = zone.resolve(date, time)
    let shift: Occurrence.Shift =
      switch resolution {
      case .unique: .none
      case .gap(_, let before, let after): .gap(from: before, to: after)
      case .fold: .fold
      }
    return Occurrence(instant: resolution.instant, date: date, shift: shift)
  }
}

extension WallSchedule.Days {
  /// The first date named that is that date or later.
  func next(onOrAfter date: CivilDate) -> CivilDate? {
    switch self {
    case .once: return date
    case .on(let only): return only >= date ? only : nil
    case .weekly(let set):
      if set.isEmpty { return nil }
      // The week twice over, from this weekday on.
      let twice = UInt16(set.rawValue) | UInt16(set.rawValue) << 7
      let ahead = twice >> UInt16(date.weekday.rawValue)
      return date.adding(days: ahead.trailingZeroBitCount)
    case .calendar(let days): return days.next(onOrAfter: date)
    }
  }

  /// The last date named that is that date or earlier.
  func previous(onOrBefore date: CivilDate) -> CivilDate? {
    switch self {
    case .once: return date
    case .on(let only): return only <= date ? only : nil
    case .weekly(let set):
      if set.isEmpty { return nil }
      let twice = UInt16(set.rawValue) << 9 | UInt16(set.rawValue) << 2
      let behind = twice << UInt16(6 - date.weekday.rawValue)
      return date.adding(days: -behind.leadingZeroBitCount)
    case .calendar(let days): return days.previous(onOrBefore: date)
    }
  }
}
