import Glibc

/// The lines that come out of a pipe, a socket or a terminal.
package final class LineReader {
  package private(set) var descriptor: Int32
  private var bytes: [UInt8] = []
  private var isAtEnd = false

  /// Reads a descriptor, and closes it at the end; -1 has no lines.
  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
    if descriptor < 0 { isAtEnd = true }
  }

  deinit { close() }

  /// Closes the descriptor before the end; there are no more lines.
  package func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
    isAtEnd = true
  }

  /// The next line without its newline; nil at the end.
  package func line() throws -> String? { try line(before: { "a line" }) }

  private func line(before wanted: () -> String) throws -> String? {
    while true {
      if let end = bytes.firstIndex(of: 10) {
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeSubrange(...end)
        return line
      }
      guard try fill(before: wanted) else { return nil }
    }
  }

  /// The first line that contains the text; those before it are dropped.
  package func line(with text: String) throws -> String {
    var seen: [String] = []
    while let line = try line(before: { "\"\(text)\", after \(seen.suffix(20))" }) {
      if line.contains(text) { return line }
      seen.append(line)
    }
    throw Failure("no line has \"\(text)\" in it: \(seen.suffix(20).joined(separator: "\n"))")
  }

  /// Waits until the text stands there, newline or not; what came up to its end.
  @discardableResult
  package func wait(for text: String) throws -> String {
    let wanted = Array(text.utf8)
    while true {
      if let range = bytes.firstRange(of: wanted) {
        defer { bytes.removeSubrange(..<range.upperBound) }
        return String(decoding: bytes[..<range.upperBound], as: UTF8.self)
      }
      guard try fill(before: { "\"\(text)\"" }) else {
        throw Failure("\"\(text)\" does not come: \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  /// All that is left until the end.
  package func rest() throws -> String {
    while try fill(before: { "the end" }) {}
    defer { bytes = [] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads on; `wanted` says in an error what did not come.
  private func fill(before wanted: () -> String) throws -> Bool {
    guard !isAtEnd else { return false }
    let chunk = try nextBytes(descriptor) {
      let last = String(decoding: bytes.suffix(2_000), as: UTF8.self)
      return "\(wanted()); what had come of it: \(last)"
    }
    guard let chunk else {
      isAtEnd = true
      return false
    }
    bytes += chunk
    return true
  }
}

extension LineReader {
  /// The number of lines up to the one that contains the text; the first had been read before.
  package func rest(until text: String) throws -> Int {
    var count = 1
    while let line = try line() {
      if line.contains(text) { return count }
      count += 1
    }
    throw Failure("it ends after \(count) lines")
  }
}
