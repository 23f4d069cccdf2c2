/// Makes sounds of choices; may block, so it is asked on threads of its own.
package protocol SoundReader: Sendable {
  /// Finds and decodes a sound.
  ///
  /// - Parameters:
  ///   - choice: neither `none`, `tone` nor a stream.
  ///   - known: what is in memory; the same file is not decoded again, and of a folder another
  ///     file is taken.
  /// - Returns: nil if what is known is still what would be read.
  /// - Throws: `SoundError`.
  func read(_ choice: SoundChoice, known: SoundOrigin?) throws(SoundError) -> ReadSound?
}

/// Where a sound in memory came from.
package struct SoundOrigin: Hashable, Sendable {
  /// The file.
  package var path: String
  /// The folder it was taken from, if a folder was chosen.
  package var folder: String?
  var identity: FileIdentity?
}

/// A sound that has just been decoded.
package struct ReadSound: Hashable, Sendable {
  /// The sound.
  package var sound: Sound
  /// Where it came from.
  package var origin: SoundOrigin
}

/// Reads sounds from the file system.
struct DiskSoundReader: SoundReader {
  let finder: SoundFinder

  func read(_ choice: SoundChoice, known: SoundOrigin?) throws(SoundError) -> ReadSound? {
    let path = try finder.locate(choice)
    if try RegularFile.isFolder(path) {
      let last = known?.folder == path ? known?.path : nil
      let (file, sound, identity) = try SoundFolder.decode(path, notAgain: last) { $0.shuffled() }
      return ReadSound(
        sound: sound,
        origin: SoundOrigin(path: file, folder: path, identity: identity)
      )
    }
    let file = try RegularFile(path)
    let origin = SoundOrigin(path: path, folder: nil, identity: file.identity)
    if origin == known { return nil }
    return ReadSound(sound: try SoundFile.decode(file, path), origin: origin)
  }
}
