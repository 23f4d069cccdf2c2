import Testing
import TocsinModel

@Suite("Lines from a stream")
struct LineReaderTests {
  private func read(
    _ chunks: [String],
    limit: Int,
    _ overlong: LineReader.Overlong
  ) -> [String] {
    var reader = LineReader(limit: limit, overlong: overlong)
    let items = chunks.flatMap { reader.read(Array($0.utf8)) } + reader.finish()
    return items.map {
      if case .line(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { "!" }
    }
  }

  @Test(
    "come out whole, whatever pieces they come in",
    arguments: [
      (["a\nb\n"], ["a", "b"]), (["a", "b\n", "\nc"], ["ab", "", "c"]), ([""], []),
      (["one\ntwo\r\n\n3"], ["one", "two\r", "", "3"]), (["1234567\n"], ["1234567"]),
      (["1234567\n8"], ["1234567", "8"]), (["12345678\n9\n"], ["!", "9"]),
      (["1234", "5678", "9", "\nx\n"], ["!", "x"]), (["123456789"], ["!"]),
    ] as [([String], [String])]
  )
  func whole(chunks: [String], expected: [String]) {
    #expect(read(chunks, limit: 8, .skip) == expected)
    #expect(read(chunks.flatMap { $0.map(String.init) }, limit: 8, .skip) == expected)
  }

  @Test("are cut where half a line is better than none")
  func cut() {
    #expect(read(["123456789\nab\n"], limit: 5, .split) == ["1234", "5678", "9", "ab"])
  }

  @Test("of 10 MB without an end cost no more memory than the limit")
  func huge() {
    var reader = LineReader(limit: 64 * 1024, overlong: .skip)
    let chunk = [UInt8](repeating: 120, count: 64 * 1024)
    var items: [LineReader.Item] = []
    for _ in 0..<160 { items += reader.read(chunk) }
    items += reader.read(Array("\nok\n".utf8))
    #expect(items == [.overlong, .line(Array("ok".utf8))])
  }
}
