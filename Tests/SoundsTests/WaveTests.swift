import Testing

@testable import Sounds

@Suite("WAVE files")
struct WaveTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func decode(_ wave: Wave) throws -> Sound {
    try decode(wave.bytes)
  }

  private func decode(_ bytes: [UInt8]) throws -> Sound {
    try SoundFile.decode(try scratch.write("x.wav", bytes))
  }

  private func code(_ bytes: [UInt8]) throws -> SoundError.Code? {
    do {
      _ = try decode(bytes)
      return nil
    } catch let error as SoundError {
      return error.code
    }
  }

  static let everyWidth: [Wave] = [
    Wave(container: 8, bits: 8),
    Wave(),
    Wave(channels: 2, rate: 48_000),
    Wave(rate: 96_000, container: 24, bits: 24),
    Wave(container: 32, bits: 24),
    Wave(container: 32, bits: 24, isLow: true),
    Wave(channels: 2, container: 32, bits: 24, isLow: true),
    Wave(container: 32, bits: 32),
    Wave(rate: 8_000),
    Wave(rate: 192_000),
    Wave(tag: 3, container: 32, bits: 32),
    Wave(tag: 3, channels: 2, container: 64, bits: 64),
    Wave(subformat: 1),
    Wave(rate: 96_000, container: 24, bits: 24, subformat: 1),
    Wave(container: 32, bits: 24, subformat: 1),
    Wave(channels: 2, container: 32, bits: 32, subformat: 3, channelMask: 3),
  ]

  @Test("keep pitch, loudness and length in every width", arguments: everyWidth)
  func widths(wave: Wave) throws {
    let sound = try decode(wave.sine())
    #expect(sound.rate == wave.rate)
    #expect(sound.channels == wave.channels)
    #expect(sound.frames == wave.rate)
    for channel in 0..<wave.channels {
      let measure = Measure(sound, channel: channel)
      // A sine of a tenth is at -20 dB, its mean square 3 dB less.
      #expect(abs(measure.level + 23) < 0.5)
      #expect(abs(measure.amplitude(of: 1_000) - 0.1) < 0.005)
      #expect(measure.amplitude(of: 2_000) < 0.005)
      #expect(measure.amplitude(of: 500) < 0.005)
      #expect(measure.peak < 0.12)
    }
  }

  @Test("with 24 bits at the upper end of 32 may have anything below")
  func padding() throws {
    var wave = Wave(container: 32, bits: 32).sine()
    wave.bits = 24
    let measure = Measure(try decode(wave))
    #expect(abs(measure.level + 23) < 0.5)
    #expect(measure.peak < 0.12)
  }

  @Test("of floats are clipped, not wrapped")
  func clipped() throws {
    let loud = try decode(Wave(tag: 3, container: 32, bits: 32).sine(Sine(amplitude: 2)))
    #expect(loud.samples.max() == .max)
    #expect(loud.samples.min() == .min)
    let measure = Measure(loud)
    #expect(measure.amplitude(of: 1_000) > 1)
    let odd = [Float.nan, .infinity, -.infinity, 1, -1, 0.5].flatMap { Wave.le($0.bitPattern) }
    let strange = try decode(Wave(tag: 3, container: 32, bits: 32, data: odd))
    #expect(strange.samples == [0, .max, .min, .max, .min, 16_384])
  }

  @Test("with wrong sizes play what is there")
  func sizes() throws {
    var wave = Wave().sine()
    let right = try decode(wave).samples
    for size: UInt32 in [0, 0xFFFF_FFFF, 0x7FFF_FFFF, UInt32(wave.data.count) + 2] {
      wave.dataSize = size
      for riff: UInt32 in [0, 0xFFFF_FFFF, 12, UInt32(wave.bytes.count) * 3] {
        wave.riffSize = riff
        let sound = try decode(wave)
        #expect(sound.samples == right, "data \(size), RIFF \(riff)")
      }
    }
  }

  @Test("are not played beyond a size that is right")
  func tail() throws {
    var wave = Wave().sine(seconds: 0.5)
    wave.tail = Array("LIST".utf8) + Wave.le(UInt32(4)) + Array("INFO".utf8)
    let frames = try decode(wave).frames
    #expect(frames == 22_050)
    wave.data = []
    #expect(try code(wave.bytes) == .noSamples)
  }

  @Test("end before a part of a frame")
  func partial() throws {
    let bytes: [UInt8] = [1, 0, 2, 0, 3, 0, 4]
    let samples = try decode(Wave(channels: 2, data: bytes)).samples
    #expect(samples == [1, 2])
  }

  @Test("that are cut are refused or short, and never more")
  func cut() throws {
    let whole = Wave(channels: 2, data: [UInt8](repeating: 1, count: 400)).bytes
    for count in 0..<whole.count {
      do {
        let sound = try decode(Array(whole[..<count]))
        #expect(count > 44)
        #expect(sound.frames == (count - 44) / 4)
      } catch let error as SoundError {
        #expect(count < 48, "\(count): \(error)")
      }
    }
    #expect(try code([]) == .empty)
    #expect(try code(Array(whole[..<20])) == .notSound)
    #expect(try code(Array(whole[..<44])) == .noSamples)
  }

  @Test("with impossible rates and channels are refused with the number")
  func impossible() throws {
    let data = [UInt8](repeating: 7, count: 4_000)
    for rate in [0, 1, 7_999, 192_001, 2_000_000_000] {
      #expect(try code(Wave(rate: rate, data: data).bytes.fixed(rate)) == .rate(rate))
    }
    #expect(try code(Wave(channels: 0, data: data).bytes) == .channels(0))
  }

  @Test("with more than two channels keep each speaker on its side")
  func surround() throws {
    // 5.1: only the left one behind sounds.
    let frames = (0..<44_100).flatMap { frame -> [UInt8] in
      let value = Sine(amplitude: 0.5).value(Double(frame) / 44_100)
      return (0..<6).flatMap { Wave.le(Int16($0 == 4 ? value * 32_767 : 0)) }
    }
    var wave = Wave(channels: 6, data: frames)
    for isExtensible in [false, true] {
      wave.subformat = isExtensible ? 1 : nil
      wave.channelMask = isExtensible ? 0x3F : 0
      let sound = try decode(wave)
      #expect(sound.channels == 2)
      #expect(sound.frames == 44_100)
      #expect(abs(Measure(sound).amplitude(of: 1_000) - 0.5 * 0.7071 / 2.4142) < 0.005)
      #expect(Measure(sound, channel: 1).peak == 0)
    }
  }

  @Test("of many channels at full scale are not clipped", arguments: [3, 4, 5, 6, 7, 8, 11, 64])
  func mix(channels: Int) throws {
    let wave = Wave(channels: channels).sine(Sine(amplitude: 1), seconds: 0.1)
    let sound = try decode(wave)
    #expect(sound.channels == 2)
    for channel in 0...1 {
      let measure = Measure(sound, channel: channel)
      #expect(measure.peak > 0.7)
      // Clipping makes the third harmonic.
      #expect(measure.amplitude(of: 3_000) < 0.01)
    }
  }

  @Test("longer than two minutes end there")
  func long() throws {
    let seconds = SoundFile.secondsLimit + 1
    let data = [UInt8](repeating: 0x80, count: 8_000 * seconds)
    let sound = try decode(Wave(rate: 8_000, container: 8, bits: 8, data: data))
    #expect(sound.frames == 8_000 * SoundFile.secondsLimit)
  }
}

extension [UInt8] {
  /// The header with this rate in it: bytes a second do not fit for the largest.
  fileprivate func fixed(_ rate: Int) -> [UInt8] {
    var bytes = self
    bytes.replaceSubrange(24..<28, with: Wave.le(UInt32(rate)))
    return bytes
  }
}
