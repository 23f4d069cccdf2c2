/// The notification server of the session, through libnotify on a thread of its own.
///
/// The thread and the bus connection are made when they are first needed.
final class NotifyServer: NotificationServer {
  private let report: @Sendable (ServerEvent) -> Void
  private var running: (thread: LoopThread, client: NotifyClient)?

  init(report: @escaping @Sendable (ServerEvent) -> Void) { self.report = report }

  func perform(_ call: ServerCall) {
    if running == nil, let thread = LoopThread() {
      running = (thread, NotifyClient(thread: thread, report: report))
    }
    guard let (thread, client) = running else {
      return report(.unavailable(reason: "no thread could be started for pop-ups"))
    }
    thread.perform { client.perform(call) }
  }

  func giveUpOpening() { running?.client.giveUpConnecting() }

  deinit { finish() }

  func end(within limit: Duration) {
    finish()?.waitForEnd(atMost: limit)
  }

  /// Has everything taken away and the thread end, once it can; gives the thread if there was one.
  @discardableResult
  private func finish() -> LoopThread? {
    guard let (thread, client) = running else { return nil }
    running = nil
    client.giveUpConnecting()
    thread.perform { client.end() }
    thread.quit()
    return thread
  }
}
