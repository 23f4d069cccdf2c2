import SinkKit

/// How a light or a buzzer goes on and off, over and over.
struct Pattern: Hashable {
  /// One part of it.
  struct Step: Hashable {
    var isOn: Bool
    var duration: Duration
  }

  /// Steady on.
  static let on = Pattern(steps: [], isOn: true)
  /// Steady off.
  static let off = Pattern(steps: [], isOn: false)

  /// On and off in turn, repeated without end; empty if it is steady.
  let steps: [Step]
  private let isOn: Bool
  private let length: Duration

  private init(steps: [Step], isOn: Bool) {
    self.steps = steps
    self.isOn = isOn
    length = steps.reduce(.zero) { $0 + $1.duration }
  }

  /// Makes a pattern of steps; neighbours that are the same become one.
  init(_ steps: [Step]) {
    var merged: [Step] = []
    for step in steps where step.duration > .zero {
      if let last = merged.last, last.isOn == step.isOn {
        merged[merged.count - 1].duration += step.duration
      } else {
        merged.append(step)
      }
    }
    self.init(
      steps: merged.count > 1 ? merged : [],
      isOn: merged.first?.isOn ?? false
    )
  }

  /// Whether it is on that long after it began.
  func isOn(at elapsed: Duration) -> Bool { place(elapsed)?.step.isOn ?? isOn }

  /// When it changes next, as time since it began; nil if it is steady.
  func nextChange(after elapsed: Duration) -> Duration? {
    guard let place = place(elapsed) else { return nil }
    // The last step and the first of the next round may be the same.
    guard place.isLast, steps.first?.isOn == place.step.isOn, let first = steps.first else {
      return place.end
    }
    return place.end + first.duration
  }

  private func place(_ elapsed: Duration) -> (step: Step, end: Duration, isLast: Bool)? {
    guard length > .zero else { return nil }
    let rest = max(.zero, elapsed).inNanoseconds % length.inNanoseconds
    var end = max(.zero, elapsed) - .nanoseconds(rest)
    while true {
      for (index, step) in steps.enumerated() {
        end += step.duration
        if elapsed < end { return (step, end, index == steps.count - 1) }
      }
    }
  }
}

extension Pattern {
  /// The shortest step: a person sees and hears nothing shorter, and each one is a wake-up.
  static let shortest = Duration.milliseconds(20)

  /// Reads `on`, `off`, or steps such as `500ms on, 500ms off`; nil for anything else.
  init?(_ text: String) {
    switch text {
    case "on": self = .on
    case "off": self = .off
    default:
      var steps: [Step] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        let words = part.split(separator: " ").map(String.init)
        guard words.count > 1, let last = words.last, last == "on" || last == "off",
          let length = try? ValueText.duration(words.dropLast().joined(separator: " ")),
          (Self.shortest...Duration.seconds(3600)).contains(.microseconds(length))
        else { return nil }
        steps.append(Step(isOn: last == "on", duration: .microseconds(length)))
      }
      self.init(steps)
    }
  }
}

extension Duration {
  /// As whole nanoseconds, rounded down; exact for 292 years.
  fileprivate var inNanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
