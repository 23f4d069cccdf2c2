import Glibc

/// Tells of chips and event devices that come and go, and of their permissions (inotify(7)).
///
/// Of /dev only what comes and goes is asked for, since others change the attributes of /dev/null
/// and the like all day; a chip's attributes are watched at the chip itself.
final class SystemDeviceWatch: DeviceWatch {
  let descriptor: CInt
  /// Directories and chips by the numbers of their watches.
  private var watched: [CInt: String] = [:]

  private static let comings = IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM

  init?() {
    descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    add("/dev", Self.comings)
    add("/dev/input", Self.comings | IN_ATTRIB)
    for chip in SystemDevices().chips() { add(chip, IN_ATTRIB) }
  }

  deinit { close(descriptor) }

  func changes() -> [DeviceChange] {
    var changes: [DeviceChange] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return changes }
      var position = 0
      while position + MemoryLayout<inotify_event>.size <= count {
        let event = buffer.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
        let start = position + MemoryLayout<inotify_event>.size
        position = start + Int(event.len)
        guard position <= count, let place = watched[event.wd] else { continue }
        if event.mask & UInt32(IN_IGNORED) != 0 { watched[event.wd] = nil }
        let name = String(decoding: buffer[start..<position].prefix { $0 != 0 }, as: UTF8.self)
        changes += note(event.mask, name.isEmpty ? place : "\(place)/\(name)")
      }
    }
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
    let number = inotify_add_watch(descriptor, path, UInt32(events))
    if number >= 0 { watched[number] = path }
  }
}
