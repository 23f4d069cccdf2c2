import Glibc

/// A real thread, for what waits: never one of the pool that a program's tasks share.
package enum DetachedThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs the body on a new thread that is gone when the body returns.
  ///
  /// It takes no signals, nor do threads that the body starts: they are the program's. May be called from
  /// any thread. See pthread_create(3).
  ///
  /// - Parameters:
  ///   - stackSize: bytes of stack; the system's default if nil.
  ///   - body: what to run.
  /// - Returns: false if the system has no thread left; then the body is not run.
  package static func start(
    stackSize: Int? = nil,
    _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    // A new thread begins with the mask of the one that makes it.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = pthread_create(&thread, &attributes, begin, work.toOpaque())
    if code != 0 { work.release() }
    return code == 0
  }

  fileprivate static func perform(_ pointer: UnsafeMutableRawPointer) {
    Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
  }
}

/// What a new thread begins with, as pthread_create(3) calls it.
private func begin(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let pointer { DetachedThread.perform(pointer) }
  return nil
}
