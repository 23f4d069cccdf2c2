import SinkKit

/// What is presented, and what lamps and buzzers are to do about it; a value on the host's clock.
///
/// Of all that is presented the most urgent decides the lamps: what rings, else what counts, else
/// what is paused. The buzzer is for what rings, each alert for no longer than its limit. What is
/// presented is for the parts that it names, or for all.
struct LightState {
  /// A kind of output, by the name that routes have for it.
  enum Output: String {
    case led
    case buzzer
  }

  private struct Shown {
    var presentation: Presentation
    /// Since when it is in its state, on the host's clock and on that of the buttons.
    var since: Duration
    var event: Duration
    /// Since when the lamps are asked for in this state; nil if they are not.
    var led: Duration?
    /// When the buzzer begins; nil if it is not asked for.
    var buzzer: Duration?
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

  /// Takes a presentation; one that only changed otherwise keeps the time of its state, and each part
  /// that was asked for already goes on where it is.
  mutating func show(_ presentation: Presentation, elapsed: Duration, event: Duration) {
    let before = shown[presentation.occurrence]
    let known = before?.presentation.state == presentation.state ? before : nil
    var one = Shown(
      presentation: presentation,
      since: known?.since ?? elapsed,
      event: known?.event ?? event
    )
    if asks(presentation, for: .led) { one.led = known?.led ?? elapsed }
    if sounds(presentation) {
      // Who asks for the buzzer by its name has waited already.
      let start = elapsed + (presentation.parts == nil ? settings.buzzerAfter : .zero)
      one.buzzer = min(known?.buzzer ?? start, start)
    }
    shown[presentation.occurrence] = one
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

  /// What has to be had for this presentation to be true; nil if nothing of it could fail.
  ///
  /// The buzzer if it is to sound at once, and else the lamps. Where there is only a buzzer that
  /// begins later, it has to be there by now.
  func needs(_ presentation: Presentation) -> Output? {
    let hasLED =
      asks(presentation, for: .led) && !settings.led.lines.isEmpty
      && settings.led.patterns[presentation.state] != .off
    guard sounds(presentation) else { return hasLED ? .led : nil }
    let isAtOnce = presentation.parts != nil || settings.buzzerAfter == .zero
    return hasLED && !isAtOnce ? .led : .buzzer
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
    presentation.state == .alerting && asks(presentation, for: .buzzer)
      && !settings.buzzer.lines.isEmpty && settings.buzzer.patterns[.alerting] != .off
      && presentation.options.sound != "none" && presentation.volumeLimit != 0
  }

  private func asks(_ presentation: Presentation, for output: Output) -> Bool {
    presentation.parts?.contains(output.rawValue) ?? true
  }

  private mutating func update() {
    led.parts = []
    for state in ButtonMap.order {
      let since = shown.values.filter { $0.presentation.state == state }.compactMap(\.led).min()
      guard let since else { continue }
      if let pattern = settings.led.patterns[state] {
        led.parts = [Signal.Part(pattern: pattern, start: since, end: nil)]
      }
      break
    }
    let pattern = settings.buzzer.patterns[.alerting] ?? .on
    buzzer.parts = shown.values.compactMap(\.buzzer).sorted().map { start in
      Signal.Part(pattern: pattern, start: start, end: start + settings.buzzerLimit)
    }
  }
}
