import Glibc
import Sounds

/// What an ear would notice of a sound.
struct Measure {
  let rate: Double
  let samples: [Double]

  init(_ sound: Sound, channel: Int = 0) {
    rate = Double(sound.rate)
    samples = stride(from: channel, to: sound.samples.count, by: sound.channels).map {
      Double(sound.samples[$0]) / 32_768
    }
  }

  var peak: Double { samples.reduce(0) { max($0, abs($1)) } }

  /// Decibels below full scale.
  var level: Double {
    let mean = samples.reduce(0) { $0 + $1 * $1 } / Double(max(samples.count, 1))
    return 10 * log10(max(mean, 1e-20))
  }

  /// The peak of that frequency in the sound, by Goertzel's algorithm.
  func amplitude(of frequency: Double) -> Double {
    let step = 2 * Double.pi * frequency / rate
    var (last, before) = (0.0, 0.0)
    for sample in samples { (last, before) = (sample + 2 * cos(step) * last - before, last) }
    let power = last * last + before * before - 2 * cos(step) * last * before
    return 2 * sqrt(max(power, 0)) / Double(max(samples.count, 1))
  }
}
