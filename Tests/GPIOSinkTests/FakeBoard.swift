import Glibc
import SinkKit

@testable import GPIOSink

/// A machine with GPIO chips and event devices that obeys the kernel's rules, on a test's clock.
///
/// - A line has one holder; a second request is busy, and its holder is named.
/// - Edges are told of requested inputs only, at most 16 wait to be read, and what comes then is
///   dropped: the newest, as libgpiod 1.6 sees it, or the oldest, as 2.x sees it.
/// - A line that is let go goes back to its pull.
/// - When a chip goes, its descriptors hang up and every call says that it is absent.
///
/// Levels are electric here: a line with a pull-up is high until it is pressed down.
final class FakeBoard: Devices {
  /// How one line is.
  final class Line {
    let name: String
    var holder: String?
    /// What the outside does to an input; nil if only the bias holds it.
    var outside: Bool?
    var settings: InputSettings?
    var isOutput = false
    var driven = false
    /// What an output was driven to, and when; the line's electric level.
    var wave: [(at: Duration, isHigh: Bool)] = []
    weak var input: FakeInput?

    init(_ name: String) { self.name = name }

    /// The electric level.
    var isHigh: Bool {
      if isOutput { return driven }
      return outside ?? (settings?.bias == .pullUp)
    }
  }

  final class Chip {
    var path: String
    var label: String
    var lines: [Line]
    /// Who may not open it.
    var denial: CInt?

    init(_ path: String, _ label: String, _ names: [String]) {
      self.path = path
      self.label = label
      lines = names.map { Line($0) }
    }
  }

  enum Overflow { case dropsNewest, dropsOldest }

  var elapsed: () -> Duration = { .zero }
  /// Where the event clock stands when the host's stands at zero: they have nothing in common.
  let offset = Duration.seconds(12_345)
  var chips_: [Chip] = []
  var keyboards: [String: FakeKeyboard] = [:]
  var overflow = Overflow.dropsNewest
  /// What happens just after an input was requested.
  var afterRequest: () -> Void = {}
  /// What is asked of the devices, to see that a sink at rest asks nothing.
  private(set) var questions = 0
  /// How often edges were read.
  var reads = 0
  private var watches: [FakeWatch] = []

  init(_ chips: [Chip] = []) { chips_ = chips }

  /// A Raspberry Pi 4's header.
  static func raspberry(_ names: [String] = (0..<28).map { "GPIO\($0)" }) -> FakeBoard {
    FakeBoard([Chip("/dev/gpiochip0", "pinctrl-bcm2711", names)])
  }

  var eventClock: Duration { offset + elapsed() }

  // MARK: What happens outside

  func line(_ name: String) -> Line {
    for chip in chips_ { for line in chip.lines where line.name == name { return line } }
    return Line("no such line")
  }

  /// Changes an input's electric level now, or a little while ago.
  func drive(_ name: String, high: Bool, ago: Duration = .zero) {
    let line = line(name)
    let before = line.isHigh
    line.outside = high
    guard line.isHigh != before, let input = line.input else { return }
    input.note(high, at: eventClock - ago)
  }

  /// Presses a button to ground, or lets it go.
  func press(_ name: String, ago: Duration = .zero) { drive(name, high: false, ago: ago) }
  func letGo(_ name: String, ago: Duration = .zero) { drive(name, high: true, ago: ago) }

  /// Takes a chip away; what held its lines finds out.
  func unplug(_ path: String) {
    for chip in chips_ where chip.path == path {
      for line in chip.lines {
        line.input?.hangUp()
        (line.holder, line.isOutput, line.settings) = (nil, false, nil)
      }
    }
    chips_.removeAll { $0.path == path }
    tell(path, isGone: true)
  }

  func plug(_ chip: Chip) {
    chips_.append(chip)
    tell(chip.path, isGone: false)
  }

  func unplugKeyboard(_ path: String) {
    keyboards.removeValue(forKey: path)?.hangUp()
    tell(path, isGone: true)
  }

  func plug(_ keyboard: FakeKeyboard, at path: String) {
    keyboards[path] = keyboard
    tell(path, isGone: false)
  }

  /// Says that something about a device changed, such as its permissions.
  func tell(_ path: String, isGone: Bool = false) {
    for watch in watches { watch.tell(DeviceChange(path: path, isGone: isGone)) }
  }

  // MARK: Devices

  func chips() -> [String] {
    questions += 1
    return chips_.map(\.path).sorted()
  }

  func facts(ofChip path: String) throws(GPIOError) -> ChipFacts {
    let chip = try chip(path)
    return ChipFacts(
      name: String(path.dropFirst(5)),
      label: chip.label,
      lines: UInt32(chip.lines.count)
    )
  }

  func offset(ofLine name: String, onChip path: String) -> UInt32? {
    guard let chip = chips_.first(where: { $0.path == path }) else { return nil }
    return chip.lines.firstIndex { $0.name == name && !name.isEmpty }.map(UInt32.init)
  }

  func requestOutput(_ place: LinePlace, activeLow: Bool) throws(GPIOError) -> any OutputLine {
    let line = try take(place)
    line.isOutput = true
    return FakeOutput(line, isActiveLow: activeLow, board: self)
  }

  func requestInput(_ place: LinePlace, _ settings: InputSettings) throws(GPIOError)
    -> any InputLine
  {
    let line = try take(place)
    line.settings = settings
    let input = try FakeInput(line, settings, board: self)
    afterRequest()
    return input
  }

  func inputDevices() -> [String] { keyboards.keys.sorted() }

  func openInput(_ path: String) throws(GPIOError) -> any KeyDevice {
    questions += 1
    guard let keyboard = keyboards[path] else {
      throw SystemDevices.failure(ENOENT, opening: path)
    }
    if let denial = keyboard.denial { throw SystemDevices.failure(denial, opening: path) }
    return keyboard
  }

  func watch() -> (any DeviceWatch)? {
    guard let watch = try? FakeWatch() else { return nil }
    watches.append(watch)
    return watch
  }

  private func chip(_ path: String) throws(GPIOError) -> Chip {
    guard let chip = chips_.first(where: { $0.path == path }) else {
      throw SystemDevices.failure(ENOENT, opening: path)
    }
    if let denial = chip.denial { throw SystemDevices.failure(denial, opening: path) }
    return chip
  }

  private func take(_ place: LinePlace) throws(GPIOError) -> Line {
    questions += 1
    let line = try chip(place.chip).lines[Int(place.offset)]
    if let holder = line.holder { throw GPIOError(.busy, "it is in use by \"\(holder)\"") }
    line.holder = "tocsin-gpio"
    return line
  }
}
