import Glibc

/// A key that means something while an alarm is followed.
enum Key: Hashable, Sendable {
  /// Enter or Space.
  case stop
  /// `s`.
  case snooze
  /// `p`.
  case pause
  /// `q`; Ctrl-C comes as a signal and means the same.
  case quit

  init?(_ byte: UInt8) {
    switch byte {
    case 0x0a, 0x0d, 0x20: self = .stop
    case UInt8(ascii: "s"), UInt8(ascii: "S"): self = .snooze
    case UInt8(ascii: "p"), UInt8(ascii: "P"): self = .pause
    // Ctrl-C and Ctrl-D, should the terminal hand them on as bytes.
    case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03, 0x04: self = .quit
    default: return nil
    }
  }

  /// Where in a sequence of bytes the next one stands.
  private enum Place { case text, escape, sequence }

  /// The keys among the bytes of a terminal.
  ///
  /// An arrow or function key comes as a sequence, none of whose letters was meant: ESC, `[`, numbers
  /// and one final byte, or ESC and one other (ECMA-48, 5.4).
  static func read(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    var place = Place.text
    for byte in bytes {
      switch (place, byte) {
      case (_, 0x1b): place = .escape
      case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")): place = .sequence
      case (.escape, _): place = .text
      case (.sequence, 0x40...0x7e): place = .text
      case (.sequence, _): break
      case (.text, _):
        if let key = Key(byte) { keys.append(key) }
      }
    }
    return keys
  }
}

/// Standard input as single keys, while this process is in the foreground of a terminal.
///
/// Ctrl-C and Ctrl-Z stay signals. A process in the background must not touch the terminal: the
/// kernel would stop it, and its alarm with it.
struct KeyReader {
  private var saved: termios?
  private var hasEnded = false

  /// Whether keys can come; poll standard input then.
  var isReading: Bool { saved != nil && !hasEnded }

  /// Switches the terminal over, if there is one and it is ours.
  mutating func begin() {
    guard saved == nil, !hasEnded, isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp()
    else { return }
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    let before = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // One byte at a time: VMIN and VTIME share their places with no other key on Linux.
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    if tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 { saved = before }
  }

  /// Gives the terminal back as it was.
  mutating func end() {
    guard var settings = saved else { return }
    if tcgetpgrp(STDIN_FILENO) == getpgrp() { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
    saved = nil
  }

  /// The keys that were pressed; the end of input ends nothing but the keys.
  mutating func keys() -> [Key] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    if count > 0 { return Key.read(bytes[..<count]) }
    if count == 0 || (errno != EINTR && errno != EAGAIN) { hasEnded = true }
    return []
  }
}
