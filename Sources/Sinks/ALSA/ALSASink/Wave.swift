import Sounds

/// The frames that one output plays: silence first if asked for, then a sound over and over.
struct Wave {
  private let sound: Sound
  private var position = 0
  private var silence: Int
  private(set) var ramp: Ramp

  /// Makes a wave.
  ///
  /// - Parameters:
  ///   - sound: what is looped; it has at least one frame.
  ///   - silence: frames of silence before it.
  ///   - ramp: its volume; it begins with the first frame of the sound.
  init(_ sound: Sound, silence: Int, ramp: Ramp) {
    self.sound = sound
    self.silence = silence
    self.ramp = ramp
  }

  /// What a PCM must be configured for.
  var format: PCMFormat { PCMFormat(rate: sound.rate, channels: sound.channels) }

  /// The next frames.
  mutating func next(_ frames: Int) -> [Int16] {
    let channels = sound.channels
    let quiet = min(silence, frames)
    silence -= quiet
    var samples = [Int16](repeating: 0, count: quiet * channels)
    samples.reserveCapacity(frames * channels)
    while samples.count < frames * channels {
      let count = min(frames * channels - samples.count, sound.samples.count - position)
      samples += sound.samples[position..<position + count]
      position = (position + count) % sound.samples.count
    }
    ramp.apply(to: &samples[(quiet * channels)...], channels: channels)
    return samples
  }
}
