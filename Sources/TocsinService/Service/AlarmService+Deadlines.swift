import TocsinEngine
import TocsinModel
import TocsinTime

/// How the service is on time: it wakes a moment early, so that what is due finds everything warm.
extension AlarmService {
  /// How early.
  ///
  /// After some milliseconds of sleep neither the engine's code nor the encoder's is in any cache, and
  /// the first run takes ten times as long as the next. On a slow machine that is most of a millisecond,
  /// and it has to be over in time.
  private static let lead: Duration = .microseconds(1_500)

  /// When the table or the router has something to do.
  func deadlines(now moment: Now) -> (wall: Instant?, boot: BootTime?) {
    let deadlines = table.deadlines(now: moment)
    return (deadlines.wall, [deadlines.boot, router.deadline].compactMap(\.self).min())
  }

  /// Arms the reactor for the next deadlines, or for a moment before them while there is time.
  func rearm(_ moment: Now) {
    guard !isStopping else { return }
    defer { if hasReportedReady { reportStatus() } }
    // The machine's timers know nothing of clocks that are moved by hand; whoever moves them says so.
    guard !options.clocks.areMovedByHand else { return }
    let deadlines = deadlines(now: moment)
    reactor.wallDeadline = deadlines.wall.map { due in
      let early = due - Self.lead
      return early > moment.wall ? early : due
    }
    reactor.bootDeadline = deadlines.boot.map { due in
      let early = due - Self.lead.microseconds
      return early > moment.boot ? early : due
    }
  }

  /// Handles what is due, or gets ready for what will be in a moment.
  func deadlineReached() {
    let moment = now
    let deadlines = table.deadlines(now: moment)
    let isDue =
      deadlines.wall.map { $0 <= moment.wall } ?? false
      || deadlines.boot.map { $0 <= moment.boot } ?? false
    let isRouteDue = router.deadline.map { $0 <= moment.boot } ?? false
    if isRouteDue { route(.tick) }
    guard !isDue else { return run(.tick) }
    if isRouteDue { return }
    // A dry run; its result is of no use, what it touches is.
    if let preview = table.preview(now: moment) {
      _ = try? JSONLine.encode(SinkMessage.present(preview))
      var (rehearsal, table) = (router, table)
      _ = rehearsal.handle(.present(preview), now: moment, table: &table)
    }
    rearm(moment)
  }
}
