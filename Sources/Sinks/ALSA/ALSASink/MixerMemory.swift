import Glibc
import TocsinModel

/// The file that says what is to be undone at the mixer.
struct MixerMemory: Sendable {
  private struct Content: Codable {
    var changes: [MixerChange]
  }

  /// The file; there is none while nothing is to be undone.
  let path: String

  /// The file of a sink, in the folder that the daemon leaves to plugins beside its store.
  static func path(of sink: String, environment: (String) -> String?) -> String {
    let store = ServicePaths.store(environment: environment)
    return store.dropLast(ServicePaths.storeName.count) + "plugins/mixer-\(sink).json"
  }

  /// What the file says; nothing if there is none or it cannot be read.
  func load() -> [MixerChange] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: JSONLine.limit)
    let count = read(file, &bytes, bytes.count)
    guard count > 0 else { return [] }
    return (try? JSONLine.decode(Content.self, from: bytes[..<count]))?.changes ?? []
  }

  /// Writes the file anew, or removes it if there is nothing to be undone.
  ///
  /// It need not survive a loss of power, after which a mixer starts anew as well; so it is not
  /// forced to the disk, which would delay the alarm.
  ///
  /// - Returns: what went wrong, as a sentence.
  func save(_ changes: [MixerChange]) -> String? {
    guard !changes.isEmpty else {
      unlink(path)
      return nil
    }
    guard let bytes = try? JSONLine.encode(Content(changes: changes)) else { return nil }
    makeFolders()
    let draft = path + ".new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return fault(draft) }
    let count = write(file, bytes, bytes.count)
    close(file)
    guard count == bytes.count, rename(draft, path) == 0 else { return fault(draft) }
    return nil
  }

  /// As the daemon would make them, for a sink that runs without one.
  private func makeFolders() {
    for slash in path.indices.dropFirst() where path[slash] == "/" {
      mkdir(String(path[..<slash]), 0o700)
    }
  }

  private func fault(_ path: String) -> String {
    let reason = String(cString: strerror(errno))
    return "\(path) cannot be written: \(reason); the mixer stays raised if this process is killed"
  }
}
