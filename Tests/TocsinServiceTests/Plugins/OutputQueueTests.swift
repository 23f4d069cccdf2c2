import Testing
import TocsinModel
import TocsinTime

@testable import TocsinService

func occurrence(_ number: Int, alarm: UInt64? = nil) -> OccurrenceID {
  OccurrenceID(
    alarm: AlarmID(high: 1, low: alarm ?? UInt64(number)),
    origin: Instant(seconds: Int64(number)),
    serial: 0
  )
}

private func bytes(_ text: String) -> [UInt8] { Array("\(text)\n".utf8) }

extension OutputQueue {
  /// Writes all of it and returns the lines.
  fileprivate mutating func drain() -> [String] {
    var written: [UInt8] = []
    while let front = front() {
      written += front
      advance(by: front.count)
    }
    return String(decoding: written, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

@Suite("What a sink has not read yet")
struct OutputQueueTests {
  @Test("holds the newest state of each occurrence only")
  func coalescing() {
    var queue = OutputQueue()
    queue.append(bytes("countdown 1"), .presentation(occurrence(1)))
    queue.append(bytes("alert 2"), .presentation(occurrence(2)))
    queue.append(bytes("alert 1"), .presentation(occurrence(1)))
    #expect(queue.drain() == ["alert 2", "alert 1"])
    #expect(queue.isEmpty)
    #expect(queue.byteCount == 0)
    #expect(queue.dropped == 0)
  }

  @Test("lets a stop overtake its alert and all other presentations: no alert after stop")
  func stop() {
    var queue = OutputQueue()
    queue.append(bytes("alert 1"), .presentation(occurrence(1)))
    queue.append(bytes("alert 2"), .presentation(occurrence(2)))
    queue.append(bytes("cleared 2"), .cleared(occurrence(2)))
    #expect(queue.drain() == ["cleared 2", "alert 1"])
  }

  @Test("does not tear a line that is half written, but takes one back that is not begun")
  func partial() {
    var queue = OutputQueue()
    queue.append(bytes("alert 1"), .presentation(occurrence(1)))
    #expect(queue.front()?.count == 8)
    queue.append(bytes("cleared 1"), .cleared(occurrence(1)))
    #expect(queue.drain() == ["cleared 1"])
    queue.append(bytes("alert 2"), .presentation(occurrence(2)))
    _ = queue.front()
    queue.advance(by: 3)
    queue.append(bytes("cleared 2"), .cleared(occurrence(2)))
    #expect(queue.byteCount == 5 + 10)
    #expect(queue.drain() == ["rt 2", "cleared 2"])
    #expect(queue.byteCount == 0)
  }

  @Test("never coalesces hello, ping, notices; sync and bye replace all presentations")
  func kinds() {
    var queue = OutputQueue()
    queue.append(bytes("hello"), .control)
    queue.append(bytes("missed"), .notice)
    queue.append(bytes("missed"), .notice)
    queue.append(bytes("alert 1"), .presentation(occurrence(1)))
    queue.append(bytes("cleared 2"), .cleared(occurrence(2)))
    queue.append(bytes("ping"), .control)
    queue.append(bytes("sync"), .replacement)
    queue.append(bytes("alert 3"), .presentation(occurrence(3)))
    queue.append(bytes("cleared 4"), .cleared(occurrence(4)))
    #expect(
      queue.drain() == ["hello", "ping", "sync", "cleared 4", "missed", "missed", "alert 3"]
    )
    queue.append(bytes("alert 1"), .presentation(occurrence(1)))
    queue.append(bytes("bye"), .replacement)
    #expect(queue.drain() == ["bye"])
  }

  @Test("stays within its limit: all state makes way for one sync, and is counted")
  func limit() {
    var queue = OutputQueue(limit: 100)
    queue.append(bytes("hello"), .control)
    for number in 0..<50 {
      queue.append(bytes("alert \(number)"), .presentation(occurrence(number)))
      #expect(queue.byteCount <= 100 + 6)
    }
    #expect(queue.needsSync)
    #expect(queue.dropped == 50)
    #expect(queue.drain() == ["hello"])
    queue.append(bytes("sync"), .replacement)
    #expect(!queue.needsSync)
    queue.append(bytes("alert 1"), .presentation(occurrence(1)))
    #expect(queue.drain() == ["sync", "alert 1"])
  }

  @Test("does not grow by a million updates of the same occurrence")
  func updates() {
    var queue = OutputQueue()
    for number in 0..<100_000 {
      queue.append(bytes("\(number)"), .presentation(occurrence(number % 3)))
    }
    #expect(queue.byteCount == 18)
    #expect(queue.drain() == ["99997", "99998", "99999"])
  }

  @Test("leaves a reader with the same picture as one who reads all, however slow it is")
  func samePicture() {
    var seed: UInt64 = 3
    func random(_ bound: UInt64) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % bound)
    }
    for limit in [60, 200, 100_000] {
      var queue = OutputQueue(limit: limit)
      var truth: [Int: Int] = [:]
      var received: [UInt8] = []
      var ended: Set<Int> = []
      var next = 0
      for step in 0..<5_000 {
        switch random(4) {
        case 0, 1:
          // A new state of one that is shown, or a new one.
          let shown = truth.keys.sorted()
          let number = shown.isEmpty || random(3) == 0 ? next : shown[random(UInt64(shown.count))]
          next = max(next, number + 1)
          truth[number] = step
          queue.append(bytes("P \(number) \(step)"), .presentation(occurrence(number)))
        case 2:
          guard let number = truth.keys.min() else { continue }
          truth[number] = nil
          ended.insert(number)
          queue.append(bytes("C \(number)"), .cleared(occurrence(number)))
        default:
          guard let front = queue.front() else {
            if queue.needsSync {
              let all = truth.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ",")
              queue.append(bytes("S \(all)"), .replacement)
            }
            continue
          }
          let count = 1 + random(UInt64(front.count))
          received += front.prefix(count)
          queue.advance(by: count)
        }
      }
      while !queue.isEmpty || queue.needsSync {
        while let front = queue.front() {
          received += front
          queue.advance(by: front.count)
        }
        if queue.needsSync {
          let all = truth.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ",")
          queue.append(bytes("S \(all)"), .replacement)
        }
      }
      var picture: [Int: Int] = [:]
      var clearedSeen: Set<Int> = []
      for line in String(decoding: received, as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        switch words[0] {
        case "P":
          let number = Int(words[1]) ?? -1
          #expect(!clearedSeen.contains(number), "an alert after its stop")
          picture[number] = Int(words[2])
        case "C":
          picture[Int(words[1]) ?? -1] = nil
          clearedSeen.insert(Int(words[1]) ?? -1)
        default:
          picture = [:]
          for pair in words[1].split(separator: ",") {
            let parts = pair.split(separator: "=")
            picture[Int(parts[0]) ?? -1] = Int(parts[1])
          }
        }
      }
      #expect(picture == truth)
    }
  }
}
