package import TocsinTime

/// The two clocks at one moment; the engine reads no others.
package struct Now: Hashable, Sendable {
  /// The wall clock: what alarms run on.
  package var wall: Instant
  /// The clock since boot, suspend included: what countdowns, snoozes and limits run on.
  package var boot: BootTime

  package init(wall: Instant, boot: BootTime) {
    self.wall = wall
    self.boot = boot
  }

  /// How far the wall clock is ahead of the clock since boot; a step changes it.
  var offset: Int64 { wall.microseconds &- boot }

  /// A span from now on, ending at a whole millisecond so that printed and real end agree.
  func deadline(after microseconds: Int64) -> Activity.Deadline {
    let end = Instant(microseconds: wall.microseconds + max(0, microseconds))
      .roundedUpToMillisecond
    return Activity.Deadline(
      wall: end,
      boot: boot + end.microseconds - wall.microseconds
    )
  }
}
