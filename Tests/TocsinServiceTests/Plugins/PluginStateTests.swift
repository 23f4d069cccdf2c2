import Testing

@testable import TocsinService

let second: Int64 = 1_000_000
private let tea = occurrence(1)

/// Runs a timeline: at each time an event, and what has to be done then.
struct Timeline {
  var state: PluginState
  var now: Int64 = 0

  init(ping: Int64? = nil, timeout: Int64 = 5 * second) {
    state = PluginState(pingInterval: ping, timeout: timeout)
  }

  mutating func at(
    _ time: Int64,
    _ event: PluginState.Event,
    _ expected: PluginState.Effect...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    now = time
    let effects = state.handle(event, now: time).filter {
      if case .log = $0 { false } else { true }
    }
    #expect(effects == expected, sourceLocation: sourceLocation)
  }

  /// Lets the deadline come, wherever it is.
  mutating func expire(
    _ expected: PluginState.Effect...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let deadline = state.deadline else {
      Issue.record("there is no deadline", sourceLocation: sourceLocation)
      return
    }
    now = deadline
    #expect(state.handle(.deadline, now: now) == expected, sourceLocation: sourceLocation)
  }

  mutating func becomeReady() {
    at(now, .start, .spawn)
    at(now, .spawned, .hello)
    at(now, .ready, .sync)
  }
}

@Suite("A plugin's life")
struct PluginStateTests {
  @Test("begins with hello, ready, sync, and then has no deadline while nothing happens")
  func idle() {
    var line = Timeline()
    line.becomeReady()
    #expect(line.state.isReady)
    #expect(line.state.status == "ready")
    #expect(line.state.deadline == nil)
    line.at(10 * second, .sent(seq: 1, tea, isAlert: true))
    line.at(11 * second, .answered(seq: 1))
    #expect(line.state.deadline == nil)
  }

  @Test("ends when it does not say ready in time")
  func greeting() {
    var line = Timeline()
    line.at(0, .start, .spawn)
    line.at(0, .spawned, .hello)
    #expect(line.state.deadline == 5 * second)
    line.at(4 * second, .deadline)
    line.expire(.kill)
    #expect(line.state.deadline == nil)
    line.at(6 * second, .exited(reason: "was ended by signal 9"))
    #expect(line.state.reason == "did not say ready in time")
    #expect(line.state.status == "waiting")
  }

