import Testing

@testable import Sounds

@Suite("The built-in tone")
struct ToneTests {
  private let sound = Tone.sound

  /// The first pulse.
  private var pulse: Measure {
    Measure(Sound(rate: sound.rate, channels: 1, samples: Array(sound.samples[..<24_000])))
  }

  @Test("has the pitch that wakes, with its odd harmonics")
  func pitch() {
    let base = pulse.amplitude(of: 520)
    #expect(base > 0.6)
    #expect(pulse.amplitude(of: 1_560) > base / 5)
    #expect(pulse.amplitude(of: 2_600) > base / 10)
    for other in [260.0, 1_040, 2_080, 3_120, 6_760] {
      #expect(pulse.amplitude(of: other) < base / 100)
    }
  }

  @Test("is as loud as it may be, and not louder")
  func level() {
    #expect(Measure(sound).peak > 0.89)
    #expect(Measure(sound).peak < 0.91)
    #expect(pulse.level > -6)
    #expect(sound.frames == 2 * sound.rate)
    #expect(sound.channels == 1)
  }

  @Test("does not click, where it begins, ends and is repeated")
  func edges() {
    #expect(sound.samples.first == 0)
    #expect(sound.samples.last == 0)
    let starts = sound.samples.indices.dropFirst().filter { index in
      sound.samples[index] != 0 && sound.samples[max(0, index - 48)..<index].allSatisfy { $0 == 0 }
    }
    #expect(starts.count == 2)
    for start in starts {
      let end = start + sound.rate / 2
      let first = sound.samples[start..<start + 48].map { abs(Int($0)) }.max() ?? 0
      let last = sound.samples[(end - 60)..<end].map { abs(Int($0)) }.max() ?? 0
      #expect(first < 1_000)
      #expect(last < 1_000)
    }
  }
}

@Suite("A sound that is repeated")
struct LoopTests {
  @Test("has silence behind it if it is short")
  func short() {
    let click = Sound(rate: 8_000, channels: 2, samples: [Int16](repeating: 9, count: 3_200))
    let loop = click.looping()
    #expect(loop.frames == 8_000)
    #expect(Array(loop.samples[..<3_200]) == click.samples)
    #expect(loop.samples[3_200...].allSatisfy { $0 == 0 })
    #expect(click.looping(atLeast: 0.1) == click)
    #expect(click.looping(atLeast: 0.3).frames == 2_400)
    #expect(loop.looping() == loop)
  }
}
