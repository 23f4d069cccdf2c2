import Glibc
import TocsinModel

/// What `--sound` may be: a file, a folder, an address, a name of the sound theme, `tone` or `none`.
enum SoundArgument {
  /// The text by which a sink finds the sound, wherever it was started: a file's path becomes absolute,
  /// anything else stays as it is.
  static func path(_ text: String) throws(CommandFailure) -> String {
    guard !["tone", "none"].contains(text), !text.contains("://") else { return text }
    if access(text, R_OK) == 0 { return absolutePath(text) }
    guard text.contains("/") else { return text }
    throw CommandFailure(
      .noInput,
      "sound",
      "the sound \(text.printable) cannot be read: \(String(cString: strerror(errno)))"
    )
  }

  /// What to say of a text that looks like a file's name and is no file here; nil for any other.
  ///
  /// It may still be in a folder of sounds, so it is no error.
  static func doubt(_ text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, (2...4).contains(parts.last?.count ?? 0), !text.contains("/") else {
      return nil
    }
    return "there is no file \(text) here; if no folder of sounds has it, the built-in tone sounds"
  }
}
