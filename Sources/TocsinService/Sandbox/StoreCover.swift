import Glibc

/// How the store is kept out of plugins' sight: what of it a new process is to find empty.
///
/// Lives on the loop's thread.
final class StoreCover {
  /// What is hidden from one process.
  enum Hidden: Hashable {
    /// A folder that is the store's alone, but for the folder in it that plugins may use.
    case directory(String, door: String)
    /// Files in a folder that others use too.
    case files([String])
  }

  /// The folder beside the store in which plugins may keep what is theirs.
  static let door = "plugins"

  private let files: StoreFiles?
  private let log: (LogLevel, String) -> Void
  /// Why this system does not let anything be hidden.
  private var refusal: SystemError?

  /// Hides the files of a store; nil if there are none to hide.
  init(_ files: StoreFiles?, log: @escaping (LogLevel, String) -> Void) {
    var files = files
    // As it was opened: links are resolved, and relative paths count from here.
    if let path = files?.directory, let resolved = realpath(path, nil) {
      files = StoreFiles(path: "\(String(cString: resolved))/\(files?.name ?? "")")
      free(resolved)
    }
    self.files = files
    self.log = log
  }

  /// What to hide from a process that is started now; nil if there is nothing or it is not allowed here.
  var hidden: Hidden? {
    guard let files, refusal == nil else { return nil }
    guard isAlone(files) else {
      return .files(names(in: files).map { "\(files.directory)/\($0)" })
    }
    let door = "\(files.directory)/\(Self.door)"
    // Without it there is no door, which only those miss who would keep something there.
    mkdir(door, 0o700)
    return .directory(files.directory, door: door)
  }

  /// Notes that hiding is refused; from now on plugins start without it.
  func refuse(_ error: SystemError) {
    guard refusal == nil else { return }
    refusal = error
    let reason = String(cString: strerror(error.code))
    log(.info, "plugins can read the store here: hiding it is refused (\(reason))")
  }

  private func isOwn(_ name: String, _ files: StoreFiles) -> Bool {
    name == files.name || name.hasPrefix("\(files.name)-") || name.hasPrefix("\(files.name).")
  }

  private func names(in files: StoreFiles) -> [String] {
    directoryNames(files.directory).filter { isOwn($0, files) }
  }

  /// Whether nobody else's things are in the store's folder; what the sound sink kept there in earlier
  /// versions is out of use.
  private func isAlone(_ files: StoreFiles) -> Bool {
    directoryNames(files.directory).allSatisfy {
      [".", "..", Self.door].contains($0) || isOwn($0, files) || $0.hasPrefix("mixer-")
    }
  }
}
