import TocsinModel

@testable import TocsinService

extension FuzzTarget {
  /// A line as a client sends it.
  static let requests = FuzzTarget(name: "requests") { input in
    try writtenAndRead(input, as: Request.self)
  }

  /// A line as a plugin sends it, and one as a plugin reads it.
  static let reports = FuzzTarget(name: "reports") { input in
    try? writtenAndRead(input, as: SinkMessage.self)
    try writtenAndRead(input, as: SinkReport.self)
  }

  /// A stream of bytes: where it is cut into reads must not matter.
  static let lines = FuzzTarget(name: "lines") { input in
    let limit = 48
    let whole = pieces([input[...]], limit)
    let cut = Int(input.first ?? 1) % 7 + 1
    let chunks = stride(from: 0, to: input.count, by: cut).map { start in
      input[start..<min(start + cut, input.count)]
    }
    promise(pieces(chunks, limit) == whole, "the same lines, however they come")

    for overlong in [LineReader.Overlong.skip, .split] {
      var (one, other) = (
        LineReader(limit: limit, overlong: overlong), LineReader(limit: limit, overlong: overlong)
      )
      let atOnce = one.read(input) + one.finish()
      let byChunk = chunks.flatMap { other.read($0) } + other.finish()
      promise(atOnce == byChunk, "the same lines, however they come")
      for case .line(let line) in atOnce {
        promise(line.count <= limit, "no line beyond the limit")
      }
    }
  }

  private static func pieces(
    _ chunks: [Slice<UnsafeBufferPointer<UInt8>>],
    _ limit: Int
  ) -> [[UInt8]?] {
    var buffer = RequestBuffer(limit: limit)
    var pieces: [[UInt8]?] = []
    for chunk in chunks {
      buffer.append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: chunk)))
      while let piece = buffer.next() {
        switch piece {
        case .line(let line): pieces.append(Array(line))
        case .tooLong: pieces.append(nil)
        }
      }
    }
    return pieces
  }

  /// What is understood is the same once it was written and read again.
  private static func writtenAndRead<Value: Codable>(
    _ input: UnsafeBufferPointer<UInt8>,
    as type: Value.Type
  ) throws {
    let value = try JSONLine.decode(type, from: input)
    let line = try JSONLine.encode(value)
    promise(line.last == UInt8(ascii: "\n"), "a line ends")
    promise(!line.dropLast().contains(UInt8(ascii: "\n")), "a line is one")
    // Numbers are written in their shortest form, which may be the longer text.
    guard line.count <= JSONLine.limit else { return }
    let again = try JSONLine.encode(try JSONLine.decode(type, from: line))
    promise(again == line, "what was written is read back the same")
  }
}
