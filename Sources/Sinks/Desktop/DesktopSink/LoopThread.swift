import CNotify
import SinkKit

/// A thread that runs GLib's loop on a context of its own, and does there what it is given.
///
/// GLib delivers signals to the context of the thread that asked for them, so all that concerns the
/// bus happens on this thread.
final class LoopThread: @unchecked Sendable {
  // Unchecked is safe because the pointers never change and GLib lets every thread attach sources to a
  // context and quit a loop.

  private let context: OpaquePointer
  private let loop: OpaquePointer
  private let ended: SelfPipe

  /// Nil if the system has no thread or descriptor left.
  init?() {
    guard let ended = SelfPipe(), let context = g_main_context_new(),
      let loop = g_main_loop_new(context, 0)
    else { return nil }
    (self.context, self.loop, self.ended) = (context, loop, ended)
    guard BackgroundThread.start({ [self] in run() }) else { return nil }
  }

  deinit {
    g_main_loop_unref(loop)
    g_main_context_unref(context)
  }

  private func run() {
    g_main_context_push_thread_default(context)
    g_main_loop_run(loop)
    g_main_context_pop_thread_default(context)
    ended.signal()
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
  func waitForEnd(atMost limit: Duration) { ended.wait(atMost: limit) }
}

private final class Job {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runJob(_ data: gpointer?) -> gboolean {
  if let data { Unmanaged<Job>.fromOpaque(data).takeUnretainedValue().body() }
  return 0
}

private func releaseJob(_ data: gpointer?) {
  if let data { Unmanaged<Job>.fromOpaque(data).release() }
}
