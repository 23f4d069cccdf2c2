import Glibc

/// The lines that come out of a pipe, a socket or a terminal.
final class LineReader {
  let descriptor: Int32
  private var bytes: [UInt8] = []
  private var isAtEnd = false

  /// Reads a descriptor, and closes it at the end; -1 has no lines.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    if descriptor < 0 { isAtEnd = true }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The next line without its newline; nil at the end.
  func line() throws -> String? { try line(before: { "a line" }) }

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
  func line(with text: String) throws -> String {
    var seen: [String] = []
    while let line = try line(before: { "\"\(text)\", after \(seen.suffix(20))" }) {
      if line.contains(text) { return line }
      seen.append(line)
    }
    throw Failure("no line has \"\(text)\" in it: \(seen.suffix(20).joined(separator: "\n"))")
  }

  /// Waits until the text stands there, newline or not, and drops what is before its end.
  func wait(for text: String) throws {
    let wanted = Array(text.utf8)
    while true {
      if let range = bytes.firstRange(of: wanted) {
        bytes.removeSubrange(..<range.upperBound)
        return
      }
      guard try fill(before: { "\"\(text)\"" }) else {
        throw Failure("\"\(text)\" does not come: \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  /// All that is left until the end.
  func rest() throws -> String {
    while try fill(before: { "the end" }) {}
    defer { bytes = [] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads on; `wanted` says in an error what did not come.
  private func fill(before wanted: () -> String) throws -> Bool {
    guard !isAtEnd else { return false }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let milliseconds = Int32(patience.components.seconds * 1_000)
    let ready = poll(&entry, 1, milliseconds)
    guard ready != 0 else {
      let last = String(decoding: bytes.suffix(2_000), as: UTF8.self)
      throw Failure("waited in vain for \(wanted()); what had come of it: \(last)")
    }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return true }
    // A terminal whose other end is closed says EIO.
    guard count > 0 else {
      isAtEnd = true
      return false
    }
    bytes += chunk[..<count]
    return true
  }
}

extension LineReader {
  /// The number of lines up to the one that contains the text; the first had been read before.
  func rest(until text: String) throws -> Int {
    var count = 1
    while let line = try line() {
      if line.contains(text) { return count }
      count += 1
    }
    throw Failure("it ends after \(count) lines")
  }
}
