/// The timer of a state machine: follows its deadline, which may change with every event.
///
/// Lives on the loop's thread.
final class StateTimer {
  private let reactor: Reactor
  private var timer: (token: TimerToken, deadline: Int64)?

  init(_ reactor: Reactor) { self.reactor = reactor }

  /// Calls `onDeadline` at that time of the reactor's clock, in place of what was set before; nil calls
  /// nothing.
  func follow(_ deadline: Int64?, onDeadline: @escaping () -> Void) {
    guard timer?.deadline != deadline else { return }
    if let timer { reactor.cancel(timer.token) }
    timer = deadline.map { deadline in
      let token = reactor.after(.microseconds(deadline - reactor.now)) { [weak self] in
        self?.timer = nil
        onDeadline()
      }
      return (token, deadline)
    }
  }
}
