import CLinux
import Glibc

/// Tells the service manager how the daemon does: one datagram a message, and nothing where there is
/// no service manager.
///
/// Source: sd_notify(3), sd_watchdog_enabled(3), systemd.service(5).
package struct ServiceNotification: Sendable {
  /// What a service manager understands.
  package enum Message: Hashable, Sendable {
    /// The daemon is up and its deadline armed.
    case ready
    /// One line for `systemctl status`.
    case status(String)
    /// The configuration is being read again; followed by `ready`. Needs CLOCK_MONOTONIC, in
    /// microseconds.
    case reloading(at: Int64)
    /// The daemon is going.
    case stopping
    /// The loop turns.
    case watchdog

    package var text: String {
      switch self {
      case .ready: "READY=1"
      // A newline would begin another assignment.
      case .status(let line): "STATUS=" + String(line.map { $0.isNewline ? " " : $0 })
      case .reloading(let at): "RELOADING=1\nMONOTONIC_USEC=\(at)"
      case .stopping: "STOPPING=1"
      case .watchdog: "WATCHDOG=1"
      }
    }
  }

  private let address: String?
  /// Whether there is a service manager to tell.
  package var isWanted: Bool { address != nil }
  /// How long the service manager waits between two watchdog messages; nil if it does not.
  package let watchdogInterval: Duration?

  /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID from the environment.
  package init(environment: [String: String], pid: Int32 = getpid()) {
    let socket = environment["NOTIFY_SOCKET"] ?? ""
    address = socket.hasPrefix("/") || socket.hasPrefix("@") ? socket : nil
    let isMeant = environment["WATCHDOG_PID"].map { $0 == "\(pid)" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) }
    watchdogInterval =
      isMeant ? microseconds.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
  }

  /// Sends messages in one datagram; never waits.
  ///
  /// - Throws: `SystemError` if there is a service manager and it could not be reached.
  package func send(_ messages: Message...) throws(SystemError) {
    guard let address else { return }
    let text = messages.map(\.text).joined(separator: "\n")
    let socket = Descriptor(
      owning: try check("socket") {
        Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      }
    )
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(address.utf8)
    let capacity = MemoryLayout.size(ofValue: name.sun_path)
    guard bytes.count < capacity else {
      throw SystemError("sendto", address, code: ENAMETOOLONG)
    }
    // An abstract address begins with a zero byte and ends with its length, not with a zero.
    if address.hasPrefix("@") { bytes[0] = 0 } else { bytes.append(0) }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    let offset = MemoryLayout<sockaddr_un>.size - capacity
    let length = socklen_t(offset + bytes.count)
    let content = Array(text.utf8)
    try check("sendto", address) {
      withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          sendto(
            socket.raw,
            content,
            content.count,
            Int32(MSG_NOSIGNAL | MSG_DONTWAIT),
            $0,
            length
          )
        }
      }
    }
  }

  /// Feeds the watchdog from the loop at half its interval, if there is one; else never wakes.
  ///
  /// It comes from the loop itself, so that a loop that hangs is noticed. On the loop's thread, once.
  package func feedWatchdog(on reactor: Reactor) {
    guard let watchdogInterval else { return }
    try? send(.watchdog)
    reactor.after(watchdogInterval / 2) { [unowned reactor] in feedWatchdog(on: reactor) }
  }
}
