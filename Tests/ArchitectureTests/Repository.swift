import Foundation

/// The files of this package as they are: what git knows of, or what lies in the directory.
struct Repository {
  let root: URL
  /// Paths below the root, sorted; no build products.
  let paths: [String]

  static let here = Repository(
    root: URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  )

  init(root: URL) {
    self.root = root
    let found = Self.listedByGit(root) ?? Self.listedByDirectory(root)
    paths = found.sorted().filter {
      FileManager.default.fileExists(atPath: root.appendingPathComponent($0).path)
    }
  }

  /// A file's text; nil for one that is none.
  func text(_ path: String) -> String? {
    guard let data = try? Data(contentsOf: root.appendingPathComponent(path)), !data.contains(0)
    else { return nil }
    return String(data: data, encoding: .utf8)
  }

  /// Nil where git is not there, does not trust the directory, or means another repository.
  static func listedByGit(_ root: URL) -> [String]? {
    guard let top = git(["rev-parse", "--show-toplevel"], root)?.first,
      URL(fileURLWithPath: top).resolvingSymlinksInPath() == root.resolvingSymlinksInPath()
    else { return nil }
    return git(["ls-files", "-z", "--cached", "--others", "--exclude-standard"], root)
  }

  static func listedByDirectory(_ root: URL) -> [String] {
    var paths: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let directory = folder.isEmpty ? root : root.appendingPathComponent(folder)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
      for name in names where name != ".git" && !name.hasPrefix(".build") {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        var isFolder: ObjCBool = false
        let full = root.appendingPathComponent(path).path
        guard FileManager.default.fileExists(atPath: full, isDirectory: &isFolder) else { continue }
        if isFolder.boolValue { folders.append(path) } else { paths.append(path) }
      }
    }
    return paths
  }

  private static func git(_ arguments: [String], _ root: URL) -> [String]? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", root.path] + arguments
    // In a hook these would name another index.
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    let names = data.split { $0 == 0 || $0 == UInt8(ascii: "\n") }
    return names.map { String(decoding: $0, as: UTF8.self) }
  }
}
