import Glibc
import TocsinModel

@testable import SinkKit

/// The real tocsin-console, with pipes of the test at its descriptors.
final class SpawnedConsole {
  struct Failure: Error { var what: String }

  /// A descriptor that no other spawned process inherits.
  struct End {
    let descriptor: CInt
    init(_ descriptor: CInt) { self.descriptor = descriptor }

    static func pair() throws -> (read: End, write: End) {
      var ends: [CInt] = [-1, -1]
      guard pipe(&ends) == 0 else { throw Failure(what: "pipe") }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (End(ends[0]), End(ends[1]))
    }
  }

  /// Anything here fails the test rather than hanging it.
  private static let patience: CInt = 20_000

  let pid: pid_t
  private var open: [CInt: CInt] = [:]
  private var received: [CInt: [UInt8]] = [:]
  private var status: CInt?

  /// Starts it.
  ///
  /// - Parameters:
  ///   - closing: descriptors it finds closed.
  ///   - display: what it finds as descriptor 3; a pipe of the test if nil.
  ///   - environment: all of its environment.
  /// - Throws: `Failure` if there is no such program.
  init(closing: Set<CInt> = [], display: CInt? = nil, environment: [String] = ["TZ=UTC"]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var theirs: [CInt] = []
    for target: CInt in [0, 1, 2, 3] {
      if closing.contains(target) {
        posix_spawn_file_actions_addclose(&actions, target)
        continue
      }
      if target == 3, let display {
        posix_spawn_file_actions_adddup2(&actions, display, 3)
        continue
      }
      let pair = try End.pair()
      let (mine, child) = target == 0 ? (pair.write, pair.read) : (pair.read, pair.write)
      // Out of the way of the descriptors that the actions set one after another.
      let moved = fcntl(child.descriptor, F_DUPFD_CLOEXEC, 20)
      Glibc.close(child.descriptor)
      posix_spawn_file_actions_adddup2(&actions, moved, target)
      open[target] = mine.descriptor
      theirs.append(moved)
    }
    defer { for descriptor in theirs { Glibc.close(descriptor) } }
    let path = try Self.program()
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, nil, &arguments, &variables)
    guard code == 0 else { throw Failure(what: "\(path): \(String(cString: strerror(code)))") }
    self.pid = pid
  }

  deinit {
    for descriptor in open.values { Glibc.close(descriptor) }
    if status == nil {
      kill(pid, SIGKILL)
      var status: CInt = 0
      waitpid(pid, &status, 0)
    }
  }

  func send(_ messages: SinkMessage...) throws {
    for message in messages { try send(bytes: JSONLine.encode(message)) }
  }

  func hello(_ settings: [String: String] = [:]) throws {
    try send(.hello(SinkMessage.Hello(sink: "console", settings: settings)))
  }

  func send(bytes: [UInt8]) throws {
    guard let descriptor = open[0] else { throw Failure(what: "its input is closed") }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure(what: "it does not read") }
      rest = rest.dropFirst(count)
    }
  }

  /// Closes the test's end of one of its descriptors.
  func close(_ target: CInt) {
    if let descriptor = open.removeValue(forKey: target) { Glibc.close(descriptor) }
  }

  func signal(_ number: CInt) { kill(pid, number) }

  /// The next line it writes on that descriptor, without the newline; nil at the end.
  func line(_ target: CInt) throws -> String? {
    while true {
      let bytes = received[target] ?? []
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        received[target] = Array(bytes[(end + 1)...])
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      guard let more = try read(target) else { return nil }
      received[target] = bytes + more
    }
  }

  /// The next report.
  func report() throws -> SinkReport? {
    guard let line = try line(1) else { return nil }
    return try JSONLine.decode(SinkReport.self, from: Array(line.utf8))
  }

  /// The next report, which is to be a line of the log.
  func log() throws -> SinkReport.Log {
    guard case .log(let log)? = try report() else { throw Failure(what: "no line of the log") }
    return log
  }

  /// The next report, which is to be a failure.
  func failure() throws -> SinkReport.Failed {
    guard case .failed(let failed)? = try report() else { throw Failure(what: "no failure") }
    return failed
  }

  /// Everything it writes on that descriptor until it is closed.
  func rest(_ target: CInt) throws -> String {
    var bytes = received.removeValue(forKey: target) ?? []
    while let more = try read(target) { bytes += more }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits for its end and gives the exit code, or the signal below zero.
  func exitCode() throws -> CInt {
    if let status { return status }
    // Its standard error is open until it ends.
    if open[2] != nil { _ = try rest(2) }
    var raw: CInt = 0
    guard waitpid(pid, &raw, 0) == pid else { throw Failure(what: "waitpid") }
    let code = raw & 0x7F == 0 ? raw >> 8 & 0xFF : -(raw & 0x7F)
    status = code
    return code
  }

  private func read(_ target: CInt) throws -> [UInt8]? {
    guard let descriptor = open[target] else { throw Failure(what: "no pipe at \(target)") }
    return try Self.read(descriptor)
  }

  static func read(_ descriptor: CInt) throws -> [UInt8]? {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wanted, 1, patience) > 0 else { throw Failure(what: "nothing came") }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// Built beside the test bundle.
  private static func program() throws -> String {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let bytes = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    let path = String(decoding: bytes, as: UTF8.self)
    guard let slash = path.lastIndex(of: "/") else { throw Failure(what: "no /proc/self/exe") }
    let program = path[..<slash] + "/tocsin-console"
    guard access(String(program), X_OK) == 0 else { throw Failure(what: "no \(program)") }
    return String(program)
  }
}
