import TocsinEngine
import TocsinTime

/// How time passes on clocks that are moved by hand: from deadline to deadline, as on a real machine,
/// only at once.
extension AlarmService {
  /// Time on its way to an instant.
  struct Passage {
    /// Where it ends, by the clock since boot.
    var end: BootTime
    /// Ends the wait for sinks that do not answer.
    var patience: TimerToken?
    /// Whether it is being handled right now, so that what follows from it does not begin it again.
    var isMoving = false
    /// Called when all that comes due on the way was handled and sent.
    var whenDone: [@Sendable () -> Void] = []
  }

  /// Lets time pass on clocks that are moved by hand; on others it does nothing.
  ///
  /// - Parameters:
  ///   - end: an instant of the clock since boot; in the past it only handles what is due now.
  ///   - whenDone: called when all that comes due until then was handled and sent, or the service ends.
  func advance(to end: BootTime, whenDone: @escaping @Sendable () -> Void) {
    guard options.clocks.areMovedByHand, options.rings, !isStopping else { return whenDone() }
    var passage = passage ?? Passage(end: end)
    passage.end = max(passage.end, end)
    passage.whenDone.append(whenDone)
    self.passage = passage
    if router.awaitsAnswers { waitForAnswers() } else { goOn() }
  }

  /// Goes on once no sink owes an answer.
  ///
  /// Sinks answer in real time. Without a halt they would seem to take minutes for what takes them a
  /// moment, and an alert that is heard would be given up.
  func continuePassage() {
    if passage != nil, !router.awaitsAnswers { goOn() }
  }

  private func goOn() {
    guard let clocks = options.clocks as? ManualClocks else { return endPassage() }
    guard passage?.isMoving == false else { return }
    passage?.patience.map(reactor.cancel)
    passage?.patience = nil
    passage?.isMoving = true
    defer { passage?.isMoving = false }
    while let end = passage?.end {
      let next = nextDeadline.flatMap { $0 <= end ? $0 : nil }
      clocks.move(to: next ?? end)
      route(.tick)
      run(.tick)
      if next == nil { return endPassage() }
      if router.awaitsAnswers { return waitForAnswers() }
    }
  }

  private func waitForAnswers() {
    guard passage != nil, passage?.patience == nil else { return }
    passage?.patience = reactor.after(options.answerPatience) { [weak self] in
      self?.assumeIsolated { service in
        service.passage?.patience = nil
        service.goOn()
      }
    }
  }

  /// Lets time stand still, and tells whoever waits.
  func endPassage() {
    guard let passage else { return }
    self.passage = nil
    passage.patience.map(reactor.cancel)
    for tell in passage.whenDone { tell() }
  }

  /// The clock since boot at the next deadline of either clock.
  private var nextDeadline: BootTime? {
    let moment = now
    let deadlines = deadlines(now: moment)
    let wall = deadlines.wall.map { moment.boot + $0.microseconds - moment.wall.microseconds }
    return [wall, deadlines.boot].compactMap(\.self).min()
  }
}
