/// What becomes of the timer that a line must come to its end before.
enum LineWatch: Equatable {
  case keep
  case start
  case stop
  case restart

  /// - Parameters:
  ///   - isRunning: whether the timer runs.
  ///   - isOpen: whether a line has begun, has not ended, and is read: nobody is blamed for a line that
  ///     waits because the daemon does not read it.
  ///   - isNewLine: whether a line came to its end since the timer was started.
  init(isRunning: Bool, isOpen: Bool, isNewLine: Bool) {
    switch (isRunning, isOpen) {
    case (true, true): self = isNewLine ? .restart : .keep
    case (true, false): self = .stop
    case (false, true): self = .start
    case (false, false): self = .keep
    }
  }
}
