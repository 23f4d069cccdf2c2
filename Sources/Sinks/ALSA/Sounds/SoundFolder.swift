import Glibc
import SinkKit

/// Takes one of the sounds in a folder.
enum SoundFolder {
  /// Files that are tried until one can be played.
  static let tries = 200

  /// Decodes one of the files, not the one that was last if there is another.
  ///
  /// Subfolders and hidden files do not count; what is no sound is passed over.
  ///
  /// - Parameters:
  ///   - folder: its path.
  ///   - last: the path of the one before.
  ///   - order: puts the names into the order in which they are tried.
  /// - Returns: the file that was taken.
  /// - Throws: `SoundError` if there is none.
  static func decode(
    _ folder: String,
    notAgain last: String?,
    order: ([String]) -> [String]
  ) throws(SoundError) -> (path: String, sound: Sound, identity: FileIdentity) {
    guard access(folder, R_OK | X_OK) == 0 else { throw SoundError(.unreadable(errno), folder) }
    let names = FolderNames.read(folder)
    var paths = names.map { folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)" }
    paths = order(paths.sorted())
    if let last, let index = paths.firstIndex(of: last) {
      paths.remove(at: index)
      paths = Array(paths.prefix(tries)) + [last]
    }
    for path in paths.prefix(tries + 1) {
      guard let file = try? RegularFile(path), let sound = try? SoundFile.decode(file, path) else {
        continue
      }
      return (path, sound, file.identity)
    }
    throw SoundError(.nothingInFolder, folder)
  }
}
