/// A Swift file, its code apart from its comments and the contents of its texts.
struct SwiftSource {
  let path: String
  /// The lines as they are.
  let lines: [String]
  /// The same lines with comments and the contents of string literals blanked.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = Self.lines(text)
    code = Self.lines(Self.blanked(text))
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The module it belongs to: the folder below Sources, or the one below a sink's.
  var module: String? {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count > 2, parts[0] == "Sources" else { return nil }
    return parts[1] == "Sinks" ? (parts.count > 4 ? parts[3] : nil) : parts[1]
  }

  /// The modules it imports, submodules without their path.
  var imports: [String] {
    code.compactMap { line in
      let words = line.split(whereSeparator: { " \t".contains($0) }).map(String.init)
      guard let index = words.firstIndex(of: "import"),
        words[..<index].allSatisfy({ $0.hasPrefix("@") || Self.accessLevels.contains($0) })
      else { return nil }
      let rest = words[(index + 1)...].drop { Self.kinds.contains($0) }
      return rest.first?.split(separator: ".").first.map(String.init)
    }
  }

  private static let accessLevels: Set = [
    "public", "package", "internal", "fileprivate", "private",
  ]
  private static let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let"]

  /// The lines with code on them.
  var codeLines: [String] {
    code.filter { !$0.allSatisfy(\.isWhitespace) }
  }

  /// The comments around a line, as one text.
  func comments(around index: Int) -> String {
    let range = max(0, index - 6)...min(lines.count - 1, index + 6)
    return range.compactMap { index -> Substring? in
      guard let start = lines[index].firstRange(of: "//") else { return nil }
      return lines[index][start.upperBound...].drop { $0 == "/" }
    }
    .joined(separator: " ")
    .split(separator: " ").joined(separator: " ")
  }

  /// Replaces what is no code by spaces, line by line; simple, and right for the Swift that is here.
  private static func blanked(_ text: String) -> String {
    var bytes = Array(text.utf8)
    var position = 0
    while position < bytes.count {
      let end: Int
      if has("//", bytes, at: position) {
        end = bytes[position...].firstIndex(of: newline) ?? bytes.count
      } else if has("/*", bytes, at: position) {
        end =
          (position..<bytes.count).first { has("*/", bytes, at: $0) }.map { $0 + 2 } ?? bytes.count
      } else if let literal = endOfLiteral(bytes, at: position) {
        end = literal
      } else {
        position += 1
        continue
      }
      for index in position..<end where bytes[index] != newline { bytes[index] = space }
      position = end
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let newline = UInt8(ascii: "\n")
  private static let space = UInt8(ascii: " ")
  private static let quote = UInt8(ascii: "\"")
  private static let hash = UInt8(ascii: "#")

  private static func has(_ text: StaticString, _ bytes: [UInt8], at position: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count, bytes[position] == text.utf8Start[0] else {
      return false
    }
    return (1..<count).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
  }

  /// Where the string literal ends that begins here; nil if none does.
  private static func endOfLiteral(_ bytes: [UInt8], at start: Int) -> Int? {
    guard bytes[start] == quote || bytes[start] == hash else { return nil }
    let hashes = bytes[start...].prefix { $0 == hash }.count
    var position = start + hashes
    guard position < bytes.count, bytes[position] == quote else { return nil }
    let quotes = has("\"\"\"", bytes, at: position) ? 3 : 1
    let mark = Array(repeating: quote, count: quotes) + Array(repeating: hash, count: hashes)
    let escape = [UInt8(ascii: "\\")] + Array(repeating: hash, count: hashes)
    position += quotes
    while position < bytes.count {
      if bytes[position...].starts(with: mark) { return position + mark.count }
      guard bytes[position...].starts(with: escape) else {
        position += 1
        continue
      }
      position += escape.count
      // An interpolation may hold texts of its own.
      if position < bytes.count, bytes[position] == UInt8(ascii: "(") {
        position = endOfInterpolation(bytes, at: position)
      } else {
        position += 1
      }
    }
    return bytes.count
  }

  private static func endOfInterpolation(_ bytes: [UInt8], at start: Int) -> Int {
    var depth = 0
    var position = start
    while position < bytes.count {
      if let end = endOfLiteral(bytes, at: position) {
        position = end
        continue
      }
      if bytes[position] == UInt8(ascii: "(") { depth += 1 }
      if bytes[position] == UInt8(ascii: ")") { depth -= 1 }
      position += 1
      if depth == 0 { return position }
    }
    return bytes.count
  }
}

extension Repository {
  /// All Swift files of this package's modules and of its tests, read once.
  static let sources = here.swift(in: "Sources")
  static let tests = here.swift(in: "Tests")
  /// The programs of contrib/examples.
  static let examples = here.swift(in: "contrib/examples")

  private func swift(in folder: String) -> [SwiftSource] {
    paths.filter { $0.hasPrefix(folder + "/") && $0.hasSuffix(".swift") }.compactMap { path in
      text(path).map { SwiftSource(path: path, text: $0) }
    }
  }
}
