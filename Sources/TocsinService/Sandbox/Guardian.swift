import CLinux
import Glibc

/// Sees to it that no plugin survives the daemon, however the daemon ends.
///
/// A small process is told of every plugin that starts and ends. When the daemon is gone, it ends what
/// is left: plugins that do not mind the SIGTERM the kernel sends them, and what they have started.
/// Lives on the loop's thread.
final class Guardian {
  /// Where it is told; -1 before there is one.
  private(set) var pipe: Int32 = -1
  private var groups: Set<pid_t> = []
  private let log: (LogLevel, String) -> Void
  private var hasComplained = false

  /// Makes a guardian that is started with the first plugin.
  init(log: @escaping (LogLevel, String) -> Void) {
    self.log = log
  }

  deinit {
    if pipe >= 0 { close(pipe) }
  }

  /// Guards the group that a process leads.
  func add(_ pid: pid_t) {
    groups.insert(pid)
    if pipe >= 0, tell(pid) { return }
    restart()
  }

  /// Guards it no more; to be called before the process is reaped.
  func remove(_ pid: pid_t) {
    groups.remove(pid)
    if pipe >= 0 { _ = tell(-pid) }
  }

  /// A new one, if somebody has killed it; it is told of all there are.
  private func restart() {
    if pipe >= 0 { close(pipe) }
    let code = tocsin_guard(&pipe)
    guard code == 0, groups.allSatisfy(tell) else {
      guard !hasComplained else { return }
      hasComplained = true
      log(
        .warning,
        "nothing would end plugins if the daemon were killed: \(SystemError("fork", code: code))"
      )
      return
    }
  }

  private func tell(_ pid: pid_t) -> Bool {
    var record = tocsin_guard_record(pid: pid)
    let size = MemoryLayout<tocsin_guard_record>.size
    while true {
      let count = write(pipe, &record, size)
      if count >= 0 { return true }
      if errno != EINTR { return false }
    }
  }
}
