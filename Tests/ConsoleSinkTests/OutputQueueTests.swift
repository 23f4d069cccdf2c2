import Testing

@testable import ConsoleSink

@Suite struct OutputQueueTests {
  private func chunk(_ length: Int, _ event: UInt64) -> OutputQueue.Chunk {
    OutputQueue.Chunk(bytes: [UInt8](repeating: UInt8(event), count: length), events: [event])
  }

  @Test("An event is presented when the last byte of its text is written, not before")
  func receipts() {
    var queue = OutputQueue(limit: 100)
    #expect(queue.append(chunk(10, 1)) == [])
    #expect(queue.append(chunk(10, 2)) == [])
    #expect(queue.removeFirst(9) == [])
    #expect(queue.front == [1])
    #expect(queue.removeFirst(1) == [1])
    #expect(queue.removeFirst(10) == [2])
    #expect(queue.isEmpty)
  }

  @Test("When full the oldest goes, but never the rest of a line that is half written")
  func dropping() {
    var queue = OutputQueue(limit: 30)
    for event in 1...3 { #expect(queue.append(chunk(10, UInt64(event))) == []) }
    _ = queue.removeFirst(1)
    #expect(queue.append(chunk(10, 4)) == [2])
    #expect(queue.append(chunk(20, 5)) == [3, 4])
    #expect(queue.events == [1, 5])
    #expect(queue.takeDropped() == 3)
    #expect(queue.takeDropped() == 0)
    #expect(queue.append(chunk(500, 6)) == [5])
    #expect(queue.removeAll() == [1, 6])
    #expect(queue.append(chunk(500, 7)) == [])
    #expect(queue.append(chunk(5, 8)) == [7])
    #expect(queue.front?.count == 5)
  }
}
