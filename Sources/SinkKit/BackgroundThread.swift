import TocsinClient

/// A thread of the sink's own, for what may block; `SinkHost.mailbox` is the way back.
public enum BackgroundThread {
  /// Room for the deepest of the decoders, which keep frames on the stack; memory is taken only for
  /// what is used of it.
  private static let stackSize = 1_024 * 1_024

  /// Runs the body on a new thread of 1 MiB of stack, which is gone when the body returns.
  ///
  /// It takes no signals, nor do threads that the body starts: they are the host's. May be called
  /// from any thread.
  ///
  /// - Returns: false if the system has no thread left; then the body is not run.
  public static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    DetachedThread.start(stackSize: stackSize, body)
  }
}
