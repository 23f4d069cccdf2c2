import Glibc
import TocsinClient
import TocsinModel
import TocsinService

/// What the program's threads and the line's own thread share: the decisions, and who waits for them.
///
/// Whoever has something to tell the line decides at once, under the lock; what follows from it is done by the
/// line's thread, in order.
final class LinkCore: Sendable {
  typealias Answer = Result<ApplicationAnswer, ApplicationError>
  typealias Perform = @Sendable (PendingIntent) async -> String?

  private struct Inside {
    var state: LinkState
    var effects: [LinkEffect] = []
    var lastNumber = 0
    var answers: [Int: Promise<Answer>] = [:]
    /// Those who wait until no intent runs.
    var idleWaiters: [Promise<Bool>] = []
    var alarmReaders = Readers<[AlarmStatus]>()
    var accessReaders = Readers<Access>()
    var perform: Perform?
    /// The service in this process, while one runs.
    var service: EmbeddedService?
    /// Where the connection leads.
    var path: String?
    var bell: Bell?
    var isRinging = false
    var thread: pthread_t?
    var wakeUps: UInt64 = 0
  }

  let door: ServiceDoor
  /// Fulfilled when the thread has let go of everything.
  let end = Promise<Bool>()
  private let inside: Lock<Inside>

  init(_ options: ApplicationOptions) {
    door = ServiceDoor(place: options.place, environment: options.environment)
    let state = LinkState(application: options.application, place: door.kind)
    inside = Lock(Inside(state: state))
  }

  // MARK: - For the program's threads

  /// Asks; the promise is fulfilled with the answer.
  ///
  /// - Parameters:
  ///   - body: nil waits until the alarms are known.
  ///   - limit: nil if the caller sees to that, with `abandon`.
  /// - Returns: the call's number, and where its answer comes.
  func ask(
    _ body: Request.Body?,
    within limit: Duration?
  ) -> (call: Int, answer: Promise<Answer>) {
    let answer = Promise<Answer>()
    let call = inside.withLock { inside in
      inside.lastNumber += 1
      let call = inside.lastNumber
      inside.answers[call] = answer
      post(.asked(call: call, body, within: limit), &inside)
      return call
    }
    return (call, answer)
  }

  /// Gives up on an answer, and says what became of it.
  func abandon(_ call: Int, after limit: Duration) -> ApplicationError {
    inside.withLock { inside in
      inside.answers[call] = nil
      return inside.state.abandon(call, after: limit) ?? .timeout(seconds: limit.seconds)
    }
  }

  /// Tells the line something.
  func post(_ event: LinkEvent) {
    inside.withLock { post(event, &$0) }
  }

  /// What is known of the alarms; nil if nothing is yet.
  var alarms: [AlarmStatus]? {
    inside.withLock { $0.state.isKnown ? $0.state.mirror.alarms : nil }
  }

  /// What is known of whether the program may set alarms.
  var access: Access? { inside.withLock { $0.state.access } }

  /// Sends a reader all alarms from now on.
  func addReader(ofAlarms continuation: AsyncStream<[AlarmStatus]>.Continuation) -> Int {
    addReader(.alarms) { $0.alarmReaders.add($1, continuation) }
  }

  /// Sends a reader from now on whether the program may set alarms.
  func addReader(ofAccess continuation: AsyncStream<Access>.Continuation) -> Int {
    addReader(.access) { $0.accessReaders.add($1, continuation) }
  }

  private func addReader(_ what: LinkReader, _ add: (inout Inside, Int) -> Void) -> Int {
    inside.withLock { inside in
      inside.lastNumber += 1
      let reader = inside.lastNumber
      add(&inside, reader)
      post(.reads(reader: reader, what), &inside)
      return reader
    }
  }

  /// How many read updates.
  var readerCount: Int { inside.withLock { $0.alarmReaders.count + $0.accessReaders.count } }

  func removeReader(_ reader: Int) {
    inside.withLock { inside in
      inside.alarmReaders.remove(reader)
      inside.accessReaders.remove(reader)
      post(.readNoMore(reader: reader), &inside)
    }
  }

  func set(perform: @escaping Perform) {
    inside.withLock { inside in
      inside.perform = perform
      post(.performs, &inside)
    }
  }

