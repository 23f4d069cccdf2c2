import Glibc
import SinkKit

/// Finds the file that a choice means.
///
/// Names of the theme are looked up as the freedesktop Sound Theme Specification 0.8 says ("Sound
/// Lookup"): the theme, what it inherits, `freedesktop`, then files outside of themes; within a
/// theme the whole name before the one shortened at its last dash, the locale before `C` before
/// none, folders for stereo before others; `.disabled`, `.oga`, `.ogg`, `.wav`.
///
/// It asks the disk, which may be a slow or hung one: not for the sink's own thread.
package struct SoundFinder: Sendable {
  /// Folders that hold sounds and themes, the user's own first.
  package let folders: [String]

  private let home: String?
  private let theme: String
  /// Locale subfolders in the order of trial, such as `de_DE`, `de`, `C`.
  private let locales: [String]
  private static let extensions = ["disabled", "oga", "ogg", "wav"]

  /// Takes the paths and the locale from an environment.
  ///
  /// - Parameters:
  ///   - environment: HOME, XDG_DATA_HOME, XDG_DATA_DIRS, LC_ALL, LC_MESSAGES and LANG count.
  ///   - theme: the sound theme's internal name.
  package init(environment: [String: String], theme: String = "freedesktop") {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    home = value("HOME")
    // A path that is not absolute is to be ignored (XDG Base Directory Specification).
    let own = value("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let all = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":")
    let roots =
      [own ?? home.map { $0 + "/.local/share" }].compactMap { $0 }
      + all.map(String.init).filter { $0.hasPrefix("/") }
    var folders: [String] = []
    for root in roots {
      let folder = Self.join(root, "sounds")
      if !folders.contains(folder) { folders.append(folder) }
    }
    self.folders = folders
    self.theme = theme
    let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") ?? "C"
    locales = Self.locales(locale)
  }

  /// The path of a file or folder.
  ///
  /// - Throws: `SoundError` if there is none; a path is not looked at here.
  package func locate(_ choice: SoundChoice) throws(SoundError) -> String {
    switch choice {
    case .none, .tone: throw SoundError(.notFound, choice.description)
    case .stream(let url): throw SoundError(.isStream, url)
    case .path(let path): return try absolute(path)
    case .name(let name): return try file(named: name)
    case .theme(let name): return try sound(named: name)
    }
  }

  private func absolute(_ path: String) throws(SoundError) -> String {
    guard path.hasPrefix("~") else { return path }
    guard let home, path == "~" || path.hasPrefix("~/") else {
      throw SoundError(.notFound, path, places: home.map { [$0] } ?? [])
    }
    return Self.join(home, String(path.dropFirst(path == "~" ? 1 : 2)))
  }

  // MARK: Files of the sound folders

  private func file(named name: String) throws(SoundError) -> String {
    for folder in folders {
      let path = Self.join(folder, name)
      if Self.exists(path) { return path }
    }
    // Themes' folders: each base has few of them.
    for folder in folders {
      for theme in FolderNames.read(folder).sorted() {
        for directory in [""] + (index(of: theme)?.directories.map(\.path) ?? []) {
          let path = Self.join(Self.join(Self.join(folder, theme), directory), name)
          if Self.exists(path) { return path }
        }
      }
    }
    // A name of the theme may have dots, too.
    if !name.contains("/"), let path = try? sound(named: name) { return path }
    throw SoundError(.notFound, name, places: folders)
  }

  // MARK: The theme

  private func sound(named name: String) throws(SoundError) -> String {
    let names = Self.shortened(name)
    for theme in lineage() {
      guard let index = index(of: theme) else { continue }
      let places = folders.map { Self.join($0, theme) }
      if let path = try find(names, in: places, below: index.stereo, name) { return path }
    }
    if let path = try find(names, in: folders, below: [""], name) { return path }
    throw SoundError(.notFound, name, places: folders)
  }

  /// The theme and all it inherits, each once, depth first; `freedesktop` last.
  func lineage() -> [String] {
    var order: [String] = []
    func visit(_ theme: String) {
      guard !order.contains(theme), theme != "freedesktop", order.count < 64 else { return }
      order.append(theme)
      for parent in index(of: theme)?.parents ?? [] { visit(parent) }
    }
    visit(theme)
    return order + ["freedesktop"]
  }

  private func find(
    _ names: [String],
    in places: [String],
    below directories: [String],
    _ wanted: String
  ) throws(SoundError) -> String? {
    for name in names {
      for locale in locales + [""] {
        for directory in directories {
          for place in places {
            let folder = Self.join(Self.join(place, directory), locale)
            for ending in Self.extensions {
              let path = Self.join(folder, "\(name).\(ending)")
              guard Self.exists(path) else { continue }
              if ending == "disabled" { throw SoundError(.disabled, wanted, places: [path]) }
              return path
            }
          }
        }
      }
    }
    return nil
  }

  /// The first index.theme among the folders.
  private func index(of theme: String) -> SoundTheme? {
    for folder in folders {
      let path = Self.join(Self.join(folder, theme), "index.theme")
      guard let file = try? RegularFile(path), file.length < 1_000_000 else { continue }
      return SoundTheme(String(decoding: file.bytes(at: 0, count: Int(file.length)), as: UTF8.self))
    }
    return nil
  }

  // MARK: Texts and paths

  /// `a-b-c`, `a-b`, `a`.
  static func shortened(_ name: String) -> [String] {
    var names = [name]
    while let last = names.last, let dash = last.lastIndex(of: "-") {
      names.append(String(last[..<dash]))
    }
    return names.filter { !$0.isEmpty }
  }

  /// The locale, without its modifier, without its country, and `C`.
  ///
  /// The character set, which the specification does not know of, is left out too.
  static func locales(_ locale: String) -> [String] {
    var names = [locale]
    for mark in "@._" {
      if let last = names.last, let cut = last.firstIndex(of: mark) {
        names.append(String(last[..<cut]))
      }
    }
    names.append("C")
    var seen: Set<String> = []
    return names.filter { !$0.isEmpty && !$0.contains("/") && seen.insert($0).inserted }
  }

  private static func join(_ folder: String, _ name: String) -> String {
    if name.isEmpty || name == "." { return folder }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
