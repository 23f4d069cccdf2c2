import CLinux
import Glibc
import TocsinModel

/// A running plugin: its process, its three pipes and what it has not read yet.
///
/// Lives on the loop's thread. Never waits: what the plugin does not read is queued, and how it ends
/// is told by the kernel.
final class PluginProcess {
  /// What it tells its owner; called on the loop's thread, never from within `send`.
  struct Callbacks {
    /// A line of its standard output; says whether it was asked for.
    var onLine: (LineReader.Item) -> Bool
    /// A line of its standard error, for the log.
    var onLog: (String) -> Void
    /// It closed its input or its output.
    var onPipeClosed: () -> Void
    /// It read all, and lines were given up meanwhile.
    var onCaughtUp: () -> Void
    /// It is gone, with all of its group.
    var onExit: (ChildExit) -> Void
  }

  var pid: Int32 { child.pid }
  /// How many lines were given up because it did not read.
  var dropped: Int { queue.dropped }

  private let reactor: Reactor
  private let callbacks: Callbacks
  private let guardian: Guardian?
  private let child: Child
  private var queue = OutputQueue()
  private var input: Int32
  private var inputInterest: Events?
  private var closesWhenDrained = false
  private var output: LineSource?
  private var errors: LineSource?
  private var isReaped = false

  /// The longest line of a plugin's standard error that the log takes in one piece.
  private static let logLineLimit = 2048

  /// Starts the program, with `standardOutput` as its descriptor 3 if there is one.
  ///
  /// - Throws: `SystemError` named after the step that failed.
  init(
    path: String,
    arguments: [String],
    environment: [String: String],
    confinement: Confinement = Confinement(),
    standardOutput: Int32?,
    reactor: Reactor,
    guardian: Guardian? = nil,
    callbacks: Callbacks
  ) throws(SystemError) {
    self.reactor = reactor
    self.callbacks = callbacks
    self.guardian = guardian
    var toInput = try Pipe()
    var fromOutput = try Pipe()
    var fromErrors = try Pipe()
    var streams = [toInput.reading, fromOutput.writing, fromErrors.writing]
    // The child's ends block as any program expects; the flag is not shared with our ends.
    for descriptor in streams { try check("fcntl") { fcntl(descriptor, F_SETFL, 0) } }
    if let standardOutput { streams.append(standardOutput) }
    output = try LineSource(
      fromOutput.takeReading(),
      LineReader(limit: JSONLine.limit, overlong: .skip),
      reactor: reactor,
      onItem: callbacks.onLine,
      onEnd: callbacks.onPipeClosed
    )
    errors = try LineSource(
      fromErrors.takeReading(),
      LineReader(limit: Self.logLineLimit, overlong: .split),
      reactor: reactor,
      onItem: { item in
        if case .line(let bytes) = item { callbacks.onLog(String(decoding: bytes, as: UTF8.self)) }
        return false
      }
    )
    // Last of what may fail, so that no child runs that nobody knows.
    child = try Child(
      path: path,
      arguments: arguments,
      environment: environment,
      confinement: confinement,
      streams: streams
    )
    guardian?.add(child.pid)
    input = toInput.takeWriting().release()
    setInterest([])
    if child.exitDescriptor.raw >= 0 {
      try? reactor.watch(child.exitDescriptor.raw, .readable) { [weak self] _ in
        self?.reapIfEnded()
      }
    }
  }

  deinit {
    if !isReaped {
      child.signalGroup(SIGKILL)
      guardian?.remove(child.pid)
    }
    if input >= 0 { Glibc.close(input) }
  }

  /// Hands a line to the plugin; it waits in memory while the plugin does not read.
  func send(_ line: [UInt8], _ kind: OutputQueue.Kind) {
    queue.append(line, kind)
    flush()
  }

  /// Whether so many bytes more find room without giving up others.
  func hasRoom(for count: Int) -> Bool { queue.hasRoom(for: count) }

  /// Notes lines that were given up before they were queued.
  func countDropped(_ count: Int) { queue.countDropped(count) }

  /// Closes its input once it has read all that is queued.
  func closeInputWhenDrained() {
    closesWhenDrained = true
    flush()
  }

  /// Sends a signal to it and to all it has started.
  func signalGroup(_ signal: Int32) {
    if !isReaped { child.signalGroup(signal) }
  }

  /// Looks whether it has ended; for kernels without pidfds, on SIGCHLD.
  func reapIfEnded() {
    guard !isReaped, child.hasEnded else { return }
    // While it is not reaped its group cannot be anybody else's.
    child.signalGroup(SIGKILL)
    if child.exitDescriptor.raw >= 0 { reactor.unwatch(child.exitDescriptor.raw) }
    // It may have said something important last, such as that a button was pressed.
    output?.drainAndClose()
    errors?.drainAndClose()
    guardian?.remove(child.pid)
    let exit = child.reap()
    isReaped = true
    closeInput()
    callbacks.onExit(exit)
  }

  private func flush() {
    guard input >= 0 else { return }
    while let bytes = queue.front() {
      let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN { break }
        // The loop reports the broken pipe: nothing is called back from within `send`.
        setInterest([])
        return
      }
      queue.advance(by: count)
    }
    if queue.isEmpty, closesWhenDrained {
      closeInput()
    } else {
      setInterest(queue.isEmpty && !queue.needsSync ? [] : .writable)
    }
  }

  /// A pipe whose reader is gone is reported whatever the interest.
  private func setInterest(_ events: Events) {
    guard input >= 0, inputInterest != events else { return }
    if inputInterest == nil {
      try? reactor.watch(input, events) { [weak self] events in self?.inputChanged(events) }
    } else {
      try? reactor.modify(input, events)
    }
    inputInterest = events
  }

  private func inputChanged(_ events: Events) {
    if events.contains(.failed) {
      closeInput()
      callbacks.onPipeClosed()
      return
    }
    flush()
    if input >= 0, queue.isEmpty, queue.needsSync { callbacks.onCaughtUp() }
  }

  private func closeInput() {
    guard input >= 0 else { return }
    reactor.unwatch(input)
    Glibc.close(input)
    input = -1
  }
}

/// Both ends of a pipe, not blocking, closed on exec; an end that is not taken is closed with it.
///
/// Two numbers and not two `Descriptor`s, because Swift 6.0's optimizer stops with an error where a
/// value that owns two of them is taken apart.
private struct Pipe: ~Copyable {
  private(set) var reading: Int32
  private(set) var writing: Int32

  init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let code = tocsin_pipe(&ends)
    guard code == 0 else { throw SystemError("pipe2", code: code) }
    reading = ends[0]
    writing = ends[1]
  }

  mutating func takeReading() -> Descriptor {
    defer { reading = -1 }
    return Descriptor(owning: reading)
  }

  mutating func takeWriting() -> Descriptor {
    defer { writing = -1 }
    return Descriptor(owning: writing)
  }

  deinit {
    if reading >= 0 { close(reading) }
    if writing >= 0 { close(writing) }
  }
}
