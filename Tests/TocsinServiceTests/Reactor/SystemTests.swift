import Foundation
import Glibc
import Testing
import TocsinTime

@testable import TocsinService

/// A directory that goes away with the test.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("\(NSTemporaryDirectory())/tocsin-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemError("mkdtemp") }
    path = String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    let file = "\(path)/\(name)"
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    return file
  }
}

@Suite("The machine's clocks")
struct ClockTests {
  @Test("agree with the kernel's, in microseconds")
  func clocks() {
    let clocks = SystemClocks()
    let wall = time(nil)
    #expect(abs(clocks.wallNow().microseconds / 1_000_000 - Int64(wall)) <= 1)
    let first = clocks.bootNow()
    #expect(clocks.bootNow() >= first)
    #expect(clocks.bootID.count == 36)
    #expect(SystemClocks(bootIDPath: "/nonexistent").bootID.isEmpty)
  }

  @Test(
    "are trusted by what the kernel says of synchronisation",
    arguments: [
      (Int32(0), Int32(0), true), (5, 0, false), (0, 0x40, false), (-1, 0, false),
      (1, 0x2001, true),
    ]
  )
  func synchronisation(state: Int32, status: Int32, expected: Bool) {
    let trust = ClockTrust.read(kernelClock: { (state, status) }, batteryClock: "/nonexistent")
    #expect(trust == ClockTrust(isSynchronised: expected, hasBatteryClock: false))
  }

  @Test(
    "have a battery only if it held the time",
    arguments: [("1800000000\n", true), ("42\n", false)]
  )
  func battery(content: String, expected: Bool) throws {
    let directory = try TemporaryDirectory()
    try directory.write("since_epoch", content)
    let trust = ClockTrust.read(kernelClock: { (0, 0) }, batteryClock: directory.path)
    #expect(trust.hasBatteryClock == expected)
  }
}

@Suite("Signals", .timeLimit(.minutes(10)))
struct SignalTests {
  @Test("come as events of the loop")
  func signals() throws {
    let reactor = try Reactor()
    var seen: [Int32] = []
    let source = try SignalSource([SIGUSR1, SIGHUP], reactor: reactor) { signal in
      seen.append(signal)
      if seen.count == 2 { reactor.stop() }
    }
    // To this thread: a signal to the process would end it through a thread that does not block.
    pthread_kill(pthread_self(), SIGHUP)
    pthread_kill(pthread_self(), SIGUSR1)
    try reactor.run()
    #expect(Set(seen) == [SIGHUP, SIGUSR1])
    source.cancel()
  }
}

@Suite("The service manager is told", .serialized, .timeLimit(.minutes(10)))
struct ServiceNotificationTests {
  /// A datagram socket as a service manager has one.
  private func listen(_ address: String) -> Int32 {
    let raw = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(address.utf8)
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(2 + bytes.count)
    withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = bind(raw, $0, length) }
    }
    return raw
  }

  private func receive(_ raw: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = recv(raw, &bytes, bytes.count, 0)
    return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
  }

  @Test("in one datagram, by path and by abstract name", arguments: [false, true])
  func datagram(isAbstract: Bool) throws {
    let directory = try TemporaryDirectory()
    let address = isAbstract ? "@tocsin-test-\(getpid())" : "\(directory.path)/notify"
    let raw = listen(address)
    defer { close(raw) }
    let notification = ServiceNotification(environment: ["NOTIFY_SOCKET": address])
    try notification.send(.ready, .status("next:\nTea"))
    #expect(receive(raw) == "READY=1\nSTATUS=next: Tea")
    try notification.send(.reloading(at: 12))
    #expect(receive(raw) == "RELOADING=1\nMONOTONIC_USEC=12")
    try notification.send(.stopping)
    #expect(receive(raw) == "STOPPING=1")
  }

  @Test("nothing where there is none, and an error where it is gone")
  func absence() throws {
    try ServiceNotification(environment: [:]).send(.ready)
    try ServiceNotification(environment: ["NOTIFY_SOCKET": "relative"]).send(.ready)
    let gone = ServiceNotification(environment: ["NOTIFY_SOCKET": "/nonexistent/notify"])
    #expect(throws: SystemError("sendto", "/nonexistent/notify", code: ENOENT)) {
      try gone.send(.ready)
    }
  }

  @Test("that the loop turns, at half the interval and only when asked")
  func watchdog() throws {
    let directory = try TemporaryDirectory()
    let raw = listen("\(directory.path)/notify")
    defer { close(raw) }
    var environment = [
      "NOTIFY_SOCKET": "\(directory.path)/notify", "WATCHDOG_USEC": "2000", "WATCHDOG_PID": "1",
    ]
    #expect(ServiceNotification(environment: environment, pid: 7).watchdogInterval == nil)
    environment["WATCHDOG_PID"] = "7"
    let notification = ServiceNotification(environment: environment, pid: 7)
    #expect(notification.watchdogInterval == .milliseconds(2))
    let reactor = try Reactor()
    notification.feedWatchdog(on: reactor)
    var count = 0
    try reactor.watch(raw, .readable) { _ in
      #expect(receive(raw) == "WATCHDOG=1")
      count += 1
      if count == 3 { reactor.stop() }
    }
    try reactor.run()
  }
}
