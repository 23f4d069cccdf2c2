import Foundation
package import Glibc
import Synchronization

/// A program that runs, in a process group of its own, with pipes at its descriptors.
package final class Program: @unchecked Sendable {
  // Unchecked is safe because the outcome is guarded by its lock and all else belongs to one test.

  /// What a descriptor of the program is.
  package enum Stream {
    /// A pipe whose other end the test has.
    case pipe
    /// A descriptor of the test's.
    case descriptor(Int32)
    /// /dev/null
    case nothing
    /// Not open at all.
    case closed
  }

  /// What it wrote, and how it ended.
  package struct Result {
    package var code: Int32
    package var out: String
    package var err: String
  }

  package let pid: pid_t
  package let output: LineReader
  package let errors: LineReader
  /// What it writes on descriptor 3, if that is a pipe.
  package let display: LineReader
  private var input: Int32
  private let outcome = Mutex<Int32?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  /// Starts a program: its name, beside the tests or in PATH or with its directory, and its arguments.
  ///
  /// `environment` is all of its environment, `display` what it finds as descriptor 3.
  package init(
    _ words: [String],
    environment: [String: String],
    input: Stream = .nothing,
    output: Stream = .pipe,
    errors: Stream = .pipe,
    display: Stream = .closed
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var mine: [Int32] = [-1, -1, -1, -1]
    var theirs: [Int32] = []
    defer { for descriptor in theirs { Glibc.close(descriptor) } }
    for (number, stream) in [input, output, errors, display].enumerated() {
      let target = Int32(number)
      switch stream {
      case .pipe:
        let ends = try pipeEnds()
        mine[number] = number == 0 ? ends.write : ends.read
        // Out of the way of the descriptors that the actions set one after another.
        let moved = fcntl(number == 0 ? ends.read : ends.write, F_DUPFD_CLOEXEC, 20)
        Glibc.close(number == 0 ? ends.read : ends.write)
        theirs.append(moved)
        posix_spawn_file_actions_adddup2(&actions, moved, target)
      case .descriptor(let descriptor):
        let moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 20)
        theirs.append(moved)
        posix_spawn_file_actions_adddup2(&actions, moved, target)
      case .nothing:
        posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
      case .closed:
        posix_spawn_file_actions_addclose(&actions, target)
      }
    }
    // Other tests' descriptors, which may be without close-on-exec for a moment.
    if let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
      // Safe because the symbol is that function, as spawn.h declares it.
      _ = unsafeBitCast(symbol, to: AddCloseFrom.self)(&actions, 4)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigfillset(&defaults)
    sigdelset(&defaults, SIGKILL)
    sigdelset(&defaults, SIGSTOP)
    var nothing = sigset_t()
    sigemptyset(&nothing)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setsigmask(&attributes, &nothing)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags =
      Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let path = try Self.find(words[0])
    let arguments = ([path] + words.dropFirst()).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, &attributes, arguments, variables)
    guard code == 0 else { throw Failure("\(path): \(String(cString: strerror(code)))") }
    self.pid = pid
    self.input = mine[0]
    self.output = LineReader(mine[1])
    self.errors = LineReader(mine[2])
    self.display = LineReader(mine[3])
    Thread { [pid, weak self] in
      var status: Int32 = 0
      // Not collected before everybody here knows, so that no signal meets another process.
      var information = siginfo_t()
      while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      guard let self else {
        waitpid(pid, &status, 0)
        return
      }
      outcome.withLock {
        waitpid(pid, &status, 0)
        $0 = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
      }
      ended.signal()
    }.start()
  }

  deinit {
    signal(SIGKILL, toGroup: true)
    close(0)
  }

  /// Sends a signal, as long as it runs.
  package func signal(_ number: Int32, toGroup: Bool = false) {
    outcome.withLock {
      guard $0 == nil else { return }
      kill(toGroup ? -pid : pid, number)
    }
  }

  /// Ends it at once, and waits until it is gone.
  package func crash() throws {
    signal(SIGKILL)
    _ = try exitCode()
  }

  package var isRunning: Bool { outcome.withLock { $0 == nil } }

  /// Waits for its end: its exit code, or the signal that ended it below zero.
  package func exitCode(within limit: Duration = patience) throws -> Int32 {
    let seconds = Double(limit.components.seconds)
    guard ended.wait(timeout: .now() + seconds) == .success else {
      throw Failure("process \(pid) does not end")
    }
    ended.signal()
    return outcome.withLock { $0 } ?? -1
  }

  /// Everything it writes until its end, and how it ends.
  package func result() throws -> Result {
    let out = try output.rest()
    let err = try errors.rest()
    return Result(code: try exitCode(), out: out, err: err)
  }

  /// Runs a program to its end.
  package static func run(_ words: [String], environment: [String: String]) throws -> Result {
    try Program(words, environment: environment).result()
  }

  /// Gives it something to read.
  ///
  /// - Throws: `Failure` if it does not read, or its input is no pipe.
  package func write(_ bytes: [UInt8]) throws {
    guard input >= 0 else { throw Failure("its input is closed") }
    try writeAll(bytes, to: input)
  }

  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Closes the test's end of one of its descriptors, 0...3.
  package func close(_ target: Int32) {
    switch target {
    case 0:
      if input >= 0 { Glibc.close(input) }
      input = -1
    case 1: output.close()
    case 2: errors.close()
    default: display.close()
    }
  }

  /// A program beside the tests, or in PATH.
  package static func find(_ name: String) throws -> String {
    if name.contains("/") { return name }
    for directory in [directory, "/usr/bin", "/bin", "/usr/sbin", "/sbin"] {
      let path = "\(directory)/\(name)"
      if access(path, X_OK) == 0 { return path }
    }
    throw Failure("there is no \(name)")
  }

  package static func exists(_ name: String) -> Bool { (try? find(name)) != nil }

  /// Where the build put the programs: beside the tests.
  package static let directory: String = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
    let candidates = [own, bundle].map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    return candidates.first { access("\($0)/tocsind", X_OK) == 0 } ?? candidates[0]
  }()
}

// Glibc's module does not show what is behind _GNU_SOURCE.
private typealias AddCloseFrom =
  @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
