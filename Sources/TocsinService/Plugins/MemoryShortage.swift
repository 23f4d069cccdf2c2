import CLinux
import Glibc

/// Whom the kernel ends first when the machine is out of memory.
///
/// A plugin, which is started again, and not the daemon, which would take all of them with it. See
/// proc(5), oom_score_adj.
enum MemoryShortage {
  /// How much worse a plugin stands than the daemon, in thousandths of the machine's memory.
  private static let margin = 100
  private static let worst = 1000

  /// Where a plugin stands beside a daemon that stands there.
  ///
  /// What a service manager gives the daemon is the daemon's alone: a plugin that takes all memory is
  /// to go before any other program.
  static func standing(besideDaemonAt daemon: Int) -> Int {
    daemon < 0 ? 0 : min(daemon + margin, worst)
  }

  /// Has a child go before its parent; where the kernel does not let us, nothing is lost but that.
  ///
  /// From outside and after it has executed its program: before, what it has in /proc belongs to root,
  /// as the daemon's does.
  static func putFirst(_ child: pid_t) {
    guard let text = try? readSmallFile("/proc/self/oom_score_adj"),
      let daemon = Int(text.filter { !$0.isWhitespace })
    else { return }
    let file = Descriptor(owning: open("/proc/\(child)/oom_score_adj", O_WRONLY | O_CLOEXEC))
    guard file.raw >= 0 else { return }
    let bytes = Array("\(standing(besideDaemonAt: daemon))".utf8)
    _ = write(file.raw, bytes, bytes.count)
  }
}
