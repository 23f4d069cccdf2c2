import Foundation
import Glibc
import Synchronization
import TocsinModel
import TocsinTime

@testable import TocsinEngine
@testable import TocsinService

/// Clocks that stand until they are moved, far ahead of the machine's so that no timer comes due.
final class HandClocks: Clocks {
  static let start = Instant(seconds: 2_214_216_000)  // 2040-03-01T12:00:00Z
  static let bootStart: Int64 = 4_000_000_000_000_000

  private let time = Mutex((wall: HandClocks.start, boot: HandClocks.bootStart))
  let bootID = "boot"

  func wallNow() -> Instant { time.withLock(\.wall) }
  func bootNow() -> Int64 { time.withLock(\.boot) }

  /// Lets time pass.
  func pass(_ duration: Duration) {
    time.withLock {
      $0.wall = $0.wall + duration
      $0.boot += duration.microseconds
    }
  }

  /// Sets the wall clock.
  func step(_ duration: Duration) {
    time.withLock { $0.wall = $0.wall + duration }
  }
}

/// Lines that are written on any thread and waited for on another.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  private let came = DispatchSemaphore(value: 0)

  func add(_ line: String) {
    lines.withLock { $0.append(line) }
    came.signal()
  }

  // In a buffer of its own: of one that is shared the thread sanitizer does not see when it is let go.
  var all: [String] { lines.withLock { $0.map(\.self) } }

  /// Waits for a line with this text in it.
  func wait(for text: String) -> Bool {
    while !all.contains(where: { $0.contains(text) }) {
      if came.wait(timeout: .now() + 120) == .timedOut { return false }
    }
    return true
  }
}

/// A service on a thread of its own, with clocks set by hand.
final class RunningService {
  let clocks: HandClocks
  let log = Lines()
  let reactor: Reactor
  let service: AlarmService
  private let thread: ReactorThread
  private var hasEnded = false

  init(
    _ store: Store.Location = .memory,
    clocks: HandClocks = HandClocks(),
    _ change: (inout ServiceOptions) -> Void = { _ in }
  ) throws {
    self.clocks = clocks
    var options = ServiceOptions(environment: ["TZ": "UTC"], programDirectory: "/")
    options.store = store
    options.clocks = clocks
    options.clockTrust = { ClockTrust(isSynchronised: true, hasBatteryClock: true) }
    let log = log
    options.log = Log { level, text in log.add("\(level): \(text)") }
    change(&options)
    reactor = try Reactor()
    service = try AlarmService(options: options, reactor: reactor)
    try service.assumeIsolated { try $0.start() }
    thread = try ReactorThread(reactor)
  }

  deinit {
    end()
  }

  /// Ends the service and waits for its thread; a second time it does nothing.
  func end() {
    guard !hasEnded else { return }
    let service = service
    reactor.post { service.assumeIsolated { $0.stop() } }
    join()
  }

  /// Waits for a service that is told to end otherwise.
  func join() {
    hasEnded = true
    thread.join()
  }

  /// Runs a body on the service's thread and waits for it.
  @discardableResult
  func on<Result: Sendable>(
    _ body: @escaping @Sendable (isolated AlarmService) -> Result
  ) -> Result {
    let box = Lock<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    let service = service
    reactor.post {
      let result = service.assumeIsolated { body($0) }
      box.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = box.withLock({ $0 }) else { preconditionFailure("the body did not run") }
    return result
  }

  func connect(from peer: Peer? = nil) -> Wire {
    let (mine, theirs) = Wire.pair()
    on { $0.adopt(theirs, from: peer) }
    return mine
  }

  /// Lets time pass, and what is due in it happen.
  func pass(_ duration: Duration) {
    clocks.pass(duration)
    on { $0.deadlineReached() }
  }

  /// Keeps the store's thread from its work while a body runs; the store must hold an alarm.
  func withStoreHeld(_ body: () -> Void) {
    let store = on { $0.store }
    let held = DispatchSemaphore(value: 0)
    let go = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    Thread {
      var isFirst = true
      _ = try? store.load(wallNow: HandClocks.start, bootNow: 0) { _ in
        guard isFirst else { return }
        isFirst = false
        held.signal()
        go.wait()
      }
      done.signal()
    }.start()
    held.wait()
    body()
    go.signal()
    done.wait()
  }
}

func id(_ number: Int) -> String {
  AlarmID(high: 0x10, low: UInt64(number)).description
}

/// The keys of a request for a timer.
func timerKeys(_ number: Int, seconds: Double = 600, title: String = "Tea") -> [String: Any] {
  ["alarm": ["id": id(number), "title": title, "countdown": ["preAlert": seconds]]]
}

/// The alarms of a list's answer.
func titles(_ lines: [[String: Any]]) -> [String] {
  lines.compactMap { ($0["alarm"] as? [String: Any])?["title"] as? String }
}
