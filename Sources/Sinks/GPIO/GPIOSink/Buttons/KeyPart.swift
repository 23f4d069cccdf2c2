import SinkKit

/// All buttons that are keys of event devices: gpio-keys, keyboards, remote controls.
///
/// A device is opened once, whatever number of buttons it has, since one that is grabbed would be
/// mute for a second opening of our own.
final class KeyPart: Part {
  let label: String
  private let buttons: [ButtonSettings]
  private let host: SinkHost
  private let devices: any Devices
  private let output: (ButtonSettings, Button.Output) -> Void
  private let lost: () -> Void
  private var opened: [String: Opened] = [:]
  /// Devices without any key of ours.
  private var unsuitable: Set<String> = []

  private struct Opened {
    var device: any KeyDevice
    var watch: SinkHost.Token
    var buttons: [(key: UInt16, button: PushButton)]
  }

  init(
    _ buttons: [ButtonSettings],
    host: SinkHost,
    devices: any Devices,
    output: @escaping (ButtonSettings, Button.Output) -> Void,
    lost: @escaping () -> Void
  ) {
    self.buttons = buttons
    self.host = host
    self.devices = devices
    self.output = output
    self.lost = lost
    label = buttons.map(\.key).joined(separator: ", ")
  }

  var isHeld: Bool { missing == nil }
  /// Another device may have the same keys.
  var wantsMore: Bool { true }

  /// The first button that no device has.
  private var missing: ButtonSettings? {
    let found = Set(opened.values.flatMap { $0.buttons.map(\.button.settings.name) })
    return buttons.first { !found.contains($0.name) }
  }

  func acquire() throws(GPIOError) {
    var trouble: GPIOError?
    for path in devices.inputDevices() where opened[path] == nil && !unsuitable.contains(path) {
      do throws(GPIOError) { try open(path) } catch { trouble = trouble ?? error }
    }
    guard let missing, case .key(let code, let name, _) = missing.source else { return }
    if let trouble { throw trouble }
    let named = name.map { " named \"\($0)\"" } ?? ""
    throw GPIOError(.absent, "no event device\(named) has the key \(code) of \(missing.key)")
  }

  func release(_ path: String?) {
    if let path { unsuitable.remove(path) } else { unsuitable = [] }
    for place in path.map({ [$0] }) ?? Array(opened.keys) {
      guard let held = opened.removeValue(forKey: place) else { continue }
      for (_, button) in held.buttons { button.stop() }
      host.cancel(held.watch)
    }
  }

  private func open(_ path: String) throws(GPIOError) {
    let device = try devices.openInput(path)
    var wanted: [(settings: ButtonSettings, key: UInt16)] = []
    var grabs = false
    for button in buttons {
      guard case .key(let key, let name, let grab) = button.source, device.has(key),
        name == nil || name == device.name
      else { continue }
      wanted.append((button, key))
      grabs = grabs || grab
    }
    guard !wanted.isEmpty else {
      unsuitable.insert(path)
      return
    }
    if grabs { try device.grab() }
    let levels = try wanted.map { (one) throws(GPIOError) in try device.isDown(one.key) }
    // A press between the two is told by its event, and then the key was not so before.
    let taken = try device.read()
    var held: [(key: UInt16, button: PushButton)] = []
    for ((settings, key), level) in zip(wanted, levels) {
      let first = taken.events.first { $0.key == key }
      let button = PushButton(
        settings,
        isDown: first.map { !$0.edge.isActive } ?? level,
        host: host,
        devices: devices,
        source: PushButton.Source(
          drain: { [unowned self] in drain(path) },
          level: { [unowned self] in self.level(path, key) },
          // The device may have other keys that do not flicker.
          listen: { _ in }
        ),
        output: output
      )
      held.append((key, button))
    }
    let watch = host.watch(device.descriptor, for: .readable) { [unowned self] events in
      if events.isDisjoint(with: [.failed, .hungUp]) { drain(path) } else { lose(path) }
    }
    opened[path] = Opened(device: device, watch: watch, buttons: held)
    pass(taken, to: held)
  }

  private func drain(_ path: String) {
    guard let held = opened[path] else { return }
    do throws(GPIOError) {
      pass(try held.device.read(), to: held.buttons)
    } catch { lose(path) }
  }

  private func pass(_ taken: KeyEvents, to buttons: [(key: UInt16, button: PushButton)]) {
    for (key, button) in buttons {
      button.take(taken.events.filter { $0.key == key }.map(\.edge))
      if taken.isDoubtful { button.doubt() }
    }
  }

  private func level(_ path: String, _ key: UInt16) -> Bool? {
    guard let held = opened[path] else { return nil }
    do throws(GPIOError) { return try held.device.isDown(key) } catch {
      lose(path)
      return nil
    }
  }

  private func lose(_ path: String) {
    guard opened[path] != nil else { return }
    release(path)
    lost()
  }
}
