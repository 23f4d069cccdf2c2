import Glibc
import ProcessTesting
import TocsinClient
import TocsinModel
import TocsinTime

/// The real daemon on the machine's own clocks: timers every few seconds, each answered.
final class RealTime {
  private let folder: TemporaryFolder
  private let daemon: Program
  private let pid: Int
  private var chance: SeededGenerator
  /// How late each ring was seen, in microseconds.
  private var lateness: [Int64] = []
  private var faults: [String] = []

  init(seed: UInt64) throws {
    chance = SeededGenerator(state: seed)
    folder = try TemporaryFolder()
    let path = folder.path
    let configuration = "\(path)/plugins.conf"
    let file = open(configuration, O_CREAT | O_WRONLY, 0o644)
    let text = "[plugin console]\nrun = tocsin-console\nstdout = yes\nformat = json\n"
    _ = text.withCString { write(file, $0, text.utf8.count) }
    close(file)
    daemon = try Program(
      ["tocsind", "--config", configuration, "--store", "\(path)/alarms.db"],
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": path, "TZ": "UTC", "TOCSIN_SOCKET": "\(path)/socket",
      ],
      output: .nothing
    )
    pid = Int(daemon.pid)
    try daemon.errors.wait(for: "listens on")
  }

  func run(minutes: Double) throws -> [String] {
    let watcher = try Connection(to: "\(folder.path)/socket")
    let person = try Connection(to: "\(folder.path)/socket")
    try watcher.request(.subscribe)
    let end = ContinuousClock.now + .seconds(minutes * 60)
    var next = ContinuousClock.now
    var waiting: Set<AlarmID> = []
    var before: (Int, Int, Int)?
    var asked = 0
    while ContinuousClock.now < end || !waiting.isEmpty {
      if ContinuousClock.now > end + patience {
        return faults + ["\(waiting.count) timers did not ring"]
      }
      if ContinuousClock.now < end, ContinuousClock.now >= next {
        let id = AlarmID(using: &chance)
        let length = Double(chance.seconds(1_000...9_000)) / 1_000
        let timer = CountdownDuration(preAlert: length)
        try person.request(.schedule(Alarm(id: id, title: "Timer \(asked)", countdown: timer)))
        waiting.insert(id)
        asked += 1
        next = .now + .milliseconds(chance.seconds(1_000...5_000))
        // Once all that is made on first use is there.
        if asked == 20 { before = try figures("after 20 timers") }
      }
      let pause = max(.milliseconds(1), min(next, end) - .now)
      if let incoming = try watcher.receive(within: min(pause, .seconds(1))) {
        try take(incoming, &waiting, person)
      }
    }
    let after = try figures("at the end")
    report(asked)
    if let before {
      if after.1 != before.1 { faults.append("\(after.1) descriptors, not \(before.1)") }
      if after.2 != before.2 { faults.append("\(after.2) threads, not \(before.2)") }
      let growth = after.0 - before.0
      if growth > 1_024 { faults.append("the daemon grew by \(growth) KiB") }
    }
    daemon.signal(SIGTERM)
    if try daemon.exitCode() != 0 { faults.append("the daemon did not end well") }
    return faults
  }

  private func take(
    _ incoming: Incoming,
    _ waiting: inout Set<AlarmID>,
    _ person: Connection
  ) throws {
    guard case .event(.present(let event)) = incoming, event.state == .alerting else { return }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let micros = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    if event.snoozes == 0 { lateness.append(micros - event.due.microseconds) }
    if waiting.remove(event.alarm) == nil { faults.append("\(event.title) rang once more") }
    try person.request(.intent(Intent(.stop, .occurrence(event.occurrence))))
  }

  private func report(_ asked: Int) {
    let sorted = lateness.sorted()
    guard let last = sorted.last else { return }
    let p50 = sorted[sorted.count / 2]
    let p99 = sorted[sorted.count * 99 / 100]
    say("soak: \(asked) timers; seen late by p50 \(p50), p99 \(p99), at most \(last) microseconds")
    if let first = sorted.first, first < 0 { faults.append("rang \(-first) microseconds early") }
    if asked != lateness.count { faults.append("\(asked) timers, and \(lateness.count) rings") }
  }

  /// Private KiB, descriptors, threads.
  private func figures(_ when: String) throws -> (Int, Int, Int) {
    let memory = try privateMemory(pid)
    let descriptors = descriptorCount(pid)
    let threads = names(in: "/proc/\(pid)/task").count
    let words = try readText("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ")
    let ticks = (words ?? []).dropFirst(11).prefix(2).compactMap { Int($0) }.reduce(0, +)
    let milliseconds = ticks * 1_000 / max(1, sysconf(Int32(_SC_CLK_TCK)))
    say(
      "soak: \(when): \(memory) KiB private, \(descriptors) descriptors, \(threads) threads, "
        + "\(milliseconds) ms of the processor"
    )
    return (memory, descriptors, threads)
  }
}
