import AlarmKit

/// Keys as they are pressed, without Enter, where standard input is a terminal.
enum Keys {
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Sets the terminal to give single keys, until the reader stops.
  static func pressed() -> AsyncStream<Character> {
    AsyncStream { keys in
      var before = termios()
      tcgetattr(STDIN_FILENO, &before)
      var single = before
      // Control-C comes as a key too, so that the terminal is always set back.
      single.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
      tcsetattr(STDIN_FILENO, TCSANOW, &single)
      let settings = before
      keys.onTermination = { _ in
        var settings = settings
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      }
      Thread.detachNewThread {
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1 { keys.yield(Character(Unicode.Scalar(byte))) }
        keys.finish()
      }
    }
  }
}
