import Glibc
import SinkKit

/// What an output is and what the environment says of it.
struct ConsoleTerminal: Equatable {
  /// Whether it is a terminal.
  var isTerminal: Bool
  /// Whether it understands more than text: TERM is set and not `dumb`.
  var isCapable: Bool
  /// Whether NO_COLOR asks for none (no-color.org: set, and not empty).
  var noColor: Bool

  init(isTerminal: Bool, isCapable: Bool = true, noColor: Bool = false) {
    self.isTerminal = isTerminal
    self.isCapable = isCapable
    self.noColor = noColor
  }

  /// Asks about a descriptor, in this process's environment.
  init(descriptor: CInt) {
    isTerminal = isatty(descriptor) == 1
    let term = Environment.variable("TERM") ?? ""
    isCapable = term != "" && term != "dumb"
    noColor = !(Environment.variable("NO_COLOR") ?? "").isEmpty
  }

  /// The width of the terminal, or 80 if it does not know (tty_ioctl(4), TIOCGWINSZ).
  static func columns(of descriptor: CInt) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
