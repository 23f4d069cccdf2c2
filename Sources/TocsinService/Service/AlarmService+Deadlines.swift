import TocsinEngine
import TocsinModel
import TocsinTime

/// How the service is on time: it wakes a moment early, so that what is due finds everything warm.
extension AlarmService {
  /// How early.
  ///
  /// After some milliseconds of sleep neither the engine's code nor the encoder's is in any cache, and
  /// the first run takes ten times as long as the next.
  private static let lead: Duration = .microseconds(500)

  /// Arms the reactor for the next deadlines, or for a moment before them while there is time.
  func rearm(_ moment: Now) {
    guard !isStopping else { return }
    let deadlines = table.deadlines(now: moment)
    reactor.wallDeadline = deadlines.wall.map { due in
      let early = due - Self.lead
      return early > moment.wall ? early : due
    }
    reactor.bootDeadline = deadlines.boot.map { due in
      let early = due - Self.lead.microseconds
      return early > moment.boot ? early : due
    }
    if hasReportedReady { reportStatus() }
  }

  /// Handles what is due, or gets ready for what will be in a moment.
  func deadlineReached() {
    let moment = now
    let deadlines = table.deadlines(now: moment)
    let isDue =
      deadlines.wall.map { $0 <= moment.wall } ?? false
      || deadlines.boot.map { $0 <= moment.boot } ?? false
    guard !isDue else { return run(.tick) }
    // A dry run; its result is of no use, what it touches is.
    if let preview = table.preview(now: moment) {
      _ = try? JSONLine.encode(SinkMessage.present(preview))
    }
    rearm(moment)
  }
}
