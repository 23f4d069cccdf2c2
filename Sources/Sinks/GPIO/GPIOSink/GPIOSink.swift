public import SinkKit

/// Lamps, a buzzer and buttons on GPIO lines, and buttons that are keys of event devices.
///
/// Everything on the host's thread, which it never holds up: lines are set and read without
/// waiting, and what is away is waited for with inotify. At rest it has no timer.
public final class GPIOSink: Sink {
  /// The host given to `init`.
  public let host: SinkHost
  /// Seen, heard if there is a buzzer that begins at once, and pressed.
  public let descriptor: SinkDescriptor

  private let settings: GPIOSettings
  private let devices: any Devices
  private let sayNext: SayNext
  private var leds: [OutputPart] = []
  private var buzzers: [OutputPart] = []
  private var buttons: [any Part] = []
  private var acquisition: Acquisition?
  private var lights: LightState
  /// Events that are not confirmed, and whether a failure was told.
  private var open: [UInt64: Bool] = [:]
  private var timer: SinkHost.Token?
  /// When it was last said of a button that it flickers.
  private var flickered: [String: Duration] = [:]
  private lazy var mailbox = host.mailbox(for: self)

  /// A button that flickers is told of no more often than this.
  private static let flickerPause = Duration.seconds(600)

  /// Uses the machine's own devices.
  public convenience init(settings: SinkSettings, host: SinkHost) throws {
    try self.init(settings: settings, host: host, devices: SystemDevices())
  }

  init(settings: SinkSettings, host: SinkHost, devices: any Devices) throws {
    let read = GPIOSettings(settings)
    try settings.finish()
    self.host = host
    self.settings = read
    self.devices = devices
    sayNext = SayNext(read.sayNext)
    lights = LightState(read)
    descriptor = Self.descriptor(read)
    if read.isNumbered {
      host.log(
        .warning,
        "chip = \(read.chip) is a number that may be another chip's after a kernel update; "
          + "name the chip by its label, or write chip = auto"
      )
    }
    makeParts()
  }

  private static func descriptor(_ settings: GPIOSettings) -> SinkDescriptor {
    var capabilities: Set<SinkDescriptor.Capability> = []
    var parts: [SinkDescriptor.Part] = []
    func add(_ output: LightState.Output, _ its: Set<SinkDescriptor.Capability>, audible: Bool) {
      capabilities.formUnion(its)
      parts.append(SinkDescriptor.Part(name: output.rawValue, capabilities: its, audible: audible))
    }
    let isHeard = settings.buzzer.patterns[.alerting] != .off
    if !settings.led.lines.isEmpty { add(.led, [.light], audible: false) }
    if !settings.buzzer.lines.isEmpty {
      add(.buzzer, isHeard ? [.sound] : [], audible: isHeard)
    }
    if !settings.buttons.isEmpty { capabilities.insert(.buttons) }
    return SinkDescriptor(
      name: "tocsin-gpio",
      version: Version.text,
      capabilities: capabilities,
      audible: parts.contains(where: \.audible) && settings.buzzerAfter == .zero,
      parts: parts
    )
  }

  private func makeParts() {
    let lost: () -> Void = { [weak self] in self?.acquisition?.lost() }
    func outputs(_ output: GPIOSettings.Output, _ key: LightState.Output) -> [OutputPart] {
      output.lines.map {
        OutputPart(
          $0,
          key: key.rawValue,
          isActiveLow: output.isActiveLow,
          chip: settings.chip,
          devices: devices,
          lost: lost
        )
      }
    }
    leds = outputs(settings.led, .led)
    buzzers = outputs(settings.buzzer, .buzzer)
    let pressed: (ButtonSettings, Button.Output) -> Void = { [unowned self] in answer($0, $1) }
    for button in settings.buttons {
      guard case .line(let line, let input) = button.source else { continue }
      buttons.append(
        LinePart(
          button,
          line: line,
          input: input,
          chip: settings.chip,
          host: host,
          devices: devices,
          output: pressed,
          lost: lost
        )
      )
    }
    let keys = settings.buttons.filter { if case .key = $0.source { true } else { false } }
    if !keys.isEmpty {
      buttons.append(
        KeyPart(keys, host: host, devices: devices, output: pressed, lost: lost)
      )
    }
    let acquisition = Acquisition(leds + buzzers + buttons, host: host, devices: devices) {
      [unowned self] in refresh()
    }
    self.acquisition = acquisition
    acquisition.start()
  }

