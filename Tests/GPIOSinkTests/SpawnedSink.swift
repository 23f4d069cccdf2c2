import Glibc
import TocsinModel

/// A real sink's process, with pipes of the test at its descriptors.
final class SpawnedSink {
  struct Failure: Error { var what: String }

  private let pid: pid_t
  private var input: CInt
  private let output: CInt
  private var received: [UInt8] = []
  private var status: CInt?

  /// Starts a program that was built beside the test bundle.
  ///
  /// - Throws: `Failure` if there is no such program.
  init(_ name: String) throws {
    let (theirInput, input) = try Self.pair()
    let (output, theirOutput) = try Self.pair()
    (self.input, self.output) = (input, output)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      for end in [theirInput, theirOutput] { close(end) }
    }
    posix_spawn_file_actions_adddup2(&actions, theirInput, 0)
    posix_spawn_file_actions_adddup2(&actions, theirOutput, 1)
    let path = try Self.folder() + name
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
    defer { free(arguments[0]) }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, nil, &arguments, environ)
    self.pid = pid
    guard code == 0 else { throw Failure(what: "\(path): \(String(cString: strerror(code)))") }
  }

  deinit {
    closeInput()
    close(output)
    if status == nil, pid > 0 {
      kill(pid, SIGKILL)
      var status: CInt = 0
      waitpid(pid, &status, 0)
    }
  }

  func send(_ messages: SinkMessage...) throws {
    for message in messages {
      let bytes = try JSONLine.encode(message)
      let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      guard count == bytes.count else { throw Failure(what: "it does not read") }
    }
  }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  func signal(_ number: CInt) { kill(pid, number) }

  /// The next report; nil at the end.
  func report() throws -> SinkReport? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(received[..<end])
        received.removeFirst(end + 1)
        return try JSONLine.decode(SinkReport.self, from: line)
      }
      guard let more = try read() else { return nil }
      received += more
    }
  }

  /// Waits for its end and gives the exit code, or the signal below zero.
  func exitCode() throws -> CInt {
    while try read() != nil {}
    var raw: CInt = 0
    guard waitpid(pid, &raw, 0) == pid else { throw Failure(what: "waitpid") }
    let code = raw & 0x7F == 0 ? raw >> 8 & 0xFF : -(raw & 0x7F)
    status = code
    return code
  }

  private func read() throws -> [UInt8]? {
    var wanted = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&wanted, 1, 20_000) > 0 else { throw Failure(what: "nothing came") }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(output, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// The ends of a pipe, which nobody inherits.
  private static func pair() throws -> (read: CInt, write: CInt) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure(what: "no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func folder() throws -> String {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let bytes = buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    let path = String(decoding: bytes, as: UTF8.self)
    guard let slash = path.lastIndex(of: "/") else { throw Failure(what: "no /proc/self/exe") }
    return String(path[...slash])
  }
}
