import Testing

@testable import SinkKit

@Suite struct ReportQueueTests {
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
