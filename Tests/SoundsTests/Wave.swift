import Glibc

/// Bytes of WAVE files as programs write them, good and bad.
struct Wave {
  var tag: UInt16 = 1
  var channels = 1
  var rate = 44_100
  /// Bits in which a sample is stored.
  var container = 16
  /// Bits that count.
  var bits = 16
  /// Whether bits that do not count stand above the others, as ALSA's S24_LE has them.
  var isLow = false
  /// The format's own GUID begins with this; written as WAVE_FORMAT_EXTENSIBLE if not nil.
  var subformat: UInt16?
  var channelMask: UInt32 = 0
  var data: [UInt8] = []
  /// What the header says instead of the truth.
  var dataSize: UInt32?
  var riffSize: UInt32?
  /// Chunks behind the data.
  var tail: [UInt8] = []

  static func le(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  var bytes: [UInt8] {
    let align = channels * container / 8
    var format: [UInt8] = []
    format += Self.le(subformat == nil ? tag : 0xFFFE)
    format += Self.le(UInt16(channels)) + Self.le(UInt32(rate))
    format += Self.le(UInt32(truncatingIfNeeded: rate * align)) + Self.le(UInt16(align))
    format += Self.le(UInt16(subformat == nil ? bits : container))
    if let subformat {
      format += Self.le(UInt16(22)) + Self.le(UInt16(bits)) + Self.le(channelMask)
      format += Self.le(subformat)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    var body = Array("WAVEfmt ".utf8)
    body += Self.le(UInt32(format.count)) + format
    body += Array("data".utf8) + Self.le(dataSize ?? UInt32(data.count)) + data + tail
    return Array("RIFF".utf8) + Self.le(riffSize ?? UInt32(body.count)) + body
  }

  /// The same, with a sine in it.
  func sine(_ tone: Sine = Sine(), seconds: Double = 1) -> Wave {
    var wave = self
    wave.data = (0..<Int(seconds * Double(rate))).flatMap { frame -> [UInt8] in
      let value = tone.value(Double(frame) / Double(rate))
      let sample = encode(value)
      return (0..<channels).flatMap { _ in sample }
    }
    return wave
  }

  /// One sample, at the upper end of its container as WAVE wants it.
  private func encode(_ value: Double) -> [UInt8] {
    if (subformat ?? tag) == 3 {
      return container == 64 ? Self.le(value.bitPattern) : Self.le(Float(value).bitPattern)
    }
    let scaled = Int64((value * Double(Int64(1) << (bits - 1))).rounded())
    let largest = Int64(1) << (bits - 1) - 1
    let sample = min(max(scaled, -largest - 1), largest) << (isLow ? 0 : container - bits)
    if container == 8 { return [UInt8(truncatingIfNeeded: sample + 128)] }
    return (0..<container / 8).map { UInt8(truncatingIfNeeded: sample >> (8 * Int64($0))) }
  }
}

/// A sine wave.
struct Sine {
  var frequency = 1_000.0
  /// Peak, 1 is full scale.
  var amplitude = 0.1

  func value(_ time: Double) -> Double { amplitude * sin(2 * .pi * frequency * time) }
}
