import CLinux
import Glibc
import Testing

@testable import TocsinService

@Suite("The log", .timeLimit(.minutes(10)))
struct LogTests {
  private let ends: (read: Int32, write: Int32)

  init() {
    var pipe: [Int32] = [-1, -1]
    #expect(Glibc.pipe(&pipe) == 0)
    ends = (pipe[0], pipe[1])
  }

  /// What was written, after which nothing more can be.
  private func text() -> String {
    close(ends.write)
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(ends.read, &chunk, chunk.count)
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    close(ends.read)
    return String(decoding: text, as: UTF8.self)
  }

  @Test("writes lines of the wanted levels under the program's name")
  func plain() {
    let log = Log(environment: [:], least: .warning, descriptor: ends.write)
    log(.error, "one")
    log(.info, "two")
    log(.warning, "three\n four\r\n")
    #expect(text() == "tocsin: one\ntocsin: three\ntocsin:  four\n")
  }

  @Test("takes the place of a live line")
  func live() {
    let log = Log(environment: [:], descriptor: ends.write, overLiveLine: true)
    log(.error, "one\ntwo")
    #expect(text() == "\r\u{1B}[Ktocsin: one\n\r\u{1B}[Ktocsin: two\n")
  }

  @Test("gives the journal a level for each line, which no text can forge")
  func journal() {
    let log = Log(environment: ["JOURNAL_STREAM": "1:2"], descriptor: ends.write)
    log(.warning, "a sink says\n<0>boo")
    #expect(text() == "<4>a sink says\n<4><0>boo\n")
  }

  @Test("shows what would steer a terminal instead of doing it")
  func escapes() {
    let log = Log(environment: [:], descriptor: ends.write)
    log(.error, "a sink says \u{1B}[31m\ttwo \u{202E}words")
    #expect(text() == "tocsin: a sink says ?[31m two ?words\n")
  }

  @Test("drops what nobody reads instead of waiting, and goes on when somebody does")
  func full() {
    // The end that is written to waits, as standard error does.
    let log = Log(environment: [:], descriptor: ends.write)
    let line = String(repeating: "x", count: 1_000)
    for _ in 0..<200 { log(.info, line) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    #expect(read(ends.read, &chunk, chunk.count) > 0)
    log(.info, "again")
    #expect(text().hasSuffix("tocsin: again\n"))
  }

  @Test("cuts a line that would have to wait for room in the middle")
  func long() {
    let log = Log(environment: [:], descriptor: ends.write)
    log(.info, String(repeating: "x", count: 200_000))
    #expect(text().utf8.count == Int(PIPE_BUF))
  }

  @Test("has nowhere to write and does not mind")
  func closed() {
    close(ends.read)
    close(ends.write)
    Log(environment: [:], descriptor: -1)(.error, "nobody")
  }
}
