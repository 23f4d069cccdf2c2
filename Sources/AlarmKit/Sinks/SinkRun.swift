import TocsinApplication
import TocsinModel

/// Brings one sink what it is to present, one thing after the other, and takes its receipts.
struct SinkRun {
  let sink: any AlarmManager.Sink
  let line: SinkLine
  /// The program's alarm as it was scheduled; nil if it is gone.
  let alarm: @Sendable (AlarmID) async -> TocsinModel.Alarm?

  private var shown: [AlarmID: Shown] = [:]

  /// What the sink presents of an alarm, or tried to.
  private struct Shown {
    var presentation: Presentation
    /// Why it is not there; nil if it is.
    var failure: String?
  }

  init(
    _ sink: any AlarmManager.Sink,
    line: SinkLine,
    alarm: @escaping @Sendable (AlarmID) async -> TocsinModel.Alarm?
  ) {
    self.sink = sink
    self.line = line
    self.alarm = alarm
  }

  /// Until the line ends; then all is withdrawn.
  mutating func run() async {
    for await message in line.messages {
      switch message.content {
      case .sync(let all): await show(all, message)
      case .present(let presentation): await present(presentation, message)
      case .cleared(let cleared):
        if shown[cleared.alarm]?.presentation.occurrence == cleared.occurrence {
          shown[cleared.alarm] = nil
          await sink.clear(UUID(cleared.alarm), reason: AlarmManager.ClearReason(cleared.reason))
        }
        line.send(.presented(seq: cleared.seq), for: message)
      case .missed(let missed): await sink.missed(AlarmManager.MissedAlarm(missed))
      case .notice(let notice): await sink.notice(AlarmManager.SinkNotice(notice))
      case .hello, .secondary, .receipt, .ping, .bye, .unknown: break
      }
    }
    for id in shown.keys { await sink.clear(UUID(id), reason: .elsewhere) }
  }

  /// Presents these and no others; what is shown as it should be is left alone.
  private mutating func show(_ all: [Presentation], _ message: SinkLine.Message) async {
    let wanted = Set(all.map(\.alarm))
    for id in shown.keys where !wanted.contains(id) {
      shown[id] = nil
      await sink.clear(UUID(id), reason: .other)
    }
    for presentation in all {
      if let old = shown[presentation.alarm], old.failure == nil,
        old.presentation.isShown(as: presentation)
      {
        shown[presentation.alarm] = Shown(presentation: presentation)
        line.send(.presented(seq: presentation.seq), for: message)
      } else {
        await present(presentation, message)
      }
    }
  }

  private mutating func present(_ presentation: Presentation, _ message: SinkLine.Message) async {
    let seq = presentation.seq
    let stored = await alarm(presentation.alarm)
    var failure: String?
    do {
      let line = line
      let told = AlarmManager.SinkPresentation(presentation, stored: stored) { line.press($0) }
      guard let told else { throw NothingToShow(presentation.state) }
      try await sink.present(told)
      line.send(.presented(seq: seq), for: message)
    } catch {
      let reason = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
      failure = reason
      line.send(.failed(SinkReport.Failed(seq: seq, reason: reason)), for: message)
    }
    shown[presentation.alarm] = Shown(presentation: presentation, failure: failure)
  }
}

/// A state without what is to be shown of it.
private struct NothingToShow: Error, CustomStringConvertible {
  let description: String

  init(_ state: AlarmState) {
    description = "an alarm that is \(state) has no countdown to show; see tocsin show"
  }
}

extension Presentation {
  /// Whether somebody who sees the one sees the other, as after a restart of the service.
  fileprivate func isShown(as other: Presentation) -> Bool {
    var one = self
    one.seq = other.seq
    one.resumed = other.resumed
    return one == other
  }
}
