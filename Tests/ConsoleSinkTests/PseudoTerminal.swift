import Glibc

/// A terminal whose other end the test holds (pty(7)).
final class PseudoTerminal {
  let master: CInt
  let slave: CInt

  init(columns: UInt16) throws {
    // Not in the Glibc module: posix_openpt, unlockpt and ptsname. These are TIOCSPTLCK and TIOCGPTN.
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: CInt = 0
    var number: CInt = 0
    guard master >= 0, ioctl(master, 0x4004_5431, &locked) == 0,
      ioctl(master, 0x8004_5430, &number) == 0
    else { throw SpawnedConsole.Failure(what: "/dev/ptmx") }
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw SpawnedConsole.Failure(what: "open pty") }
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
  }

  deinit {
    close(master)
    close(slave)
  }

  /// What was drawn until that text came, the text included.
  func read(until end: String) throws -> String {
    var drawn = ""
    while !drawn.contains(end) {
      guard let more = try SpawnedConsole.read(master) else { break }
      drawn += String(decoding: more, as: UTF8.self)
    }
    return drawn
  }
}
