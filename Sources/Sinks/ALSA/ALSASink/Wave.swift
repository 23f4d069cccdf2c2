import Sounds

/// What an alarm sounds with.
enum Source: Equatable {
  /// A sound that is looped; it has at least one frame.
  case sound(Sound)
  /// A stream, as far as it has arrived.
  case stream(StreamFeed)

  /// What a PCM must be configured for.
  var format: PCMFormat {
    switch self {
    case .sound(let sound): PCMFormat(rate: sound.rate, channels: sound.channels)
    case .stream(let feed): PCMFormat(rate: feed.rate, channels: StreamDecoder.channels)
    }
  }

  static func == (one: Source, other: Source) -> Bool {
    switch (one, other) {
    case (.sound(let one), .sound(let other)): one == other
    case (.stream(let one), .stream(let other)): one === other
    case (.sound, .stream), (.stream, .sound): false
    }
  }
}

/// The frames that one output plays: silence first if asked for, then a sound over and over.
struct Wave {
  private let source: Source
  private let channels: Int
  /// The next sample of a sound, or the next frame of a stream.
  private var position: Int
  private var silence: Int
  private var ramp: Ramp

  /// Makes a wave.
  ///
  /// - Parameters:
  ///   - source: what is played.
  ///   - silence: frames of silence before it.
  ///   - ramp: its volume; it begins with the first frame of the source.
  init(_ source: Source, silence: Int, ramp: Ramp) {
    self.source = source
    self.silence = silence
    self.ramp = ramp
    channels = source.format.channels
    if case .stream(let feed) = source { position = feed.start } else { position = 0 }
  }

  /// Goes on from where it is with another volume; silence that is still to come stays.
  mutating func set(_ ramp: Ramp) { self.ramp = ramp }

  /// The next frames; where a stream has none, silence.
  mutating func next(_ frames: Int) -> [Int16] {
    let quiet = min(silence, frames)
    silence -= quiet
    var samples = [Int16](repeating: 0, count: quiet * channels)
    samples.reserveCapacity(frames * channels)
    switch source {
    case .sound(let sound):
      while samples.count < frames * channels {
        let count = min(frames * channels - samples.count, sound.samples.count - position)
        samples += sound.samples[position..<position + count]
        position = (position + count) % sound.samples.count
      }
    case .stream(let feed):
      samples += feed.take(frames - quiet, from: &position)
      let missing = frames * channels - samples.count
      samples += repeatElement(0, count: missing)
    }
    ramp.apply(to: &samples[(quiet * channels)...], channels: channels)
    return samples
  }
}
