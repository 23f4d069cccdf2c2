import Foundation
import Glibc

/// The command in a terminal of its own, as a person has it.
final class PseudoTerminal {
  let process: pid_t
  private let master: Int32
  private(set) var output = ""

  /// Starts the command as the leader of a session whose terminal this is.
  init(_ words: [String], environment: [String: String]) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK and TIOCGPTN, ioctl_tty(2); the functions around them are hidden from Swift.
    var isLocked: CInt = 0
    var number: CUnsignedInt = 0
    guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0,
      ioctl(master, 0x8004_5430, &number) == 0
    else { throw POSIXError(.ENXIO) }
    let name = "/dev/pts/\(number)"
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    // A session leader's first terminal becomes its controlling one.
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // POSIX_SPAWN_SETSID, which Glibc's module hides behind _GNU_SOURCE.
    posix_spawnattr_setflags(&attributes, 0x80)
    process = try spawn(words, environment, &actions, &attributes)
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  deinit {
    kill(process, SIGKILL)
    Glibc.close(master)
  }

  func type(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
  }

  /// Reads until the text stands there; false at the end, or if nothing comes for long.
  func wait(for text: String) -> Bool {
    while !output.contains(text) {
      guard readMore() else { return false }
    }
    return true
  }

  private func readMore() -> Bool {
    // A fault must not hang the tests; what is right never waits so long.
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 20_000) > 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let count = read(master, &chunk, chunk.count)
    guard count > 0 else { return false }
    output += String(decoding: chunk[..<count], as: UTF8.self)
    return true
  }

  func forgetOutput() { output = "" }

  /// Whether keys come one by one and unseen.
  var isRaw: Bool {
    var settings = termios()
    tcgetattr(master, &settings)
    return settings.c_lflag & tcflag_t(ICANON | ECHO) == 0
  }

  /// Waits for the end; the exit status.
  func finish() -> Int32 {
    while readMore() {}
    // At its end the terminal hangs up; whoever has not ended by then never will.
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    if poll(&entry, 1, 0) == 0 { kill(process, SIGKILL) }
    return exitStatus(process)
  }

  /// Waits until it is stopped.
  func waitUntilStopped() -> Bool {
    var status: Int32 = 0
    return waitpid(process, &status, WUNTRACED) == process && status & 0xff == 0x7f
  }
}

/// The command without a terminal: nothing to read, and a pipe to write to.
func runWithoutTerminal(_ words: [String], environment: [String: String]) throws -> (String, Int32)
{
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  let process = try spawn(words, environment, &actions, &attributes)
  Glibc.close(ends[1])
  let text = try FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readToEnd() ?? Data()
  return (String(decoding: text, as: UTF8.self), exitStatus(process))
}

private func exitStatus(_ process: pid_t) -> Int32 {
  var status: Int32 = 0
  waitpid(process, &status, 0)
  return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
}

/// Where the build put the command: beside the tests.
private var program: String {
  let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
  let beside = URL(fileURLWithPath: own).deletingLastPathComponent().path + "/tocsin"
  if FileManager.default.isExecutableFile(atPath: beside) { return beside }
  let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? ""
  return URL(fileURLWithPath: bundle).deletingLastPathComponent().path + "/tocsin"
}

private func spawn(
  _ words: [String],
  _ environment: [String: String],
  _ actions: inout posix_spawn_file_actions_t,
  _ attributes: inout posix_spawnattr_t
) throws -> pid_t {
  let arguments = ([program] + words).map { strdup($0) } + [nil]
  let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
  defer { for pointer in arguments + variables { free(pointer) } }
  var process: pid_t = 0
  let code = posix_spawn(&process, program, &actions, &attributes, arguments, variables)
  guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
  return process
}
