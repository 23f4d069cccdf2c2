import Glibc

/// How a share of the volume becomes a factor for samples.
enum Loudness {
  /// Decibels for a share 0...1: half as loud is 10 dB less.
  ///
  /// People call a sound half as loud when its level falls by about 10 dB (Stevens, "The measurement
  /// of loudness", 1955), so 50 % is -10 dB, 25 % is -20 dB, 10 % is -33 dB, and 0 % is silence.
  static func decibels(_ share: Double) -> Double {
    share > 0 ? 10 * log2(min(share, 1)) : -.infinity
  }

  /// The factor for samples.
  static func factor(decibels: Double) -> Double { pow(10, decibels / 20) }
}

/// A volume that grows evenly in decibels, frame by frame.
struct Ramp: Hashable, Sendable {
  /// The level at its first frame, in decibels.
  let start: Double
  /// The level it ends at and keeps.
  let end: Double
  /// How many frames the way takes; 0 for none.
  let frames: Int
  /// Frames that are past.
  private(set) var position: Int

  /// Makes a ramp.
  ///
  /// - Parameters:
  ///   - end: the level to reach, in decibels; minus infinity for silence.
  ///   - depth: how far below it begins, in decibels.
  ///   - frames: how many frames the way takes.
  ///   - position: how many of them are past already.
  init(to end: Double, depth: Double, frames: Int, position: Int = 0) {
    self.end = end
    start = end - depth
    self.frames = frames
    self.position = min(position, frames)
  }

  /// The level of a frame, in decibels.
  func level(at frame: Int) -> Double {
    guard frame < frames else { return end }
    return start + (end - start) * Double(frame) / Double(frames)
  }

  /// Scales interleaved samples, and moves on by their frames.
  mutating func apply(to samples: inout ArraySlice<Int16>, channels: Int) {
    let count = samples.count / channels
    defer { position = min(position + count, frames) }
    let last = Loudness.factor(decibels: end)
    if position >= frames {
      if last != 1 { Self.scale(&samples, from: last, by: 1, atMost: last, channels: channels) }
      return
    }
    let first = Loudness.factor(decibels: level(at: position))
    let step = Loudness.factor(decibels: (end - start) / Double(frames))
    Self.scale(&samples, from: first, by: step, atMost: last, channels: channels)
  }

  private static func scale(
    _ samples: inout ArraySlice<Int16>,
    from first: Double,
    by step: Double,
    atMost last: Double,
    channels: Int
  ) {
    var factor = first
    var index = samples.startIndex
    while index < samples.endIndex {
      for _ in 0..<channels {
        samples[index] = Int16((Double(samples[index]) * factor).rounded())
        index += 1
      }
      factor = min(factor * step, last)
    }
  }
}
