package import TocsinTime

/// The last occurrence of a schedule that rang on a trusted clock.
package struct LastRing: Hashable, Sendable {
  /// Its nominal local date.
  package var date: CivilDate
  /// The hour of the wall clock in which it rang, in hours since 1970-01-01T00:00Z.
  ///
  /// A date alone does not say how far the clock was set back since: it depends on the zone.
  package var hour: Int32

  package init(date: CivilDate, hour: Int32) {
    self.date = date
    self.hour = hour
  }

  /// One that rings now; nil without a date, for what is no schedule's.
  init?(_ date: CivilDate?, at wall: Instant) {
    guard let date else { return nil }
    self.init(date: date, hour: wall.hour)
  }

  /// Whether it rang more than a day ahead of an instant, thus on a clock that was wrong.
  func isAhead(of wall: Instant) -> Bool {
    Int64(hour) - Int64(wall.hour) > 24
  }
}

extension Instant {
  /// Whole hours since 1970-01-01T00:00Z, rounded down; it stops at the ends of its range.
  fileprivate var hour: Int32 { Int32(clamping: seconds.flooredQuotient(by: 3_600)) }
}

/// A last ring or none, in eight bytes where an optional takes twelve.
@propertyWrapper
struct PackedRing: Hashable, Sendable {
  @PackedDate private var date: CivilDate?
  private var hour: Int32 = 0

  init() {}

  var wrappedValue: LastRing? {
    get { date.map { LastRing(date: $0, hour: hour) } }
    set { (date, hour) = (newValue?.date, newValue?.hour ?? 0) }
  }
}
