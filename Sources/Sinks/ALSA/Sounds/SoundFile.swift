import CSndFile

/// Files that are decoded with libsndfile.
package enum SoundFile {
  /// Frames a second that can be played.
  package static let rates = 8_000...192_000
  /// Seconds of a sound that are kept; a longer one begins anew there when it loops.
  package static let secondsLimit = 120
  /// Frames that are kept at most, so that no sound takes more than 23 MB: 120 s at 48 kHz.
  package static let framesLimit = 5_760_000

  /// Samples that are decoded at a time: few, as those before an error in the same block are lost.
  private static let block = 4_608

  /// Decodes a file, by what is in it, whatever it is called.
  ///
  /// - Throws: `SoundError`.
  /// - Note: blocks for as long as the disk and the decoding take; from any thread.
  package static func decode(_ path: String) throws(SoundError) -> Sound {
    try decode(RegularFile(path), path)
  }

  static func decode(_ file: RegularFile, _ path: String) throws(SoundError) -> Sound {
    guard file.length > 0 else { throw SoundError(.empty, path) }
    let wave = WaveHeader(length: file.length) { file.bytes(at: $0, count: $1) }
    // What the library would only call a bad format.
    if let channels = wave?.channels, channels == 0 { throw SoundError(.channels(0), path) }
    if let rate = wave?.rate, !rates.contains(rate) { throw SoundError(.rate(rate), path) }
    let window = FileWindow(file, repairs: wave?.repairs ?? [])
    // The decoder knows it by address only.
    defer { withExtendedLifetime(window) {} }
    return try decode(window, gain: wave?.gain ?? 1, path)
  }

  private static func decode(
    _ window: FileWindow,
    gain: Float,
    _ path: String
  ) throws(SoundError) -> Sound {
    var info = SF_INFO()
    guard let decoder = window.open(&info) else { throw SoundError(.notSound, path) }
    defer { sf_close(decoder) }
    let channels = Int(info.channels)
    let rate = Int(info.samplerate)
    guard (1...1_024).contains(channels) else { throw SoundError(.channels(channels), path) }
    guard rates.contains(rate) else { throw SoundError(.rate(rate), path) }

    var places = [CInt](repeating: 0, count: channels)
    let size = CInt(channels * MemoryLayout<CInt>.size)
    let isKnown = sf_command(decoder, CInt(SFC_GET_CHANNEL_MAP_INFO), &places, size) != 0
    let mix = ChannelMix(channels: channels, places: isKnown ? places : [], gain: gain)

    let limit = min(rate * secondsLimit, framesLimit)
    let samples = read(decoder, mix, limit: limit * mix.mixed)
    guard !samples.isEmpty else { throw SoundError(.noSamples, path) }
    return Sound(rate: rate, channels: mix.mixed, samples: samples)
  }

  /// Reads until the end, an error or the limit; what came before an error is kept.
  private static func read(_ decoder: OpaquePointer, _ mix: ChannelMix, limit: Int) -> [Int16] {
    var samples: [Int16] = []
    // What a header says of the length is not believed, so it grows as samples come.
    withUnsafeTemporaryAllocation(of: Float.self, capacity: block) { buffer in
      guard let pointer = buffer.baseAddress else { return }
      while samples.count < limit {
        let frames = sf_readf_float(decoder, pointer, Int64(block / mix.channels))
        guard frames > 0 else { break }
        let count = min(Int(frames), (limit - samples.count) / mix.mixed) * mix.channels
        mix.append(UnsafeBufferPointer(start: pointer, count: count), to: &samples)
      }
    }
    return samples
  }
}
