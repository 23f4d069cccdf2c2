package import TocsinTime

/// The time zones as the engine sees them: the machine's own, and others by name.
package struct Zones: Sendable {
  /// The machine's zone; nil without time zone data.
  package var local: Zone?
  /// Another zone by its IANA name; nil if there is none.
  ///
  /// Must be quick: answers are asked for again.
  package var named: @Sendable (String) -> Zone?

  package init(local: Zone?, named: @escaping @Sendable (String) -> Zone?) {
    self.local = local
    self.named = named
  }

  /// The zone a schedule is read in.
  func zone(for schedule: WallSchedule) -> Zone? {
    guard let name = schedule.zone else { return local }
    return named(name)
  }
}
