import CNotify
import Glibc

/// A thread that runs GLib's loop on a context of its own, and does there what it is given.
///
/// GLib delivers signals to the context of the thread that asked for them, so all that concerns the
/// bus happens on this thread.
final class LoopThread: @unchecked Sendable {
  // Unchecked is safe because the pointers never change and GLib lets every thread attach sources to a
  // context and quit a loop.

  private let context: OpaquePointer
  private let loop: OpaquePointer
  private let ended: (read: CInt, write: CInt)

  /// Nil if the system has no thread or descriptor left.
  init?() {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard let context = g_main_context_new(), let loop = g_main_loop_new(context, 0) else {
      for end in ends { close(end) }
      return nil
    }
    (self.context, self.loop, ended) = (context, loop, (ends[0], ends[1]))
    guard start() else { return nil }
  }

  deinit {
    g_main_loop_unref(loop)
    g_main_context_unref(context)
    close(ended.read)
    close(ended.write)
  }

  private func start() -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 256 << 10)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    // Signals, and those of threads that GLib starts from here, belong to the host's thread.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let this = Unmanaged.passRetained(self)
    var thread = pthread_t()
    guard pthread_create(&thread, &attributes, runLoop, this.toOpaque()) == 0 else {
      this.release()
      return false
    }
    return true
  }

  fileprivate func run() {
    g_main_context_push_thread_default(context)
    g_main_loop_run(loop)
    g_main_context_pop_thread_default(context)
    var byte: UInt8 = 1
    _ = write(ended.write, &byte, 1)
  }

  /// Does it on the thread, in the order given; may be called from any thread.
  func perform(_ body: @escaping @Sendable () -> Void) {
    // Not g_main_context_invoke, which may choose the thread that calls it.
    let source = g_idle_source_new()
    g_source_set_priority(source, G_PRIORITY_DEFAULT)
    g_source_set_callback(
      source,
      runJob,
      Unmanaged.passRetained(Job(body)).toOpaque(),
      releaseJob
    )
    g_source_attach(source, context)
    g_source_unref(source)
  }

  /// Ends the loop after what was given before.
  func quit() {
    perform { [self] in g_main_loop_quit(loop) }
  }

  /// Waits for the loop's end no longer than it is told.
  func waitForEnd(atMost limit: Duration) {
    let (seconds, attoseconds) = limit.components
    let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    var wanted = pollfd(fd: ended.read, events: Int16(POLLIN), revents: 0)
    _ = poll(&wanted, 1, CInt(clamping: milliseconds))
  }
}

private final class Job {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<LoopThread>.fromOpaque(context).takeRetainedValue().run()
  return nil
}

private func runJob(_ data: gpointer?) -> gboolean {
  if let data { Unmanaged<Job>.fromOpaque(data).takeUnretainedValue().body() }
  return 0
}

private func releaseJob(_ data: gpointer?) {
  if let data { Unmanaged<Job>.fromOpaque(data).release() }
}
