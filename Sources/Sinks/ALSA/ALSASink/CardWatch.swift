import Glibc
import SinkKit

/// Notices cards that come and go, by their files in /dev/snd.
final class CardWatch {
  /// udev gives a new file its permissions a moment after it was made.
  private static let changes = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB)

  private let host: SinkHost
  private let folder: String
  private let body: () -> Void
  private let descriptor: CInt
  private var token: SinkHost.Token?
  private var watchesFolder = false

  /// Watches until `end`; nil if the system gives no descriptor for it.
  init?(host: SinkHost, folder: String = "/dev/snd", _ body: @escaping () -> Void) {
    descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    self.host = host
    self.folder = folder
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

  /// Without any card there is no folder; then the one it will be in is watched until it is.
  private func watch() {
    watchesFolder = inotify_add_watch(descriptor, folder, Self.changes) >= 0
    guard !watchesFolder, let slash = folder.lastIndex(of: "/") else { return }
    inotify_add_watch(descriptor, String(folder[..<slash]), UInt32(IN_CREATE))
  }

  private func read() {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while Glibc.read(descriptor, &bytes, bytes.count) > 0 {}
    if !watchesFolder { watch() }
    body()
  }
}