  /// Whether the calling thread is the line's own, which cannot wait for itself.
  var isOnThread: Bool {
    inside.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  /// Whether there is a thread that will fulfil `end`.
  var hasThread: Bool { inside.withLock { $0.bell != nil } }

  /// How often the thread has looked for something to do; does not grow while nothing happens.
  var wakeUps: UInt64 { inside.withLock { $0.wakeUps } }

  /// Whether the line was closed.
  var isClosed: Bool { inside.withLock { $0.state.phase == .closed } }

  /// The service in this process if the line leads there, else the socket.
  var destination: (service: EmbeddedService?, path: String?) {
    inside.withLock { ($0.service, $0.path) }
  }

  private func post(_ event: LinkEvent, _ inside: inout Inside) {
    if case .closed = event, inside.bell == nil {
      // It was never used; there is nothing to let go of.
      _ = inside.state.handle(event, now: monotonicNow())
      return
    }
    if inside.state.phase != .closed, !start(&inside) { return refuse(event, &inside) }
    let isOver = inside.state.phase == .closed
    let effects = inside.state.handle(event, now: monotonicNow())
    tellIdle(&inside)
    if isOver { return settle(effects, &inside) }
    inside.effects += effects
    // The thread itself looks again before it waits.
    let isOwn = inside.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    guard !isOwn, !inside.isRinging else { return }
    inside.isRinging = true
    inside.bell?.ring()
  }

  /// After the end there is no thread any more that would do it.
  private func settle(_ effects: [LinkEffect], _ inside: inout Inside) {
    for case .finish(let call, let answer) in effects {
      inside.answers.removeValue(forKey: call)?.fulfil(answer)
    }
  }

  /// A promise that is fulfilled when no intent runs and the service knows of all that have run.
  func idle() -> Promise<Bool> {
    inside.withLock { inside in
      let promise = Promise<Bool>()
      inside.idleWaiters.append(promise)
      tellIdle(&inside)
      return promise
    }
  }

  private func tellIdle(_ inside: inout Inside) {
    guard !inside.idleWaiters.isEmpty else { return }
    guard inside.state.intents.isIdle || inside.state.phase == .closed else { return }
    for waiter in inside.idleWaiters { waiter.fulfil(true) }
    inside.idleWaiters = []
  }

  /// Starts the thread when it is first needed.
  private func start(_ inside: inout Inside) -> Bool {
    guard inside.bell == nil else { return true }
    guard let bell = Bell() else { return false }
    let core = self
    guard DetachedThread.start({ LinkLoop(core, bell).run() }) else { return false }
    inside.bell = bell
    return true
  }

  private func refuse(_ event: LinkEvent, _ inside: inout Inside) {
    guard case .asked(let call, _, _) = event else { return }
    let reason = "no thread or descriptor is left for the line to the alarms; end other programs"
    inside.answers.removeValue(forKey: call)?.fulfil(.failure(.unavailable(reason)))
  }

  // MARK: - For the line's own thread

  /// Names the calling thread as the line's own.
  func begin() {
    inside.withLock { $0.thread = pthread_self() }
  }

  /// The calling thread ends; its number may soon be another's.
  func endThread() {
    inside.withLock { $0.thread = nil }
    end.fulfil(true)
  }

  /// What is to be done now, and when something is due again.
  func take() -> (effects: [LinkEffect], deadline: LinkMoment?) {
    inside.withLock { inside in
      inside.isRinging = false
      inside.wakeUps += 1
      let now = monotonicNow()
      if let deadline = inside.state.deadline, deadline <= now {
        inside.effects += inside.state.handle(.time, now: now)
      }
      defer { inside.effects = [] }
      return (inside.effects, inside.state.deadline)
    }
  }

  func fulfil(_ call: Int, _ answer: Answer) {
    inside.withLock { $0.answers.removeValue(forKey: call) }?.fulfil(answer)
  }

  var perform: Perform? { inside.withLock { $0.perform } }

  func lead(to service: EmbeddedService?, _ path: String?) {
    inside.withLock { ($0.service, $0.path) = (service, path) }
  }

  func admit(ofAlarms reader: Int) -> AsyncStream<[AlarmStatus]>.Continuation? {
    inside.withLock { $0.alarmReaders.admit(reader) }
  }

  func admit(ofAccess reader: Int) -> AsyncStream<Access>.Continuation? {
    inside.withLock { $0.accessReaders.admit(reader) }
  }

  var alarmReaders: [AsyncStream<[AlarmStatus]>.Continuation] {
    inside.withLock { $0.alarmReaders.admitted }
  }

  var accessReaders: [AsyncStream<Access>.Continuation] {
    inside.withLock { $0.accessReaders.admitted }
  }

  /// Tells all readers that nothing more comes.
  func finishReaders() {
    // Not under the lock: the end of a stream calls back.
    let (alarms, access) = inside.withLock {
      ($0.alarmReaders.removeAll(), $0.accessReaders.removeAll())
    }
    for reader in alarms { reader.finish() }
    for reader in access { reader.finish() }
  }
}
