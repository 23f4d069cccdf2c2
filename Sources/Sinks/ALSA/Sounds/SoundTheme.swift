import SinkKit

/// A theme's index.theme, as far as looking sounds up needs it.
///
/// See the freedesktop Sound Theme Specification 0.8, "File Formats".
struct SoundTheme: Hashable, Sendable {
  /// A folder of the theme.
  struct Directory: Hashable, Sendable {
    var path: String
    /// What its sounds are made for, such as `stereo` or `5.1`; nil for anything.
    var outputProfile: String?
  }

  /// The themes that are asked next.
  var parents: [String] = []
  var directories: [Directory] = []

  /// Reads the file; lines that mean nothing here are passed over.
  init(_ text: String) {
    var section = ""
    var names: [String] = []
    var profiles: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmed
      if line.hasPrefix("["), line.hasSuffix("]") {
        section = String(line.dropFirst().dropLast())
        continue
      }
      guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
      let value = line[line.index(after: equals)...].trimmed
      switch (section, line[..<equals].trimmed) {
      case ("Sound Theme", "Inherits"): parents = Self.list(value)
      case ("Sound Theme", "Directories"): names = Self.list(value)
      case (_, "OutputProfile"): profiles[section] = String(value)
      default: break
      }
    }
    directories = names.map { Directory(path: $0, outputProfile: profiles[$0]) }
  }

  /// Folders to look at for stereo: those made for it first, then those made for anything.
  var stereo: [String] {
    directories.filter { $0.outputProfile == "stereo" }.map(\.path)
      + directories.filter { $0.outputProfile == nil }.map(\.path)
  }

  /// Items with commas between; none of them may lead out of the theme's folder.
  private static func list(_ text: Substring) -> [String] {
    text.split(separator: ",").map { String($0.trimmed) }.filter { name in
      !name.isEmpty && !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
    }
  }
}
