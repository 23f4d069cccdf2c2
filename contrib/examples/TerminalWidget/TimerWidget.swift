import ActivityKit
import AlarmKit

struct Brewing: AlarmMetadata {
  var tea: String
}

/// The widget: from the context that a widget extension is given to what stands on the screen.
struct TimerWidget {
  let context: ActivityViewContext<AlarmAttributes<Brewing>>
  /// Whether colours can be shown.
  let isColored: Bool

  func body(at now: Date) -> String {
    let presentation = context.attributes.presentation
    let tea = context.attributes.metadata?.tea ?? "?"
    switch context.state.mode {
    case .countdown(let countdown):
      let passed = now.timeIntervalSince(countdown.startDate) + countdown.previouslyElapsedDuration
      let title = presentation.countdown.map { String(localized: $0.title) } ?? tea
      return line(title, bar(passed / countdown.totalCountdownDuration), left(countdown, at: now))
    case .paused(let paused):
      let title = presentation.paused.map { String(localized: $0.title) } ?? tea
      let part = paused.previouslyElapsedDuration / paused.totalCountdownDuration
      return line(title, bar(part), "paused")
    case .alert(let alert):
      let time = [alert.time.hour, alert.time.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return line(
        String(localized: presentation.alert.title),
        bar(1),
        time.joined(separator: ":")
      )
    }
  }

  private func left(
    _ countdown: AlarmPresentationState.Mode.Countdown,
    at now: Date
  ) -> String {
    let seconds = max(0, countdown.fireDate.timeIntervalSince(now)).rounded(.up)
    return Duration.seconds(seconds).formatted(.time(pattern: .minuteSecond))
  }

  private func line(_ title: String, _ bar: String, _ detail: String) -> String {
    "\(title)  \(bar)  \(detail)"
  }

  private func bar(_ part: Double) -> String {
    let width = 24
    let done = Int((min(max(part, 0), 1) * Double(width)).rounded())
    let full = String(repeating: "█", count: done)
    return tinted(full) + String(repeating: "░", count: width - done)
  }

  private func tinted(_ text: String) -> String {
    guard isColored else { return text }
    let tint = context.attributes.tintColor
    let channels = [tint.red, tint.green, tint.blue].map { "\(Int(($0 * 255).rounded()))" }
    return "\u{1B}[38;2;\(channels.joined(separator: ";"))m\(text)\u{1B}[0m"
  }
}
