import Foundation
import ProcessTesting

/// A copy of what contrib/install needs of this package, and the folder it installs below.
final class Installation {
  let place: Place
  /// The copy, so that a test can change what is installed.
  var checkout: String { "\(place.directory)/checkout" }
  /// What `--destdir` names.
  var destination: String { "\(place.directory)/dest" }
  /// Where the programs are taken from.
  let build: String

  /// This package.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// What contrib/install takes programs apart with.
  static let isPossible = ["patchelf", "strip", "readelf", "ldd", "sha256sum"]
    .allSatisfy(Program.exists)

  /// The programs, as contrib/prepare lists them.
  static let products: [String] = {
    let text = (try? String(contentsOfFile: "\(package)/contrib/prepare", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("products=(") } ?? ""
    return line.dropFirst("products=(".count).dropLast().split(separator: " ").map(String.init)
  }()

  /// Installs the programs of this build, or small ones that only have their names.
  init(ofThisBuild: Bool = false) throws {
    place = try Place()
    build = ofThisBuild ? Program.directory : "\(place.directory)/build"
    for name in ["checkout", "build"] { try place.makeDirectory(name) }
    for name in ["contrib", "docs", "plugins.conf", "LICENSE"] {
      try FileManager.default.copyItem(
        atPath: URL(fileURLWithPath: "\(Self.package)/\(name)").resolvingSymlinksInPath().path,
        toPath: "\(checkout)/\(name)"
      )
    }
    guard !ofThisBuild else { return }
    for name in Self.products {
      try FileManager.default.copyItem(atPath: Program.find("true"), toPath: "\(build)/\(name)")
    }
  }

  /// Runs contrib/install or contrib/uninstall.
  @discardableResult
  func run(_ script: String, _ words: String...) throws -> Program.Result {
    let path = "\(checkout)/contrib/\(script)"
    return try place.run(
      ["bash", path, "--destdir", destination] + words,
      ["TOCSIN_BUILD": build, "TMPDIR": place.directory]
    )
  }

  /// A file below the destination, by its path on the installed system.
  func text(_ path: String) throws -> String {
    try String(contentsOfFile: destination + path, encoding: .utf8)
  }

  /// Changes such a file, or makes it with its folder.
  func append(_ text: String, to path: String) throws {
    let file = URL(fileURLWithPath: destination + path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    let before = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    try (before + text).write(to: file, atomically: true, encoding: .utf8)
  }

  /// What is below the destination: files with what they hold, links with where they go.
  func tree() throws -> [String: Data] {
    let manager = FileManager.default
    var found: [String: Data] = [:]
    for name in manager.enumerator(atPath: destination)?.compactMap({ $0 as? String }) ?? [] {
      let path = "\(destination)/\(name)"
      if let target = try? manager.destinationOfSymbolicLink(atPath: path) {
        found["/\(name)"] = Data(target.utf8)
      } else if let content = manager.contents(atPath: path) {
        found["/\(name)"] = content
      }
    }
    return found
  }

  /// The manifest's lines: what, how it was put, and where.
  func manifest() throws -> [(type: String, detail: String, path: String)] {
    try text("/usr/local/lib/tocsin/manifest").split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      return words.count == 3 ? (words[0], words[1], words[2]) : (words[0], "", words[1])
    }
  }
}
