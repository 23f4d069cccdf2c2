import Glibc

/// The built-in sound, which needs no file and cannot fail.
///
/// Of the signals that were tried on people asleep, among them children, deep sleepers and people
/// hard of hearing, a square wave of 520 Hz woke by far the most (Bruck and Thomas, "Towards a Better
/// Smoke Alarm Signal", 2008). It comes in pairs of half a second, not in the threes of ISO 8201 that
/// mean fire, and rounded so that it does not hurt: harmonics above 5 kHz are left out, and each
/// pulse swells, grows a little softer and fades.
package enum Tone {
  /// The sound, two seconds in one channel; its end fits its beginning.
  package static let sound = Sound(rate: rate, channels: 1, samples: pattern())

  static let rate = 48_000
  static let frequency = 520.0

  /// Odd harmonics, as a square wave has them, and how much of each: the last ones less than a square
  /// wave has, or this one would overshoot.
  private static let harmonics = [(1.0, 1.0), (3, 0.95), (5, 0.8), (7, 0.55), (9, 0.3)]
  private static let pulse = 0.5
  private static let attack = 0.015
  private static let release = 0.04

  private static func pattern() -> [Int16] {
    let pulse = wave(frames: frames(pulse))
    return pulse + silence(0.25) + pulse + silence(0.75)
  }

  private static func frames(_ seconds: Double) -> Int { Int(seconds * Double(rate)) }

  private static func silence(_ seconds: Double) -> [Int16] {
    [Int16](repeating: 0, count: frames(seconds))
  }

  /// One pulse; at its loudest a tenth below full scale.
  private static func wave(frames: Int) -> [Int16] {
    // Thirteen periods fill 1,200 frames exactly, so that few sines are to be computed.
    let period = (0..<1_200).map { frame in
      let phase = 2 * Double.pi * frequency * Double(frame) / Double(rate)
      return harmonics.reduce(0) { $0 + $1.1 * sin($1.0 * phase) / $1.0 }
    }
    let scale = 0.9 * 32_767 / period.reduce(0) { max($0, abs($1)) }
    return (0..<frames).map { frame in
      let value = period[frame % period.count] * envelope(Double(frame) / Double(rate))
      return Int16((value * scale).rounded())
    }
  }

  /// Half a cosine up, a slow fall to 80 %, half a cosine down.
  private static func envelope(_ time: Double) -> Double {
    let rest = pulse - time
    let edge =
      if time < attack {
        (1 - cos(.pi * time / attack)) / 2
      } else if rest < release {
        (1 - cos(.pi * rest / release)) / 2
      } else { 1.0 }
    return edge * (1 - 0.2 * time / pulse)
  }
}
