/// What a sink is given to reach the router, the clocks, and the host's poll(2) loop.
///
/// Used on the sink's own thread only; other threads go through a mailbox. What was asked for
/// with `wake`, `watch` and `attach` is let go when the sink ends.
public final class SinkHost {
  /// Something the host was asked to do later or from time to time.
  public struct Token: Hashable, Sendable {
    fileprivate let id: Int
  }

  /// How bad a line in the log is.
  public enum LogLevel: String, Sendable {
    /// Something does not work.
    case error
    /// Something works less well than it should.
    case warning
    /// Something worth knowing once.
    case info
    /// Something for whoever looks for a fault.
    case debug
  }

  /// What was last told of an event.
  enum Receipt { case presented, failed }

  /// The sink's name in plugins.conf.
  public let name: String
  /// All that is to be presented now, the one presented first standing first.
  public internal(set) var presentations: [Presentation] = []

  let loop: PollLoop
  private let clock: any SinkClock
  private let report: (SinkReport) -> Void
  private var receipts: [UInt64: Receipt] = [:]

  init(name: String, clock: any SinkClock, loop: PollLoop, report: @escaping (SinkReport) -> Void) {
    self.name = name
    self.clock = clock
    self.loop = loop
    self.report = report
  }

  // MARK: Receipts and intents

  /// Confirms that the event with this number is really shown, sounding, or gone.
  public func presented(_ seq: UInt64) {
    receipts[seq] = .presented
    report(.presented(seq: seq))
  }

  /// Confirms that a presentation is really gone; nothing is sent if no event asked for it.
  public func presented(_ withdrawal: Withdrawal) {
    if let seq = withdrawal.seq { report(.presented(seq: seq)) }
  }

  /// Reports that the event with this number could not be presented.
  ///
  /// - Parameters:
  ///   - seq: the event's number.
  ///   - reason: one sentence for a person: the thing, the place, the remedy.
  ///   - retry: whether the sink goes on trying by itself; `presented` may then follow.
  public func failed(_ seq: UInt64, _ reason: String, retry: Bool = false) {
    receipts[seq] = .failed
    report(.failed(SinkReport.Failed(seq: seq, reason: reason, retry: retry)))
  }

  /// Passes on a person's answer.
  public func send(_ intent: Intent) { report(.intent(intent)) }

  /// Writes a line to the daemon's log; it may be dropped if the daemon does not read.
  public func log(_ level: LogLevel, _ message: String) {
    report(.log(SinkReport.Log(level: level.rawValue, message: message)))
  }

  // MARK: Time

  /// The wall clock; it can be set, so it is for showing, not for waiting.
  public var now: Instant { clock.now }

  /// Time since an arbitrary moment, time asleep included; what timers count.
  public var elapsed: Duration { clock.elapsed }

  /// The moment by both.
  package var moment: Moment { Moment(now: now, elapsed: elapsed) }

  /// Runs the body once when `elapsed` has reached the deadline, never before.
  ///
  /// After the machine slept, a timer that came due meanwhile runs with the next event, or at the
  /// latest when what was left of its wait is over, since poll(2) does not count sleep.
  @discardableResult
  public func wake(at deadline: Duration, _ body: @escaping () -> Void) -> Token {
    Token(id: loop.addWake(at: deadline, body))
  }

  /// Runs the body once after that much elapsed time.
  @discardableResult
  public func wake(after delay: Duration, _ body: @escaping () -> Void) -> Token {
    wake(at: elapsed + delay, body)
  }

  // MARK: Descriptors and threads

  /// Runs the body each time the descriptor is ready, until cancelled; cancel before closing it.
  ///
  /// `hungUp` and `failed` come without being asked for and come again until the watch is cancelled.
  @discardableResult
  public func watch(
    _ descriptor: CInt,
    for events: PollEvents,
    _ body: @escaping (PollEvents) -> Void
  ) -> Token {
    attach(DescriptorWatch(descriptor, events, body))
  }

  /// Lets a library's own set of descriptors and timeouts take part in the loop, until cancelled.
  @discardableResult
  public func attach(_ source: any PollSource) -> Token { Token(id: loop.add(source)) }

  /// Cancels a timer, a watch or a source; one that is over already is no error.
  public func cancel(_ token: Token) { loop.remove(token.id) }

  /// Cancels what the token stands for, if there is one, and forgets the token.
  public func cancel(_ token: inout Token?) {
    if let token { cancel(token) }
    token = nil
  }

  /// A way back to `owner` for threads of the sink's own, such as one that runs GLib's loop.
  ///
  /// The host does not keep the owner alive.
  public func mailbox<Owner: AnyObject>(for owner: Owner) -> SinkMailbox<Owner> {
    guard let queue = loop.openMail(), let source = loop.mailSource else {
      log(.error, "no pipe could be opened for \(name): too many open files")
      return SinkMailbox(queue: nil, address: 0)
    }
    return SinkMailbox(queue: queue, address: source.register(owner))
  }

  // MARK: For the session

  func receipt(for seq: UInt64) -> Receipt? { receipts[seq] }

  /// Runs the body and reports what it throws as the failure of that event.
  func attempt(_ seq: UInt64, _ body: () throws -> Void) {
    do { try body() } catch { failed(seq, "\(error)") }
  }

  /// Forgets receipts of events that are presented no more.
  func pruneReceipts() {
    guard receipts.count > presentations.count else { return }
    let wanted = Set(presentations.map(\.seq))
    receipts = receipts.filter { wanted.contains($0.key) }
  }

  func sendReport(_ report: SinkReport) { self.report(report) }
}
