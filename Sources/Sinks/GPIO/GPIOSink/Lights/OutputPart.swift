/// One line that is driven, a lamp or a buzzer; it is off when taken and off when let go.
final class OutputPart: Part {
  let label: String
  private let line: LineName
  private let isActiveLow: Bool
  private let chip: ChipChoice
  private let devices: any Devices
  private let lost: () -> Void
  private var held: (line: any OutputLine, path: String)?
  private var isOn = false

  init(
    _ line: LineName,
    key: String,
    isActiveLow: Bool,
    chip: ChipChoice,
    devices: any Devices,
    lost: @escaping () -> Void
  ) {
    self.line = line
    self.isActiveLow = isActiveLow
    self.chip = chip
    self.devices = devices
    self.lost = lost
    label = "\(key) (\(line))"
  }

  var isHeld: Bool { held != nil }

  func acquire() throws(GPIOError) {
    let place = try LineFinder.find(line, on: chip, among: devices)
    held = (try devices.requestOutput(place, activeLow: isActiveLow), place.chip)
    isOn = false
  }

  /// Drives the line, if it is there and is not so already.
  func set(_ isOn: Bool) {
    guard let held, isOn != self.isOn else { return }
    do {
      try held.line.set(isOn)
      self.isOn = isOn
    } catch {
      self.held = nil
      lost()
    }
  }

  func release(_ path: String?) {
    guard let held, path == nil || path == held.path else { return }
    if path == nil { set(false) }
    self.held = nil
  }
}
