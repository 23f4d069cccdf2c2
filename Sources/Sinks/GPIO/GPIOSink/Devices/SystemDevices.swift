import CGPIOD
import Glibc
import SinkKit

/// The machine's own chips, through libgpiod, and its event devices.
final class SystemDevices: Devices {
  var eventClock: Duration { SystemSinkClock.time(of: CLOCK_MONOTONIC) }

  func chips() -> [String] { Self.list("/dev", "gpiochip") }

  func inputDevices() -> [String] { Self.list("/dev/input", "event") }

  func facts(ofChip path: String) throws(GPIOError) -> ChipFacts {
    guard let chip = gpiod_chip_open(path) else { throw Self.failure(errno, opening: path) }
    defer { gpiod_chip_close(chip) }
    var facts = tocsin_chip_facts()
    guard tocsin_chip_facts(chip, &facts) == 0 else {
      throw Self.failure(errno, opening: path)
    }
    return ChipFacts(
      name: Self.text(facts.name),
      label: Self.text(facts.label),
      lines: facts.lines
    )
  }

  func offset(ofLine name: String, onChip path: String) -> UInt32? {
    guard let chip = gpiod_chip_open(path) else { return nil }
    defer { gpiod_chip_close(chip) }
    let offset = tocsin_line_offset(chip, name)
    return offset >= 0 ? UInt32(offset) : nil
  }

  func requestOutput(_ place: LinePlace, activeLow: Bool) throws(GPIOError) -> any OutputLine {
    var settings = tocsin_line_settings()
    settings.output = 1
    settings.active_low = activeLow ? 1 : 0
    return try SystemLine(place, settings)
  }

  func requestInput(_ place: LinePlace, _ input: InputSettings) throws(GPIOError) -> any InputLine {
    var settings = tocsin_line_settings()
    settings.active_low = input.activeLow ? 1 : 0
    settings.bias =
      switch input.bias {
      case .pullUp: TOCSIN_BIAS_PULL_UP
      case .pullDown: TOCSIN_BIAS_PULL_DOWN
      case .disabled: TOCSIN_BIAS_DISABLED
      case .asIs: TOCSIN_BIAS_AS_IS
      }
    return try SystemLine(place, settings)
  }

  func openInput(_ path: String) throws(GPIOError) -> any KeyDevice { try SystemKeyDevice(path) }

  func watch() -> (any DeviceWatch)? { SystemDeviceWatch() }

  /// The devices whose names begin so, by their numbers.
  private static func list(_ directory: String, _ prefix: String) -> [String] {
    let numbers = FolderNames.read(directory).filter { $0.hasPrefix(prefix) }
      .compactMap { Int($0.dropFirst(prefix.count)) }
    return numbers.sorted().map { "\(directory)/\(prefix)\($0)" }
  }

  /// What it means that a device cannot be opened.
  static func failure(_ code: CInt, opening path: String) -> GPIOError {
    let kind = GPIOError.kind(of: code)
    let text = String(cString: strerror(code))
    switch kind {
    case .absent: return GPIOError(.absent, "\(path) is not there")
    case .denied: return GPIOError(.denied, "\(path): \(text); \(remedy(path))")
    case .busy, .other: return GPIOError(kind, "\(path): \(text)")
    }
  }

  /// Whom to make a member of which group.
  private static func remedy(_ path: String) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return "see docs/gpio.md" }
    guard status.st_gid != 0, status.st_mode & S_IRGRP != 0, let group = getgrgid(status.st_gid)
    else { return "no group may use it: it needs a udev rule, see docs/gpio.md" }
    return "the daemon's user must be in the group \(String(cString: group.pointee.gr_name))"
  }

  private static func text<Buffer>(_ buffer: Buffer) -> String {
    withUnsafeBytes(of: buffer) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// A line that libgpiod requested for us.
private final class SystemLine: OutputLine, InputLine {
  private static let consumer = "tocsin-gpio"

  let descriptor: CInt
  private let line: UnsafeMutablePointer<tocsin_line>
  private let place: LinePlace
  private var lastNumber: UInt64 = 0

  init(_ place: LinePlace, _ settings: tocsin_line_settings) throws(GPIOError) {
    self.place = place
    var settings = settings
    guard let line = tocsin_line_request(place.chip, place.offset, &settings, Self.consumer) else {
      throw Self.failure(errno, place)
    }
    self.line = line
    descriptor = line.pointee.fd
  }

  deinit { tocsin_line_release(line) }

  func set(_ isActive: Bool) throws(GPIOError) {
    guard tocsin_line_set(line, isActive ? 1 : 0) == 0 else { throw Self.failure(errno, place) }
  }

  func isActive() throws(GPIOError) -> Bool {
    let value = tocsin_line_get(line)
    guard value >= 0 else { throw Self.failure(errno, place) }
    return value == 1
  }

  func read() throws(GPIOError) -> [Edge] {
    var edges: [Edge] = []
    // Bounded, or a line that oscillates would keep the thread here for ever.
    for _ in 0..<4 {
      var buffer = [tocsin_edge](repeating: tocsin_edge(), count: 16)
      let count = tocsin_line_read(line, &buffer, 16)
      guard count > 0 else {
        if count == 0 || errno == EAGAIN || errno == EINTR { break }
        throw Self.failure(errno, place)
      }
      for edge in buffer.prefix(Int(count)) {
        let gap = lastNumber > 0 && edge.number > lastNumber ? edge.number - lastNumber - 1 : 0
        lastNumber = edge.number
        edges.append(
          Edge(
            isActive: edge.active != 0,
            stamp: .nanoseconds(edge.stamp),
            lost: Int(min(gap, 1_000))
          )
        )
      }
      if count < 16 { break }
    }
    return edges
  }

  private static func failure(_ code: CInt, _ place: LinePlace) -> GPIOError {
    guard code == EBUSY else {
      let error = SystemDevices.failure(code, opening: place.chip)
      guard error.kind == .other else { return error }
      return GPIOError(
        .other,
        "\(place.chip) line \(place.offset): \(String(cString: strerror(code)))"
      )
    }
    var holder = "another program or driver"
    if let chip = gpiod_chip_open(place.chip) {
      var name = [CChar](repeating: 0, count: 64)
      if tocsin_line_consumer(chip, place.offset, &name, name.count) == 1, name[0] != 0 {
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        holder = "\"\(String(decoding: bytes, as: UTF8.self))\""
      }
      gpiod_chip_close(chip)
    }
    return GPIOError(.busy, "it is in use by \(holder)")
  }
}
