import SinkKit

/// A button at work: gives a `Button` its edges, its level and its time.
final class PushButton {
  /// Where its edges come from.
  struct Source {
    /// Takes all edges that have happened and passes them on to `take`.
    var drain: () -> Void
    /// The level as it is now; nil if the device is gone.
    var level: () -> Bool?
    /// Begins or ceases to listen to edges; at first they are listened to.
    var listen: (Bool) -> Void
  }

  let settings: ButtonSettings
  private let host: SinkHost
  private let devices: any Devices
  private let source: Source
  private let output: (ButtonSettings, Button.Output) -> Void
  private var button: Button
  private var timer: SinkHost.Token?
  private var isListening = true
  private var isStopped = false

  /// Starts with the level as it is: what is down now was not pressed for us.
  init(
    _ settings: ButtonSettings,
    isDown: Bool,
    host: SinkHost,
    devices: any Devices,
    source: Source,
    output: @escaping (ButtonSettings, Button.Output) -> Void
  ) {
    self.settings = settings
    self.host = host
    self.devices = devices
    self.source = source
    self.output = output
    button = Button(settings.rules, isDown: isDown, at: devices.eventClock)
    schedule()
  }

  /// Takes edges, in the order of their stamps.
  func take(_ edges: [Edge]) {
    for edge in edges { tell(button.take(edge)) }
    schedule()
  }

  /// Tells that edges may have been lost.
  func doubt() {
    button.doubt(at: devices.eventClock)
    schedule()
  }

  /// Ends it: nothing comes of it any more.
  func stop() {
    isStopped = true
    host.cancel(&timer)
  }

  private func tell(_ outputs: [Button.Output]) {
    for event in outputs { output(settings, event) }
  }

  /// One timer, and only while the button is not at rest; nothing to listen to if it flickers.
  private func schedule() {
    host.cancel(&timer)
    guard !isStopped else { return }
    if isListening == button.isFlooded {
      isListening.toggle()
      source.listen(isListening)
    }
    guard let deadline = button.deadline else { return }
    // The host's clock counts sleep and the kernel's stamps do not: only the distance is common.
    timer = host.wake(after: max(.zero, deadline - devices.eventClock)) { [unowned self] in
      timer = nil
      reach()
    }
  }

  private func reach() {
    source.drain()
    let now = devices.eventClock
    guard button.wantsLevel(at: now) else {
      tell(button.advance(to: now, isActive: button.isDown))
      return schedule()
    }
    guard !isStopped, let level = source.level() else { return }
    tell(button.advance(to: now, isActive: level))
    schedule()
  }
}