  // MARK: Sink

  /// Lights up and sounds with the parts that are asked for; confirmed when the lines are really driven.
  public func present(_ presentation: Presentation) {
    lights.show(presentation, elapsed: host.elapsed, event: devices.eventClock)
    open[presentation.seq] = false
    acquisition?.hurry()
    refresh()
  }

  /// Goes dark, or turns to what else is presented.
  public func clear(_ withdrawal: Withdrawal) {
    lights.clear(withdrawal.occurrence)
    refresh()
    host.presented(withdrawal)
  }

  /// Lets go of all lines, off.
  public func end() {
    host.cancel(&timer)
    acquisition?.stop()
    sayNext.stop()
  }

  // MARK: Lights

  /// Brings the lines to what they are to be now, confirms what is so, and plans the next change.
  private func refresh() {
    let now = host.elapsed
    let led = lights.led.isOn(at: now)
    let buzzer = lights.buzzer.isOn(at: now)
    for part in leds { part.set(led) }
    for part in buzzers { part.set(buzzer) }
    confirm()
    host.cancel(&timer)
    guard let next = lights.nextChange(after: now, led: areHeld(leds), buzzer: areHeld(buzzers))
    else { return }
    timer = host.wake(at: next) { [unowned self] in
      timer = nil
      refresh()
    }
  }

  private func areHeld(_ parts: [OutputPart]) -> Bool { parts.contains(where: \.isHeld) }

  /// Sends the receipts that are due; a failure is told once, and again when it comes anew.
  private func confirm() {
    var still: [UInt64: Bool] = [:]
    for presentation in host.presentations {
      let seq = presentation.seq
      let parts =
        switch lights.needs(presentation) {
        case .led: leds
        case .buzzer: buzzers
        case nil: [] as [OutputPart]
        }
      if parts.isEmpty || areHeld(parts) {
        if open[seq] != nil { host.presented(seq) }
      } else {
        if open[seq] != true {
          let reasons = parts.compactMap { acquisition?.reason($0) }
          host.failed(seq, reasons.joined(separator: "; "), retry: true)
        }
        still[seq] = true
      }
    }
    open = still
  }

  // MARK: Buttons

  private func answer(_ button: ButtonSettings, _ output: Button.Output) {
    switch output {
    case .gesture(let gesture, let began): answer(button, gesture, began)
    case .stuck:
      host.log(
        .warning,
        "\(button.key) has been down for \(Button.stuckTime.components.seconds) s: it is stuck, "
          + "shorted, or wired the other way (\(button.key).active-low); it does nothing until "
          + "it is let go"
      )
    case .flooded:
      // One that comes and goes would fill the log.
      let last = flickered[button.key]
      guard last.map({ host.elapsed - $0 > Self.flickerPause }) ?? true else { return }
      flickered[button.key] = host.elapsed
      host.log(
        .warning,
        "\(button.key) flickers more than any finger: a loose wire, or a missing pull-up "
          + "(\(button.key).bias); it is ignored until it is quiet"
      )
    case .quiet: break
    }
  }

  private func answer(_ button: ButtonSettings, _ gesture: Gesture, _ began: Duration) {
    let shown = host.presentations.compactMap { lights.shown($0.occurrence) }
    guard let answer = button.map.answer(to: gesture, began: began, shown: shown) else { return }
    for intent in answer.intents { host.send(intent) }
    if answer.saysNext {
      let mailbox = mailbox
      let isStarted = sayNext.start { reason in mailbox.perform { $0.host.log(.error, reason) } }
      guard isStarted else { return }
    }
    lights.answer(at: host.elapsed)
    refresh()
  }
}
