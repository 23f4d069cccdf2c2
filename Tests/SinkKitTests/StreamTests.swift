import Testing

@testable import SinkKit

@Suite struct StreamTests {
  private func split(_ parts: [String], limit: Int = 8) -> [LineSplitter.Piece] {
    var splitter = LineSplitter(limit: limit)
    var pieces = parts.flatMap { splitter.feed(Array($0.utf8)[...]) }
    if let last = splitter.finish() { pieces.append(last) }
    return pieces
  }

  @Test("Lines come whole however the bytes are cut")
  func lines() {
    let expected: [LineSplitter.Piece] = [
      .line(Array("one".utf8)), .line(Array("two".utf8)), .line(Array("3".utf8)),
    ]
    #expect(split(["one\ntwo\r\n\n3"]) == expected)
    #expect(split("one\ntwo\r\n\n3".map { String($0) }) == expected)
  }

  @Test("A line may have as many bytes as the limit, its newline included, and no more")
  func limit() {
    #expect(split(["1234567\n"]) == [.line(Array("1234567".utf8))])
    #expect(split(["12345678\nx\n"]) == [.tooLong(8), .line([UInt8(ascii: "x")])])
    #expect(split(["1234", "5678", "90", "\nx"]) == [.tooLong(10), .line([UInt8(ascii: "x")])])
  }

  @Test("Reports are dropped only if they are lines of the log, and the number is told")
  func reports() {
    var queue = ReportQueue()
    let log = SinkReport.log(SinkReport.Log(message: String(repeating: "x", count: 1_000)))
    for _ in 0..<1_000 { queue.append(log) }
    let full = queue.pending.count
    #expect(full < ReportQueue.logLimit + 2_000)
    queue.append(.presented(seq: 1))
    #expect(queue.pending.count > full)
    for seq in 0..<20_000 { queue.append(.presented(seq: UInt64(seq))) }
    #expect(queue.isFull)
    var text = ""
    while !queue.pending.isEmpty {
      text += String(decoding: queue.pending.prefix(5_000), as: UTF8.self)
      queue.removeFirst(min(5_000, queue.pending.count))
    }
    let lines = text.split(separator: "\n")
    #expect(lines.filter { $0.contains("\"presented\"") }.count == 20_001)
    let logged = lines.filter { $0.contains("xxx") }.count
    #expect(lines.last?.contains("\(1_000 - logged) lines of log were dropped") == true)
    #expect(!queue.isFull)
  }
}
