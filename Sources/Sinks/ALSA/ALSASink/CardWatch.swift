import Glibc
import SinkKit
import TocsinModel

/// Notices cards that come and go, by their files in /dev/snd.
final class CardWatch {
  /// udev gives a new file its permissions a moment after it was made.
  private static let changes = IN_CREATE | IN_DELETE | IN_ATTRIB

  private let host: SinkHost
  private let folder: String
  private let body: () -> Void
  private let folders: FolderWatch
  private var token: SinkHost.Token?
  private var watchesFolder = false

  /// Watches until `end`; nil on a machine without inotify.
  init?(host: SinkHost, folder: String = "/dev/snd", _ body: @escaping () -> Void) {
    guard let folders = FolderWatch() else { return nil }
    self.folders = folders
    self.host = host
    self.folder = folder
    self.body = body
    watch()
    token = host.watch(folders.descriptor, for: .readable) { [unowned self] _ in read() }
  }

  /// Watches no more; nothing happens the second time.
  func end() { host.cancel(&token) }

  /// Without any card there is no folder; then the one it will be in is watched until it is.
  private func watch() {
    watchesFolder = folders.add(folder, Self.changes) != nil
    if !watchesFolder { _ = folders.add(PathParts(folder).directory, IN_CREATE) }
  }

  private func read() {
    _ = folders.take()
    if !watchesFolder { watch() }
    body()
  }
}
