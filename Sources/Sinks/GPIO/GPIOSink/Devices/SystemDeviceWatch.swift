import Glibc
import SinkKit

/// Tells of chips and event devices that come and go, and of their permissions.
///
/// Of /dev only what comes and goes is asked for, since others change the attributes of /dev/null
/// and the like all day; a chip's attributes are watched at the chip itself.
final class SystemDeviceWatch: DeviceWatch {
  var descriptor: CInt { folders.descriptor }

  private let folders: FolderWatch
  /// Directories and chips by the numbers of their places.
  private var watched: [CInt: String] = [:]

  private static let comings = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM

  init?() {
    guard let folders = FolderWatch() else { return nil }
    self.folders = folders
    add("/dev", Self.comings)
    add("/dev/input", Self.comings | IN_ATTRIB)
    for chip in SystemDevices().chips() { add(chip, IN_ATTRIB) }
  }

  func changes() -> [DeviceChange] {
    var changes: [DeviceChange] = []
    for event in folders.take() {
      guard let place = watched[event.place] else { continue }
      if event.mask & UInt32(IN_IGNORED) != 0 { watched[event.place] = nil }
      changes += note(event.mask, event.name.isEmpty ? place : "\(place)/\(event.name)")
    }
    return changes
  }

  private func note(_ mask: UInt32, _ path: String) -> [DeviceChange] {
    let isNew = mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
    if path == "/dev/input", isNew {
      // It appears with the first input device, whose own coming nobody then tells of.
      add(path, Self.comings | IN_ATTRIB)
      return SystemDevices().inputDevices().map { DeviceChange(path: $0, isGone: false) }
    }
    let isChip = path.hasPrefix("/dev/gpiochip")
    guard isChip || path.hasPrefix("/dev/input/event") else { return [] }
    if isChip, isNew { add(path, IN_ATTRIB) }
    let isGone = mask & UInt32(IN_DELETE | IN_MOVED_FROM) != 0
    return isGone || isNew || mask & UInt32(IN_ATTRIB) != 0
      ? [DeviceChange(path: path, isGone: isGone)] : []
  }

  private func add(_ path: String, _ events: CInt) {
    if let place = folders.add(path, events) { watched[place] = path }
  }
}
