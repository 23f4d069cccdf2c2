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

/// The zones that alarms name for themselves, and how many alarms name each.
package struct ZoneUses: Sendable {
  private var counts: [String: Int] = [:]
  /// Another number whenever a name has come or gone.
  package private(set) var generation = 0

  package init() {}

  /// The names, as they were said.
  package var names: some Collection<String> { counts.keys }

  mutating func add(_ name: String?) {
    guard let name else { return }
    counts[name, default: 0] += 1
    if counts[name] == 1 { generation += 1 }
  }

  mutating func remove(_ name: String?) {
    guard let name, let count = counts[name] else { return }
    counts[name] = count > 1 ? count - 1 : nil
    if count == 1 { generation += 1 }
  }
}
