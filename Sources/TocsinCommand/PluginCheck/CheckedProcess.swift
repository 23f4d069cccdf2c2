import Glibc
import SinkKit
import TocsinModel
import TocsinTime

/// A plugin's process as the check has it: its pipes, what it has not read yet, and how it ended.
///
/// Used by one thread, which waits in poll(2) and never longer than it is told.
final class CheckedProcess {
  /// Why `run` returned.
  enum Turn: Hashable {
    case done
    case tooLate
    /// It is gone, and all that it wrote is read.
    case ended
    /// The check itself is to end.
    case signal(CInt)
  }

  /// The exit status, or the signal below zero; nil while it runs.
  private(set) var exit: CInt?
  /// Whether nobody holds its standard output open any more.
  var hasClosedOutput: Bool { output < 0 }
  /// How many bytes it has not read.
  var unread: Int { pending.count - written }

  private let child: ChildProcess
  private let signals: Signals?
  private var input: CInt
  private var output: CInt
  private var errors: CInt
  private var end: CInt
  private var pending: [UInt8] = []
  private var written = 0
  private var closesInput = false
  private var lines = LineReader(limit: JSONLine.limit, overlong: .skip)
  private var errorLines = LineReader(limit: 2048, overlong: .split)
  private let onLine: (LineReader.Item) -> Void
  private let onError: (String) -> Void

  /// Starts it in a process group of its own, as the daemon does.
  ///
  /// - Throws: `ChildProcess.Failure` with the errno that says why not.
  init(
    _ words: [String],
    environment: [String: String],
    signals: Signals?,
    onLine: @escaping (LineReader.Item) -> Void,
    onError: @escaping (String) -> Void
  ) throws(ChildProcess.Failure) {
    guard let toInput = PipeEnds(), let fromOutput = PipeEnds(), let fromErrors = PipeEnds(),
      let fromEnd = PipeEnds()
    else { throw ChildProcess.Failure(code: errno) }
    let theirInput = toInput.takeRead()
    defer { close(theirInput) }
    let child = try ChildProcess(
      words,
      environment: environment,
      input: theirInput,
      output: fromOutput.writeEnd,
      error: fromErrors.writeEnd,
      inOwnGroup: true
    )
    let endWriter = fromEnd.takeWrite()
    let isWaitedFor = BackgroundThread.start {
      var code = child.wait()
      _ = Glibc.write(endWriter, &code, MemoryLayout<CInt>.size)
      close(endWriter)
    }
    guard isWaitedFor else {
      close(endWriter)
      child.send(SIGKILL)
      throw ChildProcess.Failure(code: EAGAIN)
    }
    self.child = child
    self.signals = signals
    input = toInput.takeWrite()
    output = fromOutput.takeRead()
    errors = fromErrors.takeRead()
    end = fromEnd.takeRead()
    self.onLine = onLine
    self.onError = onError
    for descriptor in [input, output, errors] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    kill()
    for descriptor in [input, output, errors, end] where descriptor >= 0 { close(descriptor) }
  }

  /// Hands it bytes; they wait while it does not read.
  func write(_ bytes: [UInt8]) {
    pending.removeFirst(written)
    written = 0
    pending += bytes
    flush()
  }

  /// Closes its input once it has read all.
  func closeInput() {
    closesInput = true
    flush()
  }

  /// Sends a signal to its group.
  func send(_ signal: CInt) { child.send(signal) }

  /// Ends it and all that is left of its group.
  func kill() {
    child.send(SIGKILL)
    // The group exists as long as something is in it, so that its number is nobody else's.
    if !survivors().isEmpty { Glibc.kill(-child.pid, SIGKILL) }
  }

