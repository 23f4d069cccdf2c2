import Glibc
import ProcessTesting

/// The command in a terminal of its own, as a person has it.
final class CommandInTerminal {
  let process: pid_t
  private let terminal: PseudoTerminal
  private(set) var output = ""

  /// Starts the command as the leader of a session whose terminal this is.
  init(_ words: [String], environment: [String: String]) throws {
    terminal = try PseudoTerminal(isHeldOpen: false)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // A session leader's first terminal becomes its controlling one.
    posix_spawn_file_actions_addopen(&actions, 0, terminal.path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // POSIX_SPAWN_SETSID, which Glibc's module hides behind _GNU_SOURCE.
    posix_spawnattr_setflags(&attributes, 0x80)
    let program = try Program.find("tocsin")
    let arguments = ([program] + words).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, &attributes, arguments, variables)
    guard code == 0 else { throw Failure("\(program): \(String(cString: strerror(code)))") }
    self.process = process
  }

  deinit { kill(process, SIGKILL) }

  private var master: Int32 { terminal.screen.descriptor }

  func type(_ text: String) throws { try terminal.type(text) }

  /// Reads until the text stands there; false at the end, or if nothing comes for long.
  func wait(for text: String) -> Bool {
    while !output.contains(text) {
      guard readMore() else { return false }
    }
    return true
  }

  private func readMore() -> Bool {
    guard let more = try? nextBytes(master) else { return false }
    output += String(decoding: more, as: UTF8.self)
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
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }

  /// Waits until it is stopped.
  func waitUntilStopped() -> Bool {
    var status: Int32 = 0
    return waitpid(process, &status, WUNTRACED) == process && status & 0xff == 0x7f
  }
}
