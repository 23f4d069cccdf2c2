import CLinux
import Glibc
import Synchronization
import Testing
import TocsinTime

@testable import TocsinService

/// An actor whose thread is the reactor's.
private actor Service {
  nonisolated let reactor: Reactor
  var count = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  init(reactor: Reactor) { self.reactor = reactor }

  func add() -> Int {
    count += 1
    return count
  }

  nonisolated func addFromLoop() { assumeIsolated { $0.count += 1 } }
}

private func makePipe() -> (read: Int32, write: Int32) {
  var ends: [Int32] = [0, 0]
  #expect(tocsin_pipe(&ends) == 0)
  return (ends[0], ends[1])
}

@Suite("The reactor", .timeLimit(.minutes(10)))
struct ReactorTests {
  @Test("runs an actor's jobs on its own thread, and handlers may assume that isolation")
  func isolation() async throws {
    let reactor = try Reactor()
    let service = Service(reactor: reactor)
    let thread = try ReactorThread(reactor)
    #expect(await service.add() == 1)
    await withCheckedContinuation { done in
      reactor.post {
        service.addFromLoop()
        done.resume()
      }
    }
    #expect(await service.add() == 3)
    #expect(!reactor.isOnThread)
    thread.stop()
  }

  @Test("reports a readable descriptor until it is unwatched, even from its own handler")
  func watching() throws {
    let reactor = try Reactor()
    let ends = makePipe()
    var calls = 0
    try reactor.watch(ends.read, .readable) { events in
      #expect(events.contains(.readable))
      calls += 1
      if calls == 3 {
        reactor.unwatch(ends.read)
        reactor.post { reactor.stop() }
      }
    }
    write(ends.write, "x", 1)
    try reactor.run()
    #expect(calls == 3)
    close(ends.read)
    close(ends.write)
  }

  @Test("drops what had already happened to a descriptor when its number gets a new owner")
  func staleEvents() throws {
    let reactor = try Reactor()
    let pipes = [makePipe(), makePipe()]
    var newOwnerCalls = 0
    var closed: [Int32] = []
    // Both are ready in one round; whichever comes first replaces the other's descriptor.
    for (index, ends) in pipes.enumerated() {
      write(ends.write, "x", 1)
      let other = pipes[1 - index].read
      try reactor.watch(ends.read, .readable) { _ in
        reactor.unwatch(ends.read)
        guard closed.isEmpty else {
          Issue.record("the event of the unwatched descriptor was delivered")
          return
        }
        closed.append(other)
        reactor.unwatch(other)
        let fresh = makePipe()
        dup2(fresh.read, other)
        try? reactor.watch(other, .readable) { _ in newOwnerCalls += 1 }
        reactor.post { reactor.post { reactor.stop() } }
      }
    }
    try reactor.run()
    #expect(closed.count == 1)
    #expect(newOwnerCalls == 0)
  }

  @Test("says when the other end hangs up, and when a descriptor cannot be watched")
  func hangUp() throws {
    let reactor = try Reactor()
    let ends = makePipe()
    var seen: Events = []
    try reactor.watch(ends.read, []) { events in
      seen = events
      reactor.unwatch(ends.read)
      reactor.stop()
    }
    close(ends.write)
    try reactor.run()
    #expect(seen.contains(.hangUp))
    let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(throws: SystemError("epoll_ctl", "\(file)", code: EPERM)) {
      try reactor.watch(file, .readable) { _ in }
    }
  }

  @Test("fires timers in order of their deadlines and not the cancelled ones")
  func timers() throws {
    let reactor = try Reactor()
    var fired: [String] = []
    reactor.after(.milliseconds(3)) {
      fired.append("third")
      reactor.stop()
    }
    reactor.after(.milliseconds(1)) { fired.append("first") }
    reactor.after(.milliseconds(1)) { fired.append("second") }
    reactor.cancel(reactor.after(.milliseconds(1)) { fired.append("cancelled") })
    try reactor.run()
    #expect(fired == ["first", "second", "third"])
  }

  @Test("fires the wall and the boot deadline once each, also those long past")
  func deadlines() throws {
    let reactor = try Reactor()
    let clocks = SystemClocks()
    var fired: [String] = []
    reactor.onWallDeadline = {
      #expect(reactor.wallDeadline == nil)
      fired.append("wall")
      if fired.count == 1 {
        reactor.wallDeadline = Instant(microseconds: clocks.wallNow().microseconds + 2_000)
      } else {
        reactor.bootDeadline = clocks.bootNow() + 1_000
      }
    }
    reactor.onBootDeadline = {
      fired.append("boot")
      reactor.stop()
    }
    reactor.wallDeadline = Instant(microseconds: -5)
    try reactor.run()
    #expect(fired == ["wall", "wall", "boot"])
  }

