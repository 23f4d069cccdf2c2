import SinkKit

/// This sink's section of plugins.conf.
struct GPIOSettings {
  /// Lights or a buzzer.
  struct Output: Hashable {
    var lines: [LineName] = []
    var isActiveLow = false
    /// What it does in each state; what is missing is off.
    var patterns: [AlarmState: Pattern] = [:]
    /// How long it answers an accepted press; zero if not at all.
    var answer: Duration = .zero
  }

  var chip: ChipChoice
  /// Whether the chip was given by its number.
  var isNumbered = false
  var led = Output()
  var buzzer = Output()
  /// How long something rings before the buzzer begins.
  var buzzerAfter: Duration
  /// For how long the buzzer goes on at most, for one alert.
  var buzzerLimit: Duration
  var buttons: [ButtonSettings]
  /// A program and its arguments; empty if there is none.
  var sayNext: [String]

  static let ledPatterns: [AlarmState: (key: String, text: String)] = [
    .alerting: ("led.alert", "500ms on, 500ms off"),
    .countdown: ("led.countdown", "50ms on, 9950ms off"),
    .paused: ("led.paused", "on"),
  ]

  init(_ settings: SinkSettings) {
    let text = settings.string("chip", default: "auto")
    (chip, isNumbered) = Self.chip(text, settings)
    let hasChip = chip != .auto

    led.lines = settings.list("led", default: []).compactMap {
      LineName.read($0, key: "led", hasChip: hasChip, settings)
    }
    led.isActiveLow = settings.flag("led.active-low", default: false)
    led.answer = settings.duration("led.blip", in: Self.answers, default: .milliseconds(80))
    for (state, (key, text)) in Self.ledPatterns {
      led.patterns[state] = Self.pattern(key, default: text, settings)
    }

    buzzer.lines = settings.list("buzzer", default: []).compactMap {
      LineName.read($0, key: "buzzer", hasChip: hasChip, settings)
    }
    buzzer.isActiveLow = settings.flag("buzzer.active-low", default: false)
    buzzer.answer = settings.duration("buzzer.chirp", in: Self.answers, default: .zero)
    let beeps = "100ms on, 100ms off, 100ms on, 700ms off"
    buzzer.patterns[.alerting] = Self.pattern("buzzer.alert", default: beeps, settings)
    let hour = Duration.seconds(3_600)
    buzzerAfter = settings.duration("buzzer.after", in: .zero...hour, default: .zero)
    buzzerLimit = settings.duration(
      "buzzer.limit",
      in: .seconds(1)...hour,
      default: .seconds(600)
    )

    sayNext = settings.arguments("say-next") ?? []
    if settings.isSet("say-next"), sayNext.first == "" {
      settings.reject("say-next", "names no program")
    }
    buttons = ButtonSettings.all(settings, hasChip: hasChip)
    for key in buttons.filter(\.saysNext).map(\.key) where sayNext.isEmpty {
      settings.reject(key, "has a gesture that means say-next, but say-next = names no program")
    }
    rejectTwice(settings)
    if led.lines.isEmpty, buzzer.lines.isEmpty, buttons.isEmpty, !settings.isSet("led"),
      !settings.isSet("buzzer"), settings.keys(beginningWith: "button.").isEmpty
    {
      settings.reject("led", "is not set, nor buzzer or a button: there is nothing to do")
    }
  }

  private static let answers = Duration.zero...Duration.seconds(1)

  /// No line can be had twice.
  private func rejectTwice(_ settings: SinkSettings) {
    var seen: [LineName: String] = [:]
    let named =
      led.lines.map { ($0, "led") } + buzzer.lines.map { ($0, "buzzer") }
      + buttons.compactMap { button in
        if case .line(let line, _) = button.source { (line, button.key) } else { nil }
      }
    for (line, key) in named {
      if let other = seen[line] {
        settings.reject(key, "needs a line of its own: \(other) has \(line) already")
      }
      seen[line] = key
    }
  }

  private static func chip(_ text: String, _ settings: SinkSettings) -> (ChipChoice, Bool) {
    if text == "auto" { return (.auto, false) }
    if text.hasPrefix("/") { return (.path(text), false) }
    if text.hasPrefix("gpiochip"), isNumber(text.dropFirst("gpiochip".count)) {
      return (.path("/dev/\(text)"), true)
    }
    if isNumber(text[...]) || text.isEmpty {
      settings.reject("chip", "is no label such as pinctrl-rp1, no path, and not auto")
    }
    return (.label(text), false)
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
  }

  private static func pattern(
    _ key: String,
    default fallback: String,
    _ settings: SinkSettings
  ) -> Pattern {
    if let pattern = Pattern(settings.string(key, default: fallback)) { return pattern }
    settings.reject(key, "is not on, off, or steps of 20ms to 1h such as 500ms on, 500ms off")
    return Pattern(fallback) ?? .off
  }
}

extension LineName {
  /// Reads a line's name, or its number where the chip is named.
  static func read(
    _ text: String,
    key: String,
    hasChip: Bool,
    _ settings: SinkSettings
  ) -> LineName? {
    guard text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return .name(text) }
    guard hasChip else {
      settings.reject(key, "is a number: write GPIO\(text), or say whose line with chip =")
      return nil
    }
    guard let offset = UInt32(text) else {
      settings.reject(key, "is no line's number")
      return nil
    }
    return .offset(offset)
  }
}
