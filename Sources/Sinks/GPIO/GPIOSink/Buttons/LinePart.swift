import SinkKit

/// A button on a line of a chip.
final class LinePart: Part {
  let label: String
  private let settings: ButtonSettings
  private let line: LineName
  private let input: InputSettings
  private let chip: ChipChoice
  private let host: SinkHost
  private let devices: any Devices
  private let output: (ButtonSettings, Button.Output) -> Void
  private let lost: () -> Void
  private var held: Held?

  private struct Held {
    var line: any InputLine
    var path: String
    var button: PushButton
    var watch: SinkHost.Token?
  }

  init(
    _ settings: ButtonSettings,
    line: LineName,
    input: InputSettings,
    chip: ChipChoice,
    host: SinkHost,
    devices: any Devices,
    output: @escaping (ButtonSettings, Button.Output) -> Void,
    lost: @escaping () -> Void
  ) {
    self.settings = settings
    self.line = line
    self.input = input
    self.chip = chip
    self.host = host
    self.devices = devices
    self.output = output
    self.lost = lost
    label = "\(settings.key) (\(line))"
  }

  var isHeld: Bool { held != nil }

  func acquire() throws(GPIOError) {
    let place = try LineFinder.find(line, on: chip, among: devices)
    let line = try devices.requestInput(place, input)
    let isActive = try line.isActive()
    // A press between the two is told by its edge, and then the line was not so before.
    let edges = try line.read()
    let button = PushButton(
      settings,
      isDown: edges.first.map { !$0.isActive } ?? isActive,
      host: host,
      devices: devices,
      source: PushButton.Source(
        drain: { [unowned self] in drain() },
        level: { [unowned self] in level() },
        // A contact that flickers costs nothing then.
        listen: { [unowned self] in listen($0) }
      ),
      output: output
    )
    held = Held(line: line, path: place.chip, button: button)
    listen(true)
    button.take(edges)
  }

  func release(_ path: String?) {
    guard let held, path == nil || path == held.path else { return }
    held.button.stop()
    if let watch = held.watch { host.cancel(watch) }
    self.held = nil
  }

  private func listen(_ listens: Bool) {
    guard let held else { return }
    if let watch = held.watch { host.cancel(watch) }
    self.held?.watch = nil
    guard listens else { return }
    self.held?.watch = host.watch(held.line.descriptor, for: [.readable, .priority]) {
      [unowned self] events in
      if events.isDisjoint(with: [.failed, .hungUp]) { drain() } else { lose() }
    }
  }

  private func drain() {
    guard let held else { return }
    do throws(GPIOError) {
      held.button.take(try held.line.read())
    } catch { lose() }
  }

  private func level() -> Bool? {
    guard let held else { return nil }
    do throws(GPIOError) { return try held.line.isActive() } catch {
      lose()
      return nil
    }
  }

  private func lose() {
    guard held != nil else { return }
    release(nil)
    lost()
  }
}
