/// The chunks of a RIFF WAVE file, and what is wrong with their sizes.
///
/// Programs that stream or were killed leave 0 or 0xFFFFFFFF where the length belongs. What is there
/// shall be played, so the size of the data is made to fit the file before the decoder sees it; the
/// size of the whole it does not look at. See Multimedia Programming Interface and Data
/// Specifications 1.0, "Waveform Audio File Format".
struct WaveHeader: Hashable {
  /// Four bytes to be read in place of those in the file.
  struct Repair: Hashable {
    var offset: Int64
    var bytes: [UInt8]
  }

  /// Channels that the header gives; nil without a format chunk.
  private(set) var channels: Int?
  /// Frames a second that the header gives; nil without a format chunk.
  private(set) var rate: Int?
  private(set) var repairs: [Repair] = []
  /// By what samples must be multiplied: 24 bits may stand at either end of their 32.
  private(set) var gain: Float = 1

  private static let chunkLimit = 1_000

  private let bigEndian: Bool
  private let length: Int64
  private var is24In32 = false

  /// Nil if it is no WAVE file.
  ///
  /// - Parameters:
  ///   - length: bytes in the file.
  ///   - read: gives bytes from a place, fewer at the end of the file.
  init?(length: Int64, read: (_ offset: Int64, _ count: Int) -> [UInt8]) {
    let head = read(0, 12)
    guard head.count == 12, head[8...].elementsEqual("WAVE".utf8) else { return nil }
    switch String(decoding: head[..<4], as: UTF8.self) {
    case "RIFF": bigEndian = false
    case "RIFX": bigEndian = true
    default: return nil
    }
    self.length = length
    walk(read)
  }

  private mutating func walk(_ read: (Int64, Int) -> [UInt8]) {
    var position: Int64 = 12
    for _ in 0..<Self.chunkLimit {
      let head = read(position, 8)
      guard head.count == 8 else { return }
      let start = position + 8
      var size = Int64(number(head[4...]))
      switch String(decoding: head[..<4], as: UTF8.self) {
      case "fmt ":
        let format = read(start, 16)
        guard format.count == 16 else { return }
        channels = Int(number(format[2...], 2))
        rate = Int(number(format[4...]))
        is24In32 =
          number(format[0...], 2) == 1 && number(format[14...], 2) == 24
          && Int(number(format[12...], 2)) == 4 * (channels ?? 0)
      case "data":
        let there = length - start
        if size > there || (size == 0 && !areChunks(from: start, read)) {
          size = there
          repair(at: position + 4, size)
        }
        if is24In32, isLow(read(start, Int(min(size, 65_536)))) { gain = 256 }
      default: break
      }
      position = start + size + size % 2
    }
  }

  /// Whether samples of four bytes use the lower three, as ALSA's S24_LE does; others use the upper.
  private func isLow(_ bytes: [UInt8]) -> Bool {
    var isUsed = false
    for start in stride(from: 0, to: bytes.count - 3, by: 4) {
      let value = Int32(bitPattern: number(bytes[start...]))
      guard (-0x80_0000..<0x80_0000).contains(value) else { return false }
      if value & 0xFF != 0 { isUsed = true }
    }
    return isUsed
  }

  /// Whether from there to the end the file is made of whole chunks, so that a size of 0 is true.
  private func areChunks(from start: Int64, _ read: (Int64, Int) -> [UInt8]) -> Bool {
    var position = start
    for _ in 0..<Self.chunkLimit where position < length {
      let head = read(position, 8)
      guard head.count == 8, head[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else {
        return false
      }
      let size = Int64(number(head[4...]))
      position += 8 + size + size % 2
    }
    return position == length || position == length + 1
  }

  private mutating func repair(at offset: Int64, _ size: Int64) {
    let value = UInt32(clamping: size)
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    repairs.append(Repair(offset: offset, bytes: bigEndian ? bytes.reversed() : bytes))
  }

  private func number(_ bytes: ArraySlice<UInt8>, _ count: Int = 4) -> UInt32 {
    let bytes = bytes.prefix(count)
    let first = bigEndian ? Array(bytes) : bytes.reversed()
    return first.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
