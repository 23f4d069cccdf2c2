import Glibc
import TocsinModel

@testable import SinkKit

/// The real tocsin-alsa, with pipes of the test at its descriptors.
final class SpawnedALSA {
  /// Anything here fails the test rather than hanging it.
  private static let patience: CInt = 20_000

  let pid: pid_t
  private let input: CInt
  private let output: CInt
  private var received: [UInt8] = []
  private var hasEnded = false

  init(environment: [String]) throws {
    let toChild = try Self.pipe()
    let fromChild = try Self.pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild.read, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fromChild.write, STDOUT_FILENO)
    let path = try Self.program()
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, nil, &arguments, &variables)
    close(toChild.read)
    close(fromChild.write)
    guard code == 0 else { throw Failure(what: "\(path): \(String(cString: strerror(code)))") }
    self.pid = pid
    input = toChild.write
    output = fromChild.read
  }

  deinit {
    close(input)
    close(output)
    if !hasEnded { _ = end(SIGKILL) }
  }

  /// A pipe whose ends no other spawned process inherits, out of the way of the first descriptors.
  private static func pipe() throws -> (read: CInt, write: CInt) {
    var ends: [CInt] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw Failure(what: "pipe") }
    let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 20) }
    for end in ends { close(end) }
    return (moved[0], moved[1])
  }

  func send(_ message: SinkMessage) throws {
    let bytes = try JSONLine.encode(message)
    guard write(input, bytes, bytes.count) == bytes.count else { throw Failure(what: "write") }
  }

  /// Says hello and waits for `ready`.
  func start(_ settings: [String: String]) throws -> SinkReport.Ready {
    try send(.hello(SinkMessage.Hello(sink: "speaker", settings: settings)))
    try send(.sync([]))
    while true {
      if case .ready(let ready) = try report() { return ready }
    }
  }

  /// The next report that is no line of the log.
  func receipt() throws -> SinkReport {
    while true {
      let report = try report()
      if case .log = report { continue }
      return report
    }
  }

  func report() throws -> SinkReport {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(received[..<end])
        received = Array(received[(end + 1)...])
        return try JSONLine.decode(SinkReport.self, from: line)
      }
      guard let more = try Self.read(output) else { throw Failure(what: "it has ended") }
      received += more
    }
  }

  /// Ends it with a signal and gives its exit code, or the signal below zero.
  func end(_ signal: CInt) -> CInt {
    kill(pid, signal)
    var raw: CInt = 0
    waitpid(pid, &raw, 0)
    hasEnded = true
    return raw & 0x7F == 0 ? raw >> 8 & 0xFF : -(raw & 0x7F)
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
    let program = path[..<slash] + "/tocsin-alsa"
    guard access(String(program), X_OK) == 0 else { throw Failure(what: "no \(program)") }
    return String(program)
  }
}
