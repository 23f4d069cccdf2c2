import SinkKit

/// One button's keys of plugins.conf: `button.NAME` and all that begin with `button.NAME.`.
struct ButtonSettings: Hashable {
  /// Where its edges come from.
  enum Source: Hashable {
    /// A line of a chip.
    case line(LineName, InputSettings)
    /// A key of event devices, of that name or of any.
    case key(UInt16, device: String?, grab: Bool)
  }

  var name: String
  var source: Source
  var rules = Button.Rules()
  var map = ButtonMap()

  /// The key of plugins.conf that says where it is.
  var key: String { "button.\(name)" }
  /// Whether one of its gestures runs the program that says what comes next.
  var saysNext: Bool {
    map.meanings.values.contains {
      $0.otherwise == .sayNext || $0.byState.values.contains(.sayNext)
    }
  }

  /// All buttons of the section, in alphabetical order; what is wrong is rejected.
  static func all(_ settings: SinkSettings, hasChip: Bool) -> [ButtonSettings] {
    var keys: [String: [String]] = [:]
    for key in settings.keys(beginningWith: "button.") {
      let parts = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count > 1, !parts[1].isEmpty else { continue }
      keys[parts[1], default: []].append(key)
    }
    return keys.keys.sorted().compactMap { name in
      read(name, keys[name] ?? [], settings, hasChip: hasChip)
    }
  }

  private static func read(
    _ name: String,
    _ keys: [String],
    _ settings: SinkSettings,
    hasChip: Bool
  ) -> ButtonSettings? {
    let key = "button.\(name)"
    var map = ButtonMap()
    for setting in keys where setting != key {
      readMeaning(setting, setting.dropFirst(key.count + 1), &map, settings)
    }
    let times = Duration.zero...Duration.milliseconds(500)
    let common = settings.duration("debounce", in: times, default: .milliseconds(20))
    let within = Duration.milliseconds(100)...Duration.seconds(2)
    let pause = settings.duration("double-time", in: within, default: .milliseconds(300))
    let rules = Button.Rules(
      gestures: Set(map.meanings.keys),
      debounce: settings.duration("\(key).debounce", in: times, default: common),
      doubleTime: settings.duration("\(key).double-time", in: within, default: pause)
    )
    guard let text = settings.string(key) else {
      settings.reject(key, "is not set: write \(key) = GPIO17, or \(key) = key:KEY_PLAYPAUSE")
      return nil
    }
    if map.meanings.isEmpty, !keys.contains(where: { Self.isGesture($0.dropFirst(key.count + 1)) })
    {
      settings.reject(key, "means nothing: write \(key).press = snooze")
    }
    guard let source = source(text, key, settings, hasChip: hasChip) else { return nil }
    return ButtonSettings(name: name, source: source, rules: rules, map: map)
  }

  private static func source(
    _ text: String,
    _ key: String,
    _ settings: SinkSettings,
    hasChip: Bool
  ) -> Source? {
    if text.hasPrefix("key:") {
      let device = settings.string("\(key).device")
      let grab = settings.flag("\(key).grab", default: false)
      guard let code = KeyNames.code(text.dropFirst("key:".count)) else {
        settings.reject(key, "is no key: write a number, or a name such as key:KEY_PLAYPAUSE")
        return nil
      }
      return .key(code, device: device, grab: grab)
    }
    var input = InputSettings()
    input.activeLow = settings.flag("\(key).active-low", default: true)
    input.bias = settings.word(
      "\(key).bias",
      default: input.activeLow ? .pullUp : .pullDown
    )
    guard let line = LineName.read(text, key: key, hasChip: hasChip, settings) else { return nil }
    return .line(line, input)
  }

  // MARK: Gestures

  private static func isGesture(_ rest: Substring) -> Bool {
    let word = rest.prefix { $0 != "." }
    return word == "press" || word == "double" || word.hasPrefix("hold-")
  }

  /// Reads `press`, `hold-3s.alerting` and so on; other keys are none of its business.
  private static func readMeaning(
    _ key: String,
    _ rest: Substring,
    _ map: inout ButtonMap,
    _ settings: SinkSettings
  ) {
    guard isGesture(rest), let text = settings.string(key) else { return }
    let parts = rest.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let gesture = gesture(parts[0]) else {
      return settings.reject(key, "is no gesture: a hold lasts 100ms to 20s, such as hold-3s")
    }
    do throws(ButtonAction.Flaw) {
      let action = try ButtonAction(text)
      var meaning = map.meanings[gesture] ?? ButtonMap.Meaning()
      switch parts.count {
      case 1: meaning.otherwise = action
      case 2:
        guard let state = AlarmState(rawValue: parts[1]), ButtonMap.order.contains(state) else {
          return settings.reject(key, "ends with none of alerting, countdown, paused")
        }
        guard action.fits(state) else {
          return settings.reject(key, "cannot be done to what is \(state.rawValue)")
        }
        meaning.byState[state] = action
      default: return settings.reject(key, "has a dot too many")
      }
      map.meanings[gesture] = meaning
    } catch { settings.reject(key, error.reason) }
  }

  private static func gesture(_ word: String) -> Gesture? {
    switch word {
    case "press": return .press
    case "double": return .double
    default:
      guard let time = try? ValueText.duration(String(word.dropFirst("hold-".count))),
        (100_000...20_000_000).contains(time)
      else { return nil }
      return .hold(.microseconds(time))
    }
  }
}
