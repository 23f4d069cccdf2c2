import Glibc
import SinkKit

/// A decoder that was started, what it writes as pipes, and its end, for which a thread waits.
final class DecoderProcess: Sendable {
  /// Its standard output and standard error, not blocking; whoever has it closes them.
  let output: CInt
  let error: CInt

  private let child: ChildProcess

  /// Starts a program in the process group of this one.
  ///
  /// - Parameters:
  ///   - arguments: the program, looked for in PATH if it has no slash, and its arguments.
  ///   - environment: all of its environment.
  ///   - ended: called once on a thread of its own with the exit status, or the signal below zero.
  /// - Throws: `ChildProcess.Failure` if it cannot be started.
  init(
    _ arguments: [String],
    environment: [String: String],
    ended: @escaping @Sendable (CInt) -> Void
  ) throws(ChildProcess.Failure) {
    guard let output = PipeEnds(), let error = PipeEnds() else {
      throw ChildProcess.Failure(code: errno)
    }
    let child = try ChildProcess(
      arguments,
      environment: environment,
      output: output.writeEnd,
      error: error.writeEnd,
      inOwnGroup: false
    )
    guard BackgroundThread.start({ ended(child.wait()) }) else {
      child.send(SIGKILL)
      _ = child.wait()
      throw ChildProcess.Failure(code: EAGAIN)
    }
    self.child = child
    self.output = output.takeRead()
    self.error = error.takeRead()
    for end in [self.output, self.error] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  /// Sends a signal; nothing happens once it has ended.
  func send(_ signal: CInt) { child.send(signal) }
}
