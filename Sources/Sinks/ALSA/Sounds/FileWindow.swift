import CSndFile
import Glibc

/// A file as the decoder sees it: not longer than it need be, with sizes that fit.
final class FileWindow {
  /// Bytes of a compressed file that are looked at: more than two minutes of any with a picture in
  /// it, while the decoder would read a whole day of MP3 through before it begins.
  static let compressedLimit: Int64 = 16 * 1_024 * 1_024

  /// Bytes that the decoder is told of.
  let length: Int64

  private let file: RegularFile
  private let repairs: [WaveHeader.Repair]
  private var position: Int64 = 0

  init(_ file: RegularFile, repairs: [WaveHeader.Repair]) {
    self.file = file
    self.repairs = repairs
    let head = file.bytes(at: 0, count: 4)
    let isMP3 = head.starts(with: "ID3".utf8) || (head.count > 1 && head[0] == 0xFF)
    let isCompressed = isMP3 || head.starts(with: "OggS".utf8)
    length = isCompressed ? min(file.length, Self.compressedLimit) : file.length
  }

  /// Opens a decoder on it, which must be closed before this goes away; nil if it knows no format.
  func open(_ info: inout SF_INFO) -> OpaquePointer? {
    // Copied by the library. See sndfile.h, "Virtual I/O functionality".
    var calls = SF_VIRTUAL_IO(
      get_filelen: { FileWindow.from($0)?.length ?? 0 },
      seek: { FileWindow.from($2)?.seek($0, $1) ?? -1 },
      read: { FileWindow.from($2)?.read($0, $1) ?? 0 },
      write: { _, _, _ in 0 },
      tell: { FileWindow.from($0)?.position ?? 0 }
    )
    return sf_open_virtual(&calls, CInt(SFM_READ), &info, Unmanaged.passUnretained(self).toOpaque())
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> FileWindow? {
    pointer.map { Unmanaged<FileWindow>.fromOpaque($0).takeUnretainedValue() }
  }

  private func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
    let base =
      switch whence {
      case SEEK_SET: Int64(0)
      case SEEK_CUR: position
      default: length
      }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    position = target
    return target
  }

  private func read(_ pointer: UnsafeMutableRawPointer?, _ count: Int64) -> Int64 {
    let count = min(count, length - position)
    guard let pointer, count > 0 else { return 0 }
    let bytes = UnsafeMutableRawBufferPointer(start: pointer, count: Int(count))
    let done = file.read(at: position, into: bytes)
    for repair in repairs {
      for (index, byte) in repair.bytes.enumerated() {
        let place = repair.offset + Int64(index) - position
        if place >= 0, place < done { bytes[Int(place)] = byte }
      }
    }
    position += Int64(done)
    return Int64(done)
  }
}
