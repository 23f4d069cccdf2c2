import SinkKit

/// Sees to it that all parts are had as soon as they can be, and says once of each why it is not.
///
/// What is not there is waited for without a timer: inotify(7) tells when a device comes. What is
/// busy or denied is tried again for a minute, since at boot that is when udev gives permissions
/// and drivers let go; and each time something is to be presented.
final class Acquisition {
  /// For how long what is busy or denied is tried again by itself.
  static let patience = Duration.seconds(60)
  private static let shortestPause = Duration.milliseconds(250)
  private static let longestPause = Duration.seconds(8)

  private struct Trouble {
    var error: GPIOError
    var since: Duration
  }

  private let host: SinkHost
  private let devices: any Devices
  private let parts: [any Part]
  /// Called when parts were found or lost.
  private let changed: () -> Void
  private var troubles: [String: Trouble] = [:]
  private var watch: (any DeviceWatch)?
  private var watchToken: SinkHost.Token?
  private var retry: SinkHost.Token?
  private var pause = Acquisition.shortestPause

  init(
    _ parts: [any Part],
    host: SinkHost,
    devices: any Devices,
    changed: @escaping () -> Void
  ) {
    self.parts = parts
    self.host = host
    self.devices = devices
    self.changed = changed
  }

  /// Begins; the watch stands before the first look, so that nothing can come unnoticed between.
  func start() {
    watch = devices.watch()
    if let watch {
      watchToken = host.watch(watch.descriptor, for: .readable) { [unowned self] _ in look() }
    } else {
      host.log(.warning, "inotify is not to be had: devices that come later are not noticed")
    }
    tryAll()
  }

  /// Tries what is missing at once, as something is to be presented.
  func hurry() {
    if parts.contains(where: { !$0.isHeld }) { tryAll() }
  }

  /// Takes note that a part has found its device gone.
  func lost() {
    // Not from within the part's own call.
    pause = Self.shortestPause
    schedule(after: .zero)
    changed()
  }

  /// Why a part does not work; nil if it does.
  func reason(_ part: any Part) -> String? {
    part.isHeld ? nil : troubles[part.label].map { "\(part.label): \($0.error)" } ?? part.label
  }

  func stop() {
    host.cancel(&watchToken)
    host.cancel(&retry)
    watch = nil
    for part in parts { part.release(nil) }
  }

  private func look() {
    guard let changes = watch?.changes(), !changes.isEmpty else { return }
    for change in changes where change.isGone {
      for part in parts { part.release(change.path) }
    }
    pause = Self.shortestPause
    tryAll()
  }

  private func tryAll() {
    var news: [(reason: String, labels: [String])] = []
    var back: [String] = []
    var isWorthRetrying = false
    for part in parts where !part.isHeld || part.wantsMore {
      do {
        try part.acquire()
        if troubles.removeValue(forKey: part.label) != nil { back.append(part.label) }
      } catch {
        let known = troubles[part.label]
        troubles[part.label] = Trouble(error: error, since: known?.since ?? host.elapsed)
        if known?.error != error { add(part.label, "\(error)", to: &news) }
        isWorthRetrying = isWorthRetrying || canPass(part)
      }
    }
    for (reason, labels) in news {
      host.log(.warning, "\(labels.joined(separator: ", ")): \(reason); waiting for it")
    }
    if !back.isEmpty { host.log(.info, "\(back.joined(separator: ", ")): works now") }
    if isWorthRetrying { schedule(after: pause) } else { host.cancel(&retry) }
    changed()
  }

  /// Whether trying again soon may help.
  private func canPass(_ part: any Part) -> Bool {
    guard let trouble = troubles[part.label], trouble.error.kind != .absent else { return false }
    return host.elapsed - trouble.since < Self.patience
  }

  private func add(
    _ label: String,
    _ reason: String,
    to news: inout [(reason: String, labels: [String])]
  ) {
    if let index = news.firstIndex(where: { $0.reason == reason }) {
      news[index].labels.append(label)
    } else {
      news.append((reason, [label]))
    }
  }

  private func schedule(after delay: Duration) {
    host.cancel(&retry)
    retry = host.wake(after: delay) { [unowned self] in
      retry = nil
      pause = min(pause * 2, Self.longestPause)
      tryAll()
    }
  }
}
