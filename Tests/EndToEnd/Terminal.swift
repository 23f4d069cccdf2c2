import Foundation
import Glibc

/// A program in a terminal of its own, as a person has it.
final class Terminal {
  let program: Program
  /// What stands on the screen, line by line or not.
  let screen: LineReader
  private let master: Int32
  private let slave: Int32
  private let before: termios

  init(_ words: [String], environment: [String: String]) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK and TIOCGPTN, ioctl_tty(2); the functions around them are hidden from Swift.
    var isLocked: CInt = 0
    var number: CUnsignedInt = 0
    guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0,
      ioctl(master, 0x8004_5430, &number) == 0
    else { throw Failure("there is no pseudo-terminal") }
    var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    // Held open here, so that what the program did to it can still be seen after its end.
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var settings = termios()
    guard tcgetattr(slave, &settings) == 0 else { throw Failure("there is no terminal") }
    before = settings
    screen = LineReader(master)
    // Its controlling terminal, so that keys become signals; see setsid(1).

    program = try Program(
      ["setsid", "--ctty", "--wait", try Program.find(words[0])] + words.dropFirst(),
      environment: environment,
      input: .descriptor(slave),
      output: .descriptor(slave),
      errors: .descriptor(slave)
    )
  }

  deinit { close(slave) }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Whether the terminal is set as it was before.
  var isRestored: Bool {
    var settings = termios()
    tcgetattr(slave, &settings)
    return settings.c_lflag == before.c_lflag && settings.c_iflag == before.c_iflag
      && settings.c_oflag == before.c_oflag
  }
}
