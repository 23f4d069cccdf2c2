#if !TOCSIN_FOUNDATION_RESOURCES
  import Synchronization

  /// The files of texts that a program brings: `de.lproj/Localizable.strings` in a bundle.
  enum TextTables {
    /// The process's language; read once, since copying an environment takes long.
    static let processIdentifier = identifier(ProcessInfo.processInfo.environment)

    private static let read = Mutex<[String: [String: String]]>([:])

    /// Looks a text up.
    ///
    /// - Parameters:
    ///   - key: what it is looked up by.
    ///   - table: the name of the file, without `.strings`.
    ///   - bundle: where the files are.
    ///   - languages: the names of the folders to look into, the first one first.
    /// - Returns: the text; nil where there is none.
    static func text(
      _ key: String,
      table: String,
      bundle: LocalizedStringResource.BundleDescription,
      languages: [String]
    ) -> String? {
      let found: Bundle? =
        switch bundle {
        case .main: .main
        case .atURL(let url): Bundle(url: url)
        }
      guard let found else { return nil }
      for language in languages {
        let path = found.path(
          forResource: table,
          ofType: "strings",
          inDirectory: nil,
          forLocalization: language
        )
        if let path, let text = texts(path)[key] { return text }
      }
      return nil
    }

    /// The folders of a language: for `de_AT`, those of Austria and those of all who speak it.
    static func languages(_ identifier: String) -> [String] {
      // As POSIX names them: language_COUNTRY.encoding@variant.
      let posix = identifier.prefix { $0 != "." && $0 != "@" }
      let name = String(posix).replacing("_", with: "-")
      let language = String(name.prefix { $0 != "-" })
      if language.isEmpty || language == "C" || language == "POSIX" { return [] }
      return name == language ? [name] : [name, name.replacing("-", with: "_"), language]
    }

    /// The language that the process is to speak, from its environment; Foundation knows only those that the
    /// machine has data for.
    static func identifier(_ environment: [String: String]) -> String {
      ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
        .compactMap { environment[$0] }
        .first { !$0.isEmpty } ?? Locale.current.identifier
    }

    /// A file's texts; they stay in memory, as a program's texts do not change while it runs.
    private static func texts(_ path: String) -> [String: String] {
      if let texts = read.withLock({ $0[path] }) { return texts }
      let list = (try? Data(contentsOf: URL(fileURLWithPath: path))).flatMap {
        try? PropertyListSerialization.propertyList(from: $0, format: nil)
      }
      let texts = list as? [String: String] ?? [:]
      read.withLock { $0[path] = texts }
      return texts
    }
  }
#endif
