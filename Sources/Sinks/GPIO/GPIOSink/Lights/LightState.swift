import SinkKit

/// What is presented, and what lamps and buzzers are to do about it; a value on the host's clock.
///
/// Of all that is presented the most urgent decides the lamps: what rings, else what counts, else
/// what is paused. The buzzer is for what rings, each alert for no longer than its limit.
struct LightState {
  /// What must work for a presentation to be true.
  enum Need: Hashable {
    case led
    case buzzer
    /// Nothing that could fail.
    case nothing
    /// Its time has not come.
    case later
  }

  private struct Shown {
    var presentation: Presentation
    /// Since when it is in its state, on the host's clock and on that of the buttons.
    var since: Duration
    var event: Duration
  }

  private(set) var led: Signal
  private(set) var buzzer: Signal
  private let settings: GPIOSettings
  private var shown: [OccurrenceID: Shown] = [:]

  init(_ settings: GPIOSettings) {
    self.settings = settings
    led = Signal(answers: .inverts)
    buzzer = Signal(answers: .isOn)
  }

  /// Takes a presentation; one that only changed otherwise keeps the time of its state.
  mutating func show(_ presentation: Presentation, elapsed: Duration, event: Duration) {
    let known = shown[presentation.occurrence]
    let goesOn = known?.presentation.state == presentation.state
    shown[presentation.occurrence] = Shown(
      presentation: presentation,
      since: goesOn ? known?.since ?? elapsed : elapsed,
      event: goesOn ? known?.event ?? event : event
    )
    update()
  }

  mutating func clear(_ occurrence: OccurrenceID) {
    shown[occurrence] = nil
    update()
  }

  /// Begins the short answer to a press.
  mutating func answer(at now: Duration) {
    if settings.led.answer > .zero { led.answer = now..<now + settings.led.answer }
    if settings.buzzer.answer > .zero { buzzer.answer = now..<now + settings.buzzer.answer }
  }

  /// What buttons must know of it.
  func shown(_ occurrence: OccurrenceID) -> ButtonMap.Shown? {
    shown[occurrence].map {
      ButtonMap.Shown(
        occurrence: occurrence,
        state: $0.presentation.state,
        since: $0.event,
        isSnooze: $0.presentation.countdown?.snooze == true
      )
    }
  }

  /// What has to work now for this presentation to be true.
  func needs(_ presentation: Presentation, at now: Duration) -> Need {
    let state = presentation.state
    let hasLED = !settings.led.lines.isEmpty && settings.led.patterns[state] != .off
    guard state == .alerting, sounds(presentation) else { return hasLED ? .led : .nothing }
    if settings.buzzerAfter == .zero { return .buzzer }
    if hasLED { return .led }
    guard let since = shown[presentation.occurrence]?.since else { return .later }
    return now < since + settings.buzzerAfter ? .later : .buzzer
  }

  /// When to look again, for what is there to be driven; nil if all stays as it is.
  func nextChange(after now: Duration, led hasLED: Bool, buzzer hasBuzzer: Bool) -> Duration? {
    let times = [
      hasLED ? led.nextChange(after: now) : nil,
      hasBuzzer ? buzzer.nextChange(after: now) : nil,
    ]
    return times.compactMap { $0 }.min()
  }

  private func sounds(_ presentation: Presentation) -> Bool {
    !settings.buzzer.lines.isEmpty && presentation.options.sound != "none"
  }

  private mutating func update() {
    led.parts = []
    for state in ButtonMap.order {
      let since = shown.values.filter { $0.presentation.state == state }.map(\.since).min()
      guard let since else { continue }
      if let pattern = settings.led.patterns[state] {
        led.parts = [Signal.Part(pattern: pattern, start: since, end: nil)]
      }
      break
    }
    let pattern = settings.buzzer.patterns[.alerting] ?? .on
    buzzer.parts = shown.values.filter {
      $0.presentation.state == .alerting && sounds($0.presentation)
    }.map { one in
      let start = one.since + settings.buzzerAfter
      return Signal.Part(pattern: pattern, start: start, end: start + settings.buzzerLimit)
    }.sorted { $0.start < $1.start }
  }
}