  @Test("is restarted after 0.1 s, doubling to 30 s, and from the beginning after a stable minute")
  func backOff() {
    var line = Timeline()
    line.at(0, .start, .spawn)
    var delays: [Int64] = []
    for _ in 0..<12 {
      line.at(line.now, .spawned, .hello)
      line.at(line.now, .exited(reason: "ended with status 1"))
      delays.append((line.state.deadline ?? 0) - line.now)
      line.expire(.spawn)
    }
    #expect(
      delays.map { Double($0) / Double(second) }
        == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30, 30]
    )
    #expect(line.state.restarts == 12)
    line.at(line.now, .spawned, .hello)
    line.at(line.now, .ready, .sync)
    line.at(line.now + 60 * second, .exited(reason: "ended with status 0"))
    #expect(line.state.deadline == line.now + second / 10)
  }

  @Test("that says that no retry helps is tried after 30 s, doubling to 10 min, and for an alert")
  func refusal() {
    var line = Timeline()
    line.at(0, .start, .spawn)
    var delays: [Int64] = []
    for _ in 0..<7 {
      line.at(line.now, .spawned, .hello)
      line.at(line.now, .exited(reason: "ended with status 78", isFinal: true))
      #expect(line.state.status == "failed")
      delays.append(((line.state.deadline ?? 0) - line.now) / second)
      line.expire(.spawn)
    }
    #expect(delays == [30, 60, 120, 240, 480, 600, 600])
    line.at(line.now, .spawned, .hello)
    line.at(line.now, .exited(reason: "ended with status 78", isFinal: true))
    line.at(line.now + second, .needed)
    line.expire(.spawn)
    line.at(line.now, .spawned, .hello)
    line.at(line.now, .ready, .sync)
    line.at(line.now, .exited(reason: "ended with status 78", isFinal: true))
    #expect(line.state.deadline == line.now + 30 * second)
  }

  @Test("says why it ended when that is news, and ever more rarely while it is not")
  func logging() {
    var state = PluginState(pingInterval: nil, timeout: second)
    var logs = 0
    var now: Int64 = 0
    _ = state.handle(.start, now: now)
    for _ in 0..<100 {
      _ = state.handle(.spawned, now: now)
      let effects = state.handle(.exited(reason: "ended with status 1"), now: now)
      logs += effects.count
      now = state.deadline ?? now
      _ = state.handle(.deadline, now: now)
    }
    #expect(logs == 7)
    _ = state.handle(.spawned, now: now)
    #expect(
      state.handle(.exited(reason: "ended with status 2"), now: now)
        == [.log(.warning, "ended with status 2")]
    )
  }

  @Test("is started at once when it is needed, though a crash loop not faster than every 0.1 s")
  func needed() {
    var line = Timeline()
    line.at(0, .start, .spawn)
    for _ in 0..<6 {
      line.at(line.now, .spawned, .hello)
      line.at(line.now, .exited(reason: "crash"))
      line.expire(.spawn)
    }
    line.at(line.now, .spawned, .hello)
    let start = line.now
    line.at(start, .exited(reason: "crash"))
    #expect(line.state.deadline == start + 64 * second / 10)
    line.at(start + second / 100, .needed)
    #expect(line.state.deadline == start + second / 10)
    line.expire(.spawn)
    line.at(line.now, .spawned, .hello)
    line.at(line.now, .exited(reason: "crash"))
    // Not at once by itself: whoever needs it has others to serve first.
    line.at(line.now + 2 * second, .needed)
    #expect(line.state.deadline == line.now)
    line.expire(.spawn)
    // An alert that comes while it starts counts when that fails.
    line.at(line.now, .spawned, .hello)
    line.at(line.now, .needed)
    line.at(line.now, .exited(reason: "crash"))
    #expect(line.state.deadline == line.now + second / 10)
  }

  @Test("waits gently for a program that is not there, and looks at once for an alert")
  func missing() {
    var line = Timeline()
    line.at(0, .start, .spawn)
    var delays: [Int64] = []
    for _ in 0..<7 {
      line.at(line.now, .notSpawned(reason: "there is no lamp", isMissing: true))
      #expect(line.state.status == "failed")
      #expect(line.state.reason == "there is no lamp")
      delays.append(((line.state.deadline ?? 0) - line.now) / second)
      line.expire(.spawn)
    }
    #expect(delays == [30, 60, 120, 240, 480, 600, 600])
    line.at(line.now, .notSpawned(reason: "there is no lamp", isMissing: true))
    line.at(line.now + second, .needed)
    line.expire(.spawn)
    line.at(line.now, .notSpawned(reason: "fork: no memory", isMissing: false))
    #expect(line.state.status == "waiting")
    #expect(line.state.deadline == line.now + second / 10)
  }

  @Test("is asked whether it lives when it owes a confirmation, and killed when it is silent")
  func silence() {
    var line = Timeline(timeout: 2 * second)
    line.becomeReady()
    line.at(10 * second, .sent(seq: 1, tea, isAlert: true))
    line.at(11 * second, .sent(seq: 2, tea, isAlert: true))
    #expect(line.state.deadline == 12 * second)
    line.expire(.ping)
    #expect(line.state.deadline == 14 * second)
    line.expire(.kill)
    // The half of a line that it was writing is no reason.
    line.at(14 * second, .complained("wrote what is no message"))
    line.at(14 * second, .exited(reason: "was ended by signal 9"))
    #expect(line.state.reason == "did not answer in time")
  }

  @Test("is not killed while it answers, with whatever it answers")
  func answers() {
    var line = Timeline(timeout: 2 * second)
    line.becomeReady()
    line.at(10 * second, .sent(seq: 1, tea, isAlert: true))
    line.at(10 * second, .sent(seq: 2, tea, isAlert: true))
    line.at(11 * second, .answered(seq: 1))
    #expect(line.state.deadline == 12 * second)
    line.expire(.ping)
    line.at(14 * second, .pong)
    #expect(line.state.deadline == nil)
    #expect(line.state.reason == "has not confirmed event 2")
    #expect(line.state.isReady)
    // The newest event's confirmation covers those it replaced.
    line.at(20 * second, .sent(seq: 3, tea, isAlert: true))
    line.at(20 * second, .sent(seq: 4, tea, isAlert: true))
    line.at(20 * second, .answered(seq: 4))
    #expect(line.state.deadline == nil)
    #expect(line.state.reason == nil)
    // A late or stray answer does no harm.
    line.at(21 * second, .answered(seq: 3))
    line.at(21 * second, .pong)
    line.at(21 * second, .ready)
    #expect(line.state.deadline == nil)
  }

  @Test("is pinged at its interval only if it has one")
  func pings() {
    var line = Timeline(ping: 30 * second)
    line.becomeReady()
    #expect(line.state.deadline == 30 * second)
    line.expire(.ping)
    #expect(line.state.deadline == 35 * second)
    line.at(31 * second, .pong)
    #expect(line.state.deadline == 61 * second)
    line.expire(.ping)
    line.expire(.kill)
  }

  @Test("may end by itself within a second of closing a pipe, else it is killed")
  func pipes() {
    var line = Timeline()
    line.becomeReady()
    line.at(second, .pipeClosed)
    #expect(!line.state.isReady)
    line.at(second, .pipeClosed)
    line.expire(.kill)
    line.at(2 * second, .exited(reason: "was ended by signal 9"))
    #expect(line.state.reason == "closed its pipe but did not end")
    line.expire(.spawn)
    line.at(line.now, .spawned, .hello)
    line.at(line.now, .pipeClosed)
    line.at(line.now, .exited(reason: "ended with status 3"))
    #expect(line.state.reason == "ended with status 3")
  }

  @Test("ends with bye, then SIGTERM, then SIGKILL")
  func stopping() {
    var line = Timeline()
    line.becomeReady()
    line.at(10 * second, .stop, .bye)
    #expect(line.state.deadline == 10 * second + second / 2)
    line.expire(.terminate)
    #expect(line.state.deadline == 11 * second + second / 2)
    line.expire(.kill)
    #expect(line.state.deadline == nil)
    line.at(12 * second, .exited(reason: "was ended by signal 9"), .finished)
    line.at(13 * second, .start)
    line.at(13 * second, .stop)
  }

  @Test("ends at once where no process runs, and waits for one that is being killed")
  func stoppingElsewhere() {
    var idle = Timeline()
    idle.at(0, .stop, .finished)
    var waiting = Timeline()
    waiting.at(0, .start, .spawn)
    waiting.at(0, .notSpawned(reason: "no", isMissing: true))
    waiting.at(0, .stop, .finished)
    var dying = Timeline()
    dying.at(0, .start, .spawn)
    dying.at(0, .spawned, .hello)
    dying.expire(.kill)
    dying.at(6 * second, .stop)
    #expect(dying.state.deadline == nil)
    dying.at(6 * second, .exited(reason: "was ended by signal 9"), .finished)
  }

  @Test("keeps its rules whatever comes in whatever order")
  func anyOrder() {
    var seed: UInt64 = 7
    func random(_ bound: UInt64) -> UInt64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (seed >> 33) % bound
    }
    for _ in 0..<300 {
      var state = PluginState(pingInterval: random(2) == 0 ? nil : 3 * second, timeout: second)
      var now: Int64 = 0
      // What a shell would know: whether there is a process, and whether it was told to go.
      var isRunning = false
      var isStopped = false
      var isFinished = false
      for _ in 0..<200 {
        now += Int64(random(2_000_000))
        var event: PluginState.Event
        switch random(10) {
        case 0: event = .ready
        case 1: event = .sent(seq: random(9), tea, isAlert: true)
        case 2: event = .answered(seq: random(9))
        case 3: event = .pong
        case 4: event = random(2) == 0 ? .needed : .alerting(random(2) == 0)
        case 5: event = .pipeClosed
        case 6 where isRunning: event = .exited(reason: "r\(random(3))")
        case 7 where random(20) == 0: event = .stop
        case 8: event = .start
        default: event = .deadline
        }
        if event == .deadline, let deadline = state.deadline { now = max(now, deadline) }
        if case .exited = event { isRunning = false }
        if event == .stop { isStopped = true }
        var queue = state.handle(event, now: now)
        while !queue.isEmpty {
          let effect = queue.removeFirst()
          switch effect {
          case .spawn:
            #expect(!isRunning && !isStopped)
            isRunning = random(4) != 0
            queue += state.handle(
              isRunning ? .spawned : .notSpawned(reason: "x", isMissing: random(2) == 0),
              now: now
            )
          case .hello, .sync, .ping: #expect(isRunning && !isStopped)
          case .bye, .terminate: #expect(isRunning && isStopped)
          case .kill: #expect(isRunning)
          case .finished:
            #expect(!isRunning && isStopped && !isFinished)
            isFinished = true
          case .log: break
          }
        }
        // A deadline that was dealt with does not come again at once.
        if event == .deadline, let deadline = state.deadline { #expect(deadline > now) }
        // Something always comes next, unless it is ready and owes nothing, or the kernel owes an exit.
        if state.deadline == nil, !state.isReady, !isFinished, !isRunning {
          #expect(state.status == "starting")
        }
      }
    }
  }
}
