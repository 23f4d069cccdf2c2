import Glibc

/// A program that a test starts, with pipes of the test at its input, output and errors.
final class ChildProcess {
  struct Failure: Error, CustomStringConvertible { var description: String }

  /// Anything here fails the test rather than hanging it.
  private static let patience: CInt = 20_000

  let pid: pid_t
  private let input: CInt
  private var open: [CInt: CInt]
  private var received: [CInt: [UInt8]] = [:]
  private var status: CInt?

  /// Starts it with exactly this environment.
  ///
  /// - Throws: `Failure` if there is no such program.
  init(_ words: [String], _ environment: [String: String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var mine: [CInt] = []
    var theirs: [CInt] = []
    for target: CInt in 0...2 {
      var ends: [CInt] = [-1, -1]
      guard pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
      let (own, child) = target == 0 ? (ends[1], ends[0]) : (ends[0], ends[1])
      _ = fcntl(own, F_SETFD, FD_CLOEXEC)
      // Out of the way of the descriptors that the actions set one after another.
      let moved = fcntl(child, F_DUPFD_CLOEXEC, 20)
      Glibc.close(child)
      posix_spawn_file_actions_adddup2(&actions, moved, target)
      mine.append(own)
      theirs.append(moved)
    }
    defer { for descriptor in theirs { Glibc.close(descriptor) } }
    let path = try Self.find(words[0])
    var arguments = ([path] + words.dropFirst()).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, nil, &arguments, &variables)
    guard code == 0 else {
      throw Failure(description: "\(path): \(String(cString: strerror(code)))")
    }
    self.pid = pid
    input = mine[0]
    open = [1: mine[1], 2: mine[2]]
  }

  deinit {
    Glibc.close(input)
    for descriptor in open.values { Glibc.close(descriptor) }
    if status == nil {
      kill(pid, SIGKILL)
      var status: CInt = 0
      waitpid(pid, &status, 0)
    }
  }

  func send(_ bytes: [UInt8]) throws {
    guard write(input, bytes, bytes.count) == bytes.count else {
      throw Failure(description: "it does not read")
    }
  }

  func send(line: String) throws { try send(Array("\(line)\n".utf8)) }

  func signal(_ number: CInt) { kill(pid, number) }

  /// The next line it writes, without the newline; nil at the end.
  func line(_ target: CInt = 1) throws -> String? {
    while true {
      let bytes = received[target] ?? []
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        received[target] = Array(bytes[(end + 1)...])
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      guard let descriptor = open[target], let more = try Self.read(descriptor) else { return nil }
      received[target] = bytes + more
    }
  }

  /// Waits for its end and gives the exit code, or the signal below zero.
  func exitCode() throws -> CInt {
    if let status { return status }
    while try line(2) != nil {}
    var raw: CInt = 0
    guard waitpid(pid, &raw, 0) == pid else { throw Failure(description: "waitpid") }
    let code = raw & 0x7F == 0 ? raw >> 8 & 0xFF : -(raw & 0x7F)
    status = code
    return code
  }

  /// Runs a program to its end and gives what it wrote.
  @discardableResult
  static func run(_ words: [String], _ environment: [String: String]) throws -> String {
    let child = try ChildProcess(words, environment)
    var text = ""
    while let line = try child.line() { text += line + "\n" }
    _ = try child.exitCode()
    return text
  }

  private static func read(_ descriptor: CInt) throws -> [UInt8]? {
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wanted, 1, patience) > 0 else { throw Failure(description: "nothing came") }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// A program beside the tests, or of the system.
  static func find(_ name: String) throws -> String {
    if name.hasPrefix("/") { return name }
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(
      decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) },
      as: UTF8.self
    )
    let directory = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
    for directory in [directory, "/usr/bin", "/bin"] where access("\(directory)/\(name)", X_OK) == 0
    { return "\(directory)/\(name)" }
    throw Failure(description: "there is no \(name)")
  }

  static func exists(_ names: String...) -> Bool { names.allSatisfy { (try? find($0)) != nil } }
}
