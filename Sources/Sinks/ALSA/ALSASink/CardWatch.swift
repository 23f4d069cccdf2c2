import Glibc
import SinkKit

/// Notices cards that come and go, by their files in /dev/snd.
final class CardWatch {
  private static let folder = "/dev/snd"
  /// udev gives a new file its permissions a moment after it was made.
  private static let changes = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB)

  private let host: SinkHost
  private let body: () -> Void
  private let descriptor: CInt
  private var token: SinkHost.Token?
  private var watchesFolder = false

  /// Watches until `end`; nil if the system gives no descriptor for it.
  init?(host: SinkHost, _ body: @escaping () -> Void) {
    descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.host = host
    self.body = body
    watch()
    token = host.watch(descriptor, for: .readable) { [unowned self] _ in read() }
  }

  /// Watches no more; nothing happens the second time.
  func end() {
    guard let token else { return }
    host.cancel(token)
    self.token = nil
    close(descriptor)
  }

  /// Without any card there is no folder; then /dev is watched until there is one.
  private func watch() {
    watchesFolder = inotify_add_watch(descriptor, Self.folder, Self.changes) >= 0
    if !watchesFolder { inotify_add_watch(descriptor, "/dev", UInt32(IN_CREATE)) }
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while Glibc.read(descriptor, &bytes, bytes.count) > 0 {}
    if !watchesFolder { watch() }
    body()
  }
}
