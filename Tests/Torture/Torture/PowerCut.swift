import Foundation
import Glibc
import ProcessTesting

/// A folder as a power cut may leave it.
///
/// What was synchronized is there. Of what was written to a file since, any sectors are, and its size is any
/// that it had; names were made, changed and removed in their order, up to any of those that were not
/// synchronized. That is what POSIX leaves open and file systems with a journal do.
struct PowerCut {
  /// What a folder held before.
  struct Base {
    fileprivate let folder: String
    fileprivate var files: [UInt64: [UInt8]] = [:]
    fileprivate var names: [String: UInt64] = [:]

    init(_ folder: String) throws {
      self.folder = folder
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        var status = stat()
        guard stat("\(folder)/\(name)", &status) == 0 else { continue }
        names[name] = UInt64(status.st_ino)
        files[UInt64(status.st_ino)] = [UInt8](
          try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
        )
      }
    }
  }

  private enum Kind: UInt32 {
    case create = 1, change, resize, syncFile, syncFolder, rename, unlink
  }

  /// A change of a file that is not on the disk for certain.
  private enum Change {
    case write([UInt8], at: Int)
    case resize(Int)
  }

  private struct File {
    var durable: [UInt8]
    var changes: [Change] = []
  }

  private enum NameChange {
    case give(String, UInt64)
    case move(String, String)
    case take(String)
  }

  private static let sector = 512

  private let folder: String
  private var files: [UInt64: File]
  private var names: [String: UInt64]
  private var nameChanges: [NameChange] = []

  /// Plays a record up to an operation.
  init(_ base: Base, trace: String, after count: UInt64) throws {
    folder = base.folder
    files = base.files.mapValues { File(durable: $0) }
    names = base.names
    guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: trace)) else { return }
    try bytes.withUnsafeBytes { try read($0, until: count) }
  }

  private mutating func read(_ bytes: UnsafeRawBufferPointer, until count: UInt64) throws {
    // The layout is that of `struct record` in the library.
    let header = 32
    var position = 0
    while position + header <= bytes.count {
      let number = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      let kind = bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt32.self)
      let length = Int(bytes.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self))
      let file = bytes.loadUnaligned(fromByteOffset: position + 16, as: UInt64.self)
      let offset = Int(bytes.loadUnaligned(fromByteOffset: position + 24, as: Int64.self))
      guard number <= count else { return }
      guard let kind = Kind(rawValue: kind), position + header + length <= bytes.count else {
        throw Failure("the record of the disk is damaged at \(position)")
      }
      let data = Array(bytes[position + header..<position + header + length])
      play(kind, file, offset, data)
      position += header + length
    }
  }

  private mutating func play(_ kind: Kind, _ file: UInt64, _ offset: Int, _ data: [UInt8]) {
    switch kind {
    case .create:
      files[file] = File(durable: [])
      nameChanges.append(.give(String(decoding: data, as: UTF8.self), file))
    case .change: files[file]?.changes.append(.write(data, at: offset))
    case .resize: files[file]?.changes.append(.resize(offset))
    case .syncFile:
      guard let whole = files[file].map(Self.whole) else { return }
      files[file] = File(durable: whole)
    case .syncFolder:
      for change in nameChanges { apply(change) }
      nameChanges = []
    case .rename:
      let both = data.split(separator: 0, maxSplits: 1).map { String(decoding: $0, as: UTF8.self) }
      if both.count == 2 { nameChanges.append(.move(both[0], both[1])) }
    case .unlink: nameChanges.append(.take(String(decoding: data, as: UTF8.self)))
    }
  }

  private mutating func apply(_ change: NameChange) {
    switch change {
    case .give(let name, let file): names[name] = file
    case .move(let from, let to): names[to] = names.removeValue(forKey: from)
    case .take(let name): names[name] = nil
    }
  }

  private static func whole(_ file: File) -> [UInt8] {
    file.changes.reduce(into: file.durable) { play($1, on: &$0) }
  }

  private static func play(_ change: Change, on bytes: inout [UInt8]) {
    switch change {
    case .write(let data, let offset):
      if bytes.count < offset + data.count {
        bytes += [UInt8](repeating: 0, count: offset + data.count - bytes.count)
      }
      bytes.replaceSubrange(offset..<offset + data.count, with: data)
    case .resize(let size):
      if size < bytes.count { bytes.removeSubrange(size...) }
      if size > bytes.count { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
    }
  }

  /// Puts into the folder what is there once the power is back.
  func apply(using random: inout some RandomNumberGenerator) throws {
    var cut = self
    let kept = Int.random(in: 0...nameChanges.count, using: &random)
    for change in nameChanges.prefix(kept) { cut.apply(change) }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      guard Glibc.unlink("\(folder)/\(name)") == 0 else {
        throw Failure("\(name) cannot be removed")
      }
    }
    for name in cut.names.keys.sorted() {
      guard let file = cut.names[name].flatMap({ files[$0] }) else { continue }
      let bytes = Self.left(of: file, using: &random)
      let path = "\(folder)/\(name)"
      guard FileManager.default.createFile(atPath: path, contents: Data(bytes)),
        chmod(path, 0o600) == 0
      else { throw Failure("\(path) cannot be made") }
    }
  }

  private static func left(
    of file: File,
    using random: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var bytes = file.durable
    // Mostly a few are lost, now and then all or none.
    let shares: [Double] = [0, 0.1, 0.5, 0.9, 1]
    let share = shares.randomElement(using: &random) ?? 0.5
    for change in file.changes {
      switch change {
      case .resize: if Double.random(in: 0..<1, using: &random) < share { play(change, on: &bytes) }
      case .write(let data, let offset):
        // A sector is written as a whole or not at all.
        var start = 0
        while start < data.count {
          let end = min(data.count, (offset + start) / sector * sector + sector - offset)
          if Double.random(in: 0..<1, using: &random) < share {
            play(.write(Array(data[start..<end]), at: offset + start), on: &bytes)
          }
          start = end
        }
      }
    }
    return bytes
  }
}
