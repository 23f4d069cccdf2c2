/// What Package.swift says of its targets, as far as it is written here: one call a target.
struct Manifest {
  struct Target {
    var kind: String
    var name: String
    var path: String?
    var dependencies: [String]
  }

  let targets: [Target]

  init(_ text: String) {
    let source = SwiftSource(path: "Package.swift", text: text)
    var targets: [Target] = []
    let call =
      /(\.?library|program|support|tests|\.target|\.systemLibrary)\(\s*(?:name:\s*)?"([^"]+)"(?:,\s*path:\s*"([^"]+)")?/
    for match in text.matches(of: call) {
      // Not the functions' own definitions, nor a comment's example.
      let line = text[..<match.range.lowerBound].count { $0 == "\n" }
      guard match.output.1 != ".library", source.code[line].contains(match.output.1) else {
        continue
      }
      let rest = text[match.range.upperBound...]
      targets.append(
        Target(
          kind: String(match.output.1),
          name: String(match.output.2),
          path: match.output.3.map(String.init),
          dependencies: Self.names(rest)
        )
      )
    }
    self.targets = targets
  }

  /// The texts of the array that follows, up to the end of the call.
  private static func names(_ text: Substring) -> [String] {
    guard let start = text.firstIndex(where: { !", \n".contains($0) }), text[start] == "[",
      let end = text[start...].firstIndex(of: "]")
    else { return [] }
    return text[start..<end].matches(of: /"([^"]+)"/).map { String($0.output.1) }
  }

  subscript(name: String) -> Target? {
    targets.first { $0.name == name }
  }

  /// The modules that show C libraries, but for those of the tests.
  var cModules: [String] {
    targets.filter { $0.kind.hasPrefix(".") && $0.path?.hasPrefix("Tests/") != true }.map(\.name)
  }
}
