import Glibc
import SinkKit
import Sounds

/// The sounds of files and themes, as the library prepares them.
final class PreparedSounds: SoundSupply {
  var onChange: () -> Void = {}
  let tone: Sound

  init(host: SinkHost) {
    let samples = (0..<48_000).map { frame in
      Int16(frame < 24_000 ? 20_000 * sin(Double(frame) * 2 * .pi * 520 / 48_000) : 0)
    }
    tone = Sound(rate: 48_000, channels: 1, samples: samples)
  }

  func want(_ names: Set<String>) {}

  func state(of name: String) -> SoundState { .ready(tone) }
}
