/// The command that turns a URL into samples: an argument vector with `{url}` and `{rate}` in it.
///
/// It writes signed 16-bit samples of the machine's byte order, two channels, to standard output.
/// There is no shell.
package struct DecoderProgram: Hashable, Sendable, CustomStringConvertible {
  /// The program and its arguments, as they were given.
  package let arguments: [String]

  /// Takes an argument vector such as
  /// `["mpg123", "-q", "-s", "--stereo", "-r", "{rate}", "{url}"]`.
  ///
  /// - Throws: `SoundError` with `.badProgram` if there is no program, or no argument with `{url}`.
  package init(_ arguments: [String]) throws(SoundError) {
    guard let name = arguments.first, !name.isEmpty, !name.contains("{url}"),
      arguments.dropFirst().contains(where: { $0.contains("{url}") }),
      !arguments.contains(where: { $0.contains("\0") })
    else { throw SoundError(.badProgram, arguments.joined(separator: " ")) }
    self.arguments = arguments
  }

  /// The program's name or path.
  package var name: String { arguments.first ?? "" }

  /// The arguments with spaces between.
  package var description: String { arguments.joined(separator: " ") }

  /// The argument vector for a stream.
  ///
  /// - Throws: `SoundError` with `.badURL`, so that nothing but http and https is ever opened, and
  ///   nothing is taken for an option.
  func arguments(url: String, rate: Int) throws(SoundError) -> [String] {
    guard Self.isStream(url) else { throw SoundError(.badURL, url) }
    return arguments.map { Self.filled($0, ["{url}": url, "{rate}": "\(rate)"]) }
  }

  /// Whether a URL is one that may be opened.
  package static func isStream(_ url: String) -> Bool {
    let scheme = url.prefix { $0 != ":" }
    let rest = url.dropFirst(scheme.count)
    guard ["http", "https"].contains(scheme.lowercased()), rest.hasPrefix("://") else {
      return false
    }
    let host = rest.dropFirst(3)
    guard let first = host.unicodeScalars.first, first != "/", first != "?", first != "#" else {
      return false
    }
    // No blanks or control characters anywhere (RFC 3986).
    return url.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  /// Puts values in their places; what a value holds is not looked at again.
  private static func filled(_ text: String, _ values: [String: String]) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...]
      if let (name, value) = values.first(where: { rest.hasPrefix($0.key) }) {
        result += value
        rest = rest.dropFirst(name.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return result + rest
  }
}
