import SinkKit
import Sounds

/// The section of plugins.conf that says how sound is played.
struct ALSASettings: Equatable {
  /// Whether one device sounds or each.
  enum PlayOn: String, CaseIterable { case first, all }

  /// The sound of alarms that only show.
  static let noSound = "none"

  var devices = ["default"]
  var playOn = PlayOn.first
  var sound = "alarm-clock-elapsed"
  var volume = 1.0
  var fadeIn = Duration.zero
  /// How far below the volume a fade begins, in decibels.
  var fadeDepth = 40.0
  var leadIn = Duration.zero
  /// The least volume of the card while something rings, 0...1; nil leaves the mixer alone.
  var mixerFloor: Double?
  /// The controls that are raised; empty for the usual ones.
  var mixerControls: [String] = []
  /// The program that decodes streams, and its arguments; see `DecoderProgram`.
  var decoder = ["mpg123", "-q", "-s", "--stereo", "-r", "{rate}", "{url}"]

  init() {}

  /// Reads the section; what is wrong with it is collected there.
  init(_ settings: SinkSettings) {
    if let text = settings.string("device") {
      devices = DeviceNames.list(text)
      if devices.isEmpty { settings.reject("device", "names no device, such as default") }
    }
    playOn = settings.word("play-on", default: playOn)
    sound = settings.string("sound", default: sound)
    volume = settings.percentage("volume", default: volume)
    fadeIn = settings.duration("fade-in", in: .zero ... .seconds(3_600), default: fadeIn)
    fadeDepth = Self.decibels("fade-from", settings, default: fadeDepth)
    leadIn = settings.duration("lead-in", in: .zero ... .seconds(5), default: leadIn)
    if settings.string("mixer-floor", default: "off") != "off" {
      mixerFloor = settings.percentage("mixer-floor", default: 0)
    }
    if let text = settings.string("mixer"), text != "auto" {
      mixerControls = settings.list("mixer", default: [])
      if mixerControls.isEmpty { settings.reject("mixer", "names no control, such as Master") }
    }
    decoder = settings.arguments("decoder") ?? decoder
    do throws(SoundError) { _ = try DecoderProgram(decoder) } catch {
      settings.reject("decoder", "cannot be used: name a program and, in its arguments, {url}")
    }
  }

  /// Whether somebody asleep would hear an alarm that brings no choice of its own.
  var isAudible: Bool { sound != Self.noSound && volume > 0 }

  private static func decibels(
    _ key: String,
    _ settings: SinkSettings,
    default fallback: Double
  ) -> Double {
    guard let text = settings.string(key) else { return fallback }
    let digits = text.hasSuffix("dB") ? text.dropLast(2).prefix { $0 != " " } : ""
    guard let number = Double(String(digits)), (0...80).contains(number) else {
      settings.reject(key, "is not between 0dB and 80dB")
      return fallback
    }
    return number
  }
}
