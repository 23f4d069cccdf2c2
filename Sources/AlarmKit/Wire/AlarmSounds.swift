/// Where a program's own sounds are, and how one is found by its name.
package enum AlarmSounds {
  /// The service's word for no sound.
  static let none = "none"
  /// What a name may leave out, the first one first: what the sound sink can play.
  static let endings = [
    "wav", "flac", "ogg", "oga", "opus", "mp3", "aiff", "aif", "caf", "au",
  ]

  /// The folders of a program's sounds, the first one first.
  ///
  /// The bundle's resources, the folder that the program is in with the `.resources` folders that lie there, and
  /// `$XDG_DATA_HOME/NAME/Sounds`.
  ///
  /// - Parameters:
  ///   - application: the name the program's alarms are kept under.
  ///   - environment: XDG_DATA_HOME and HOME.
  ///   - resources: the bundle's folder of resources.
  ///   - program: the path of the program.
  /// - Returns: whole paths, also of folders that are not there.
  package static func folders(
    of application: String,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    resources: String? = Bundle.main.resourceURL?.path,
    program: String? = Bundle.main.executablePath
  ) -> [String] {
    var folders = [resources].compactMap { $0 }
    if let program {
      let folder = URL(fileURLWithPath: program).deletingLastPathComponent().path
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      folders.append(folder)
      folders += names.filter { $0.hasSuffix(".resources") }.sorted().map { "\(folder)/\($0)" }
    }
    let home = environment["HOME"].map { "\($0)/.local/share" }
    // A path that is not whole is to be ignored: XDG Base Directory Specification.
    let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
    if let data, isName(application) { folders.append("\(data)/\(application)/Sounds") }
    var seen: Set<String> = []
    return folders.filter { seen.insert($0).inserted }
  }

  /// Finds a sound in folders; folders in them are not searched.
  ///
  /// - Parameters:
  ///   - name: a file's name, with or without its ending.
  ///   - folders: where to look, the first one first.
  /// - Returns: the whole path of a file; nil if there is none of that name.
  /// - Throws: `AlarmConfigurationError.soundName` for a name that is empty or names a folder.
  package static func file(
    named name: String,
    in folders: [String]
  ) throws(AlarmConfigurationError) -> String? {
    guard isName(name) else { throw .soundName(name) }
    for folder in folders {
      for candidate in [name] + endings.map({ "\(name).\($0)" }) {
        let path = "\(folder)/\(candidate)"
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
          !isFolder.boolValue
        {
          return URL(fileURLWithPath: path).standardizedFileURL.path
        }
      }
    }
    return nil
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".." && text.utf8.count <= 255
      && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 < 0x20 }
  }
}
