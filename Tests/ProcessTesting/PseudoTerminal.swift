import Glibc

/// A terminal whose other end the test holds (pty(7)).
package final class PseudoTerminal {
  /// What is drawn, line by line or not.
  package let screen: LineReader
  /// The end that programs have, by its name.
  package let path: String
  /// The same end, open in the test; -1 if it is not to be.
  package let slave: Int32

  /// Makes one of 24 rows, whose screen ends with the last program that has it if it is not held open.
  package init(columns: UInt16 = 80, isHeldOpen: Bool = true) throws {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    screen = LineReader(master)
    // TIOCSPTLCK and TIOCGPTN, ioctl_tty(2); the functions around them are hidden from Swift.
    var isLocked: CInt = 0
    var number: CUnsignedInt = 0
    guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0,
      ioctl(master, 0x8004_5430, &number) == 0
    else { throw Failure("there is no pseudo-terminal") }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    path = "/dev/pts/\(number)"
    slave = isHeldOpen ? open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1
    guard slave >= 0 || !isHeldOpen else { throw Failure("\(path) cannot be opened") }
  }

  deinit {
    if slave >= 0 { close(slave) }
  }

  /// Presses keys.
  package func type(_ text: String) throws { try writeAll(Array(text.utf8), to: screen.descriptor) }
}
