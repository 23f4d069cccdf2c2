import Testing

@testable import TocsinService

@Suite("The request buffer")
struct RequestBufferTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var reads: [String]
    /// Lines, `!` for one that is too long.
    var pieces: [String]
    var isPartial = false

    init(_ name: String, _ reads: [String], _ pieces: [String], isPartial: Bool = false) {
      testDescription = name
      self.reads = reads
      self.pieces = pieces
      self.isPartial = isPartial
    }
  }

  /// With a limit of 8 bytes, the newline included.
  static let cases = [
    Case("nothing", [""], []),
    Case("a line", ["abc\n"], ["abc"]),
    Case("two at once", ["abc\ndef\n"], ["abc", "def"]),
    Case("one in pieces", ["a", "b", "c\n"], ["abc"]),
    Case("the newline alone", ["abc", "\n"], ["abc"]),
    Case("an end and a beginning", ["ab", "c\nde", "f\ng"], ["abc", "def"], isPartial: true),
    Case("empty lines are left out", ["\n\nabc\n\n", "\n"], ["abc"]),
    Case("a carriage return stays", ["abc\r\n"], ["abc\r"]),
    Case("no newline at the end", ["abc"], [], isPartial: true),
    Case("exactly the limit", ["1234567\n"], ["1234567"]),
    Case("exactly the limit, unfinished", ["1234567"], [], isPartial: true),
    Case("a byte over it", ["12345678\nabc\n"], ["!", "abc"]),
    Case("over it and unfinished", ["12345678"], ["!"], isPartial: true),
    Case("skipped to its end, told once", ["12345678", "9012345678", "90\nabc\n"], ["!", "abc"]),
    Case("ended by the next read", ["12345678", "\nabc\n"], ["!", "abc"]),
    Case("far over it in one read", ["12345678901234567890\nabc"], ["!"], isPartial: true),
    Case("two too long", ["12345678\n12345678\n"], ["!", "!"]),
  ]

  @Test("puts lines together, whatever the reads", arguments: cases)
  func lines(_ row: Case) {
    var buffer = RequestBuffer(limit: 8)
    var pieces: [String] = []
    for read in row.reads {
      Array(read.utf8).withUnsafeBytes { buffer.append($0) }
      while let piece = buffer.next() { pieces.append(Self.text(piece)) }
    }
    #expect(pieces == row.pieces)
    #expect(buffer.isPartial == row.isPartial)
  }

  @Test("gives the same for every way to cut the stream", arguments: cases)
  func cuts(_ row: Case) {
    var buffer = RequestBuffer(limit: 8)
    var pieces: [String] = []
    for byte in row.reads.joined().utf8 {
      withUnsafeBytes(of: byte) { buffer.append($0) }
      while let piece = buffer.next() { pieces.append(Self.text(piece)) }
    }
    #expect(pieces == row.pieces)
  }

  @Test("keeps what was not asked for yet")
  func pulled() {
    var buffer = RequestBuffer(limit: 8)
    Array("a\nb\nc".utf8).withUnsafeBytes { buffer.append($0) }
    #expect(buffer.next().map(Self.text) == "a")
    Array("d\n".utf8).withUnsafeBytes { buffer.append($0) }
    #expect(buffer.next().map(Self.text) == "b")
    #expect(buffer.next().map(Self.text) == "cd")
    #expect(buffer.next() == nil && !buffer.isPartial)
  }

  private static func text(_ piece: RequestBuffer.Piece) -> String {
    switch piece {
    case .line(let bytes): String(decoding: bytes, as: UTF8.self)
    case .tooLong: "!"
    }
  }
}

@Suite("The timer of a line")
struct LineWatchTests {
  @Test(
    "runs while a line is open, and begins again with each line",
    arguments: [
      (false, false, false, LineWatch.keep), (false, false, true, .keep),
      (false, true, false, .start), (false, true, true, .start),
      (true, true, false, .keep), (true, true, true, .restart),
      (true, false, false, .stop), (true, false, true, .stop),
    ]
  )
  func changes(isRunning: Bool, isOpen: Bool, isNewLine: Bool, change: LineWatch) {
    #expect(LineWatch(isRunning: isRunning, isOpen: isOpen, isNewLine: isNewLine) == change)
  }
}
