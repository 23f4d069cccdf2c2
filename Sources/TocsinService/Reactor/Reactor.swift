import CLinux
import Glibc
package import TocsinTime

/// The daemon's one thread: waits for descriptors, deadlines and jobs, and sleeps when there are none.
///
/// It is the serial executor of the service's actor, so what a descriptor's handler does is isolated
/// to that actor and may `assumeIsolated` into it. Everything but `post`, `stop` and `enqueue` may be
/// called on the loop's thread only: the thread inside `run()`, and before that the one that made the
/// reactor.
package final class Reactor: SerialExecutor, @unchecked Sendable {
  // Unchecked is safe because what several threads touch is inside `inbox`; the rest belongs to the
  // loop's thread, and each entry point checks that.

  /// Due when the wall clock reaches it; taken out before `onWallDeadline` is called.
  package var wallDeadline: Instant? { willSet { checkThread() } }
  /// Due when the clock since boot, in microseconds, reaches it; taken out before
  /// `onBootDeadline` is called.
  package var bootDeadline: Int64? { willSet { checkThread() } }
  package var onWallDeadline: () -> Void = {} { willSet { checkThread() } }
  package var onBootDeadline: () -> Void = {} { willSet { checkThread() } }
  /// Called when the wall clock was set, and after the machine slept; deadlines stay as they are.
  package var onClockStep: () -> Void = {} { willSet { checkThread() } }
  /// Called once all that was ready has had its turn, before the loop waits or looks again.
  package var onRoundEnd: () -> Void = {} { willSet { checkThread() } }

  /// How often the loop has woken up; does not grow while nothing is due.
  package private(set) var wakeUps: UInt64 = 0
  /// Whether a deadline wakes the machine from suspend.
  package let wakesFromSuspend: Bool

  private struct Inbox {
    var work: [Work] = []
    var isAsleep = false
    var isStopping = false
    var owner = pthread_self()
  }

  private enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct Watch {
    var generation: UInt32
    var handler: (Events) -> Void
  }

  private let inbox = Lock(Inbox())
  private let epoll: Descriptor
  private let bell: Descriptor
  private var wallTimer: DeadlineTimer
  private var bootTimer: DeadlineTimer
  private var shellTimer: DeadlineTimer
  private var timers = TimerQueue()
  private var watches: [Watch?] = []
  private var generation: UInt32 = 0

  /// Makes a loop that waits for nothing yet.
  ///
  /// - Parameters:
  ///   - usesAlarmClocks: whether to wake a suspended machine where the kernel lets us.
  ///   - batteryClock: the directory of the clock that would wake it, in sysfs.
  /// - Throws: `SystemError` if the process is out of descriptors.
  package init(
    usesAlarmClocks: Bool = true,
    batteryClock: String = "/sys/class/rtc/rtc0"
  ) throws(SystemError) {
    epoll = Descriptor(
      owning: try check("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
    )
    bell = Descriptor(
      owning: try check("eventfd") {
        eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      }
    )
    wallTimer = try DeadlineTimer(
      clock: CLOCK_REALTIME,
      alarmClock: usesAlarmClocks ? CLOCK_REALTIME_ALARM : nil,
      noticesSteps: true
    )
    bootTimer = try DeadlineTimer(
      clock: CLOCK_BOOTTIME,
      alarmClock: usesAlarmClocks ? CLOCK_BOOTTIME_ALARM : nil,
      noticesSteps: false
    )
    shellTimer = try DeadlineTimer(
      clock: CLOCK_MONOTONIC,
      alarmClock: nil,
      noticesSteps: false
    )
    wakesFromSuspend =
      wallTimer.alarmDescriptor != nil && access("\(batteryClock)/wakealarm", F_OK) == 0
    // Edge-triggered: each ring is an event, and nobody needs to read the count.
    var event = epoll_event(events: EPOLLIN.rawValue | EPOLLET.rawValue, data: epoll_data_t())
    event.data.u64 = UInt64(UInt32(bitPattern: bell.raw))
    try check("epoll_ctl") { epoll_ctl(epoll.raw, EPOLL_CTL_ADD, bell.raw, &event) }
    try watchTimers()
  }

  private func watchTimers() throws(SystemError) {
    try watch(wallTimer.timer.raw, .readable) { [unowned self] _ in readWallTimer() }
    try watch(bootTimer.timer.raw, .readable) { [unowned self] _ in
      guard bootTimer.read() == .expired, bootDeadline != nil else { return }
      bootDeadline = nil
      onBootDeadline()
    }
    try watch(shellTimer.timer.raw, .readable) { [unowned self] _ in
      guard shellTimer.read() == .expired else { return }
      // One reading of the clock: timers that these add are for the next round.
      let now = microseconds(of: CLOCK_MONOTONIC)
      while let work = timers.popDue(now: now) { work() }
    }
    if let raw = wallTimer.alarmDescriptor {
      try watch(raw, .readable) { [unowned self] _ in wallTimer.readAlarm() }
    }
    if let raw = bootTimer.alarmDescriptor {
      try watch(raw, .readable) { [unowned self] _ in bootTimer.readAlarm() }
    }
  }

  private func readWallTimer() {
    switch wallTimer.read() {
    case .nothing: break
    case .stepped: onClockStep()
    case .expired:
      guard wallDeadline != nil else { return }
      wallDeadline = nil
      onWallDeadline()
    }
  }

  // MARK: Descriptors

  /// Calls `handler` on the loop's thread each time one of `events`, a hang-up or an error is there.
  ///
  /// The descriptor stays the caller's, who unwatches it before closing it. Level-triggered.
  /// - Throws: `SystemError` with EPERM for regular files, EEXIST if it is watched already.
  package func watch(
    _ descriptor: Int32,
    _ events: Events,
    _ handler: @escaping (Events) -> Void
  ) throws(SystemError) {
    checkThread()
    generation &+= 1
    var event = Self.event(events, descriptor, generation)
    try check("epoll_ctl", "\(descriptor)") {
      epoll_ctl(epoll.raw, EPOLL_CTL_ADD, descriptor, &event)
    }
    while watches.count <= Int(descriptor) { watches.append(nil) }
    watches[Int(descriptor)] = Watch(generation: generation, handler: handler)
  }

  /// Changes what a watched descriptor is watched for.
  package func modify(_ descriptor: Int32, _ events: Events) throws(SystemError) {
    checkThread()
    guard let watch = watch(of: descriptor) else {
      throw SystemError("epoll_ctl", "\(descriptor)", code: ENOENT)
    }
    var event = Self.event(events, descriptor, watch.generation)
    try check("epoll_ctl", "\(descriptor)") {
      epoll_ctl(epoll.raw, EPOLL_CTL_MOD, descriptor, &event)
    }
  }

  /// Watches a descriptor no longer; nothing that has already happened to it is reported any more.
  package func unwatch(_ descriptor: Int32) {
    checkThread()
    guard watch(of: descriptor) != nil else { return }
    watches[Int(descriptor)] = nil
    var event = epoll_event()
    epoll_ctl(epoll.raw, EPOLL_CTL_DEL, descriptor, &event)
  }

  private func watch(of descriptor: Int32) -> Watch? {
    descriptor >= 0 && Int(descriptor) < watches.count ? watches[Int(descriptor)] : nil
  }

  /// The generation travels with the event, so one that was meant for an earlier owner of the same
  /// number is recognised.
  private static func event(
    _ events: Events,
    _ descriptor: Int32,
    _ generation: UInt32
  ) -> epoll_event {
    var event = epoll_event(events: events.rawValue, data: epoll_data_t())
    event.data.u64 = UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    return event
  }

  // MARK: Timers

  /// The clock of `after`, in microseconds: steady, suspend not counted.
  package var now: Int64 { microseconds(of: CLOCK_MONOTONIC) }

  /// Calls `work` once on the loop's thread when that much time, suspend not counted, has passed.
  @discardableResult
  package func after(_ delay: Duration, _ work: @escaping () -> Void) -> TimerToken {
    checkThread()
    let deadline = microseconds(of: CLOCK_MONOTONIC) + max(0, delay.microseconds)
    return timers.insert(deadline: deadline, work)
  }

  /// Takes a timer back; does nothing if it has fired.
  package func cancel(_ token: TimerToken) {
    checkThread()
    timers.cancel(token)
  }

  // MARK: Jobs

  /// Runs `work` on the loop's thread after what is under way; from any thread.
  package func post(_ work: @Sendable @escaping () -> Void) {
    submit(.closure(work))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    submit(.job(UnownedJob(job)))
  }

  /// Lets `run()` return once the work already handed in is done; from any thread.
  package func stop() {
    ring { $0.isStopping = true }
  }

  private func submit(_ work: Work) {
    ring { $0.work.append(work) }
  }

  /// Changes the inbox and wakes the loop if it may be asleep; once, however many come together.
  private func ring(_ change: (inout Inbox) -> Void) {
    let isAsleep = inbox.withLock { inbox in
      change(&inbox)
      defer { inbox.isAsleep = false }
      return inbox.isAsleep
    }
    guard isAsleep else { return }
    var one: UInt64 = 1
    while write(bell.raw, &one, 8) < 0, errno == EINTR {}
  }

  // MARK: The loop

  /// Runs the loop on the calling thread until `stop()`.
  ///
  /// - Throws: `SystemError` if waiting itself fails; nothing outside the process causes that.
  package func run() throws(SystemError) {
    inbox.withLock { $0.owner = pthread_self() }
    var ready = [epoll_event](repeating: epoll_event(), count: 64)
    while true {
      onRoundEnd()
      let isIdle = inbox.withLock { inbox in
        inbox.isAsleep = inbox.work.isEmpty && !inbox.isStopping
        return inbox.isAsleep
      }
      if armTimers() { onClockStep() }
      let count = epoll_wait(epoll.raw, &ready, Int32(ready.count), isIdle ? -1 : 0)
      let code = errno
      if isIdle { wakeUps += 1 }
      let isStopping = inbox.withLock { inbox in
        inbox.isAsleep = false
        return inbox.isStopping
      }
      if count < 0, code != EINTR { throw SystemError("epoll_wait", code: code) }
      for index in 0..<Int(max(count, 0)) { dispatch(ready[index]) }
      drain()
      if isStopping {
        inbox.withLock { $0.isStopping = false }
        return
      }
    }
  }

  private func armTimers() -> Bool {
    _ = bootTimer.arm(bootDeadline)
    _ = shellTimer.arm(timers.next)
    return wallTimer.arm(wallDeadline?.microseconds)
  }

  private func dispatch(_ event: epoll_event) {
    let descriptor = Int32(truncatingIfNeeded: event.data.u64)
    let generation = UInt32(event.data.u64 >> 32)
    guard let watch = watch(of: descriptor), watch.generation == generation else { return }
    watch.handler(Events(rawValue: event.events))
  }

  /// Runs what had been handed in when it is called; what that hands in waits for the next round, so
  /// that descriptors get their turn.
  private func drain() {
    let work = inbox.withLock { inbox in
      let work = inbox.work
      inbox.work = []
      return work
    }
    for item in work {
      switch item {
      case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .closure(let closure): closure()
      }
    }
  }

  // MARK: Isolation

  /// Whether the calling thread is the loop's.
  package var isOnThread: Bool {
    inbox.withLock { pthread_equal($0.owner, pthread_self()) != 0 }
  }

  package func checkIsolated() {
    checkThread()
  }

  #if compiler(>=6.2)
    package func isIsolatingCurrentContext() -> Bool? {
      isOnThread
    }
  #endif

  private func checkThread() {
    precondition(isOnThread, "the reactor was used off its own thread")
  }
}