  /// What runs in its group beside itself, such as "sleep (process 4711)".
  func survivors() -> [String] {
    FolderNames.read("/proc").compactMap { name in
      guard let pid = pid_t(name), pid != child.pid,
        let status = try? contents(of: "/proc/\(name)/stat", limit: 4096)
      else { return nil }
      // "4711 (name) S 1 4700 …", and the name may hold anything: proc(5).
      guard let from = status.firstIndex(of: UInt8(ascii: "(")),
        let to = status.lastIndex(of: UInt8(ascii: ")")), from < to
      else { return nil }
      let fields = status[(to + 1)...].split(separator: UInt8(ascii: " "))
      // One that is dead and not yet collected runs no more.
      guard fields.count > 2, !"ZX".utf8.contains(fields[0].first ?? 0),
        String(decoding: fields[2], as: UTF8.self) == String(child.pid)
      else { return nil }
      return "\(String(decoding: status[(from + 1)..<to], as: UTF8.self)) (process \(pid))"
    }
  }

  /// Goes on until something is so, or until that time, or until the process is gone.
  func run(until deadline: ContinuousClock.Instant, _ isDone: () -> Bool) -> Turn {
    while true {
      if isDone() { return .done }
      if exit != nil { return .ended }
      let left = deadline - .now
      guard left > .zero else { return .tooLate }
      wait(atMost: left)
      if let signal = signals?.pending().first { return .signal(signal) }
    }
  }

  /// After its end: reads on until nobody holds its output open and its group is empty, or until that
  /// time; what is left of the group then.
  func survivors(until deadline: ContinuousClock.Instant) -> [String] {
    while output >= 0, deadline > .now { wait(atMost: deadline - .now) }
    while true {
      let survivors = survivors()
      // Nothing tells of the end of somebody else's child.
      guard !survivors.isEmpty, deadline > .now else { return survivors }
      wait(atMost: .milliseconds(10))
    }
  }

  private func wait(atMost limit: Duration) {
    var wanted = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
      pollfd(fd: end, events: Int16(POLLIN), revents: 0),
      pollfd(fd: unread > 0 ? input : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: signals?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let milliseconds = min(Int64(CInt.max), limit.microseconds / 1_000 + 1)
    guard poll(&wanted, nfds_t(wanted.count), CInt(milliseconds)) > 0 else { return }
    if wanted[3].revents != 0 { flush() }
    if wanted[0].revents != 0 { readOutput() }
    if wanted[1].revents != 0 { readErrors() }
    if wanted[2].revents != 0 { takeEnd() }
  }

  private func takeEnd() {
    var code: CInt = 0
    guard Glibc.read(end, &code, MemoryLayout<CInt>.size) == MemoryLayout<CInt>.size else { return }
    close(end)
    end = -1
    // What it said last counts; what its children say without end does not.
    for _ in 0..<64 where readOutput() {}
    for _ in 0..<64 where readErrors() {}
    exit = code
  }

  private func flush() {
    guard input >= 0 else { return }
    while unread > 0 {
      let count = pending[written...].withUnsafeBytes {
        Glibc.write(input, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        // Nobody reads any more.
        written = pending.count
        closesInput = true
      }
    }
    if closesInput {
      close(input)
      input = -1
    }
  }

  @discardableResult
  private func readOutput() -> Bool {
    guard let bytes = Self.read(&output) else { return false }
    for item in bytes.isEmpty ? lines.finish() : lines.read(bytes) { onLine(item) }
    return !bytes.isEmpty
  }

  @discardableResult
  private func readErrors() -> Bool {
    guard let bytes = Self.read(&errors) else { return false }
    for item in bytes.isEmpty ? errorLines.finish() : errorLines.read(bytes) {
      if case .line(let line) = item { onError(String(decoding: line, as: UTF8.self)) }
    }
    return !bytes.isEmpty
  }

  /// What is there; empty at the end, when the descriptor is closed, and nil if nothing is there now.
  private static func read(_ descriptor: inout CInt) -> [UInt8]? {
    guard descriptor >= 0 else { return nil }
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    guard count > 0 else {
      close(descriptor)
      descriptor = -1
      return []
    }
    return Array(buffer[..<count])
  }
}
