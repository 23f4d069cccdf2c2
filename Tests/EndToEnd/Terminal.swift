import Glibc
import ProcessTesting

/// A program in a terminal of its own, as a person has it.
final class Terminal {
  let program: Program
  private let terminal: PseudoTerminal
  private let before: termios

  init(_ words: [String], environment: [String: String]) throws {
    // Held open here, so that what the program did to it can still be seen after its end.
    terminal = try PseudoTerminal()
    var settings = termios()
    guard tcgetattr(terminal.slave, &settings) == 0 else { throw Failure("there is no terminal") }
    before = settings
    // Its controlling terminal, so that keys become signals; see setsid(1).
    program = try Program(
      ["setsid", "--ctty", "--wait", try Program.find(words[0])] + words.dropFirst(),
      environment: environment,
      input: .descriptor(terminal.slave),
      output: .descriptor(terminal.slave),
      errors: .descriptor(terminal.slave)
    )
  }

  /// What stands on the screen, line by line or not.
  var screen: LineReader { terminal.screen }

  func type(_ text: String) throws { try terminal.type(text) }

  /// Whether the terminal is set as it was before.
  var isRestored: Bool {
    var settings = termios()
    tcgetattr(terminal.slave, &settings)
    return settings.c_lflag == before.c_lflag && settings.c_iflag == before.c_iflag
      && settings.c_oflag == before.c_oflag
  }
}