  @Test("does not fire a deadline that was taken back or moved")
  func movedDeadline() throws {
    let reactor = try Reactor()
    let clocks = SystemClocks()
    reactor.onWallDeadline = { Issue.record("the deadline was moved to the far future") }
    reactor.onBootDeadline = { Issue.record("the deadline was taken back") }
    reactor.after(.zero) {
      reactor.wallDeadline = Instant(microseconds: .max)
      reactor.bootDeadline = nil
    }
    reactor.after(.milliseconds(4)) { reactor.stop() }
    reactor.wallDeadline = Instant(microseconds: clocks.wallNow().microseconds + 2_000)
    reactor.bootDeadline = clocks.bootNow() + 2_000
    try reactor.run()
  }

  @Test("can be stopped from another thread and run again")
  func stopping() throws {
    let reactor = try Reactor()
    for _ in 0..<20 {
      let thread = try ReactorThread(reactor)
      thread.stop()
      thread.stop()
    }
    reactor.stop()
    try reactor.run()
  }

  @Test("takes work from many threads without losing any")
  func posting() async throws {
    let reactor = try Reactor()
    let thread = try ReactorThread(reactor)
    let service = Service(reactor: reactor)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<500 { _ = await service.add() } }
      }
    }
    #expect(await service.add() == 4_001)
    thread.stop()
  }

  @Test("sleeps through: a while of nothing to do costs no wake-up")
  func idle() throws {
    let reactor = try Reactor()
    reactor.wallDeadline = Instant(
      microseconds: SystemClocks().wallNow().microseconds + 3_600_000_000
    )
    reactor.bootDeadline = SystemClocks().bootNow() + 3_600_000_000
    reactor.after(.seconds(3_600)) {}
    reactor.cancel(reactor.after(.milliseconds(100)) {})
    reactor.after(.milliseconds(300)) { reactor.stop() }
    try reactor.run()
    // The timer that ends the test is the only one.
    #expect(reactor.wakeUps == 1)
  }
}

@Suite("The timer queue")
struct TimerQueueTests {
  @Test("keeps deadlines in order whatever the order of insertion and cancelling")
  func order() {
    var queue = TimerQueue()
    var fired: [Int64] = []
    var tokens: [TimerToken] = []
    var seed: UInt64 = 1
    for _ in 0..<200 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let deadline = Int64(seed >> 58)
      tokens.append(queue.insert(deadline: deadline) { fired.append(deadline) })
    }
    for token in tokens.enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
      let wasCancelled = [queue.cancel(token), queue.cancel(token)]
      #expect(wasCancelled == [true, false])
    }
    #expect(queue.popDue(now: -1) == nil)
    while let work = queue.popDue(now: 64) { work() }
    #expect(fired.count == 133)
    #expect(fired == fired.sorted())
    #expect(queue.next == nil)
  }
}

@Suite("A step of the wall clock", .timeLimit(.minutes(10)))
struct ClockStepTests {
  /// It sets the machine's clock, if only by a nanosecond, which nobody's clock should suffer unasked.
  @Test(
    "is noticed without a deadline and with one, and leaves the deadline",
    .enabled(
      if: getenv("TOCSIN_TEST_CLOCK") != nil,
      "sets the clock; needs TOCSIN_TEST_CLOCK and root"
    ),
    arguments: [nil, 3_600_000_000] as [Int64?]
  )
  func step(distance: Int64?) throws {
    let reactor = try Reactor()
    let deadline = distance.map {
      Instant(microseconds: SystemClocks().wallNow().microseconds + $0)
    }
    reactor.wallDeadline = deadline
    reactor.onWallDeadline = { Issue.record("the deadline has not come") }
    var steps = 0
    reactor.onClockStep = {
      steps += 1
      if steps == 2 { reactor.stop() } else { stepByNanosecond() }
    }
    reactor.after(.zero) { stepByNanosecond() }
    try reactor.run()
    #expect(steps == 2)
    #expect(reactor.wallDeadline == deadline)
  }

  private func stepByNanosecond() {
    var request = timex()
    request.modes = UInt32(ADJ_SETOFFSET | ADJ_NANO)
    request.time.tv_usec = 1
    #expect(adjtimex(&request) >= 0, "errno \(errno)")
  }
}
