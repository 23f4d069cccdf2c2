import ProcessTesting
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("The table's own structures")
struct TableTests {
  @Test("An entry stays small, as a daemon holds a million of them")
  func entrySize() {
    #expect(MemoryLayout<Entry>.stride <= 88)
  }

  @Test("The heap yields deadlines in order whatever was set, moved and removed before")
  func heapOrder() {
    var random = SeededGenerator(state: 7)
    var heap = DeadlineHeap()
    var keys: [Int32: Int64] = [:]
    for _ in 0..<20_000 {
      let slot = Int32.random(in: 0..<500, using: &random)
      let key = Int64.random(in: 0..<1_000, using: &random)
      let isRemoved = Bool.random(using: &random)
      heap.set(isRemoved ? nil : key, for: slot)
      keys[slot] = isRemoved ? nil : key
      #expect(heap.first?.key == keys.values.min())
    }
    var sorted: [Int64] = []
    while let first = heap.first {
      sorted.append(first.key)
      #expect(keys[first.slot] == first.key)
      heap.set(nil, for: first.slot)
    }
    #expect(sorted == keys.values.sorted())
  }

  @Test("The index finds what is in it and nothing else, through growth and removal")
  func index() {
    var random = SeededGenerator(state: 11)
    var index = AlarmIndex()
    var entries: [Entry] = []
    var present: Set<Int32> = []
    for round in 0..<4_000 {
      if round % 3 == 2, let slot = present.randomElement(using: &random) {
        index.remove(slot, in: entries)
        present.remove(slot)
      } else {
        entries.append(Entry(Alarm(id: AlarmID(using: &random), title: "")))
        index.insert(Int32(entries.count - 1), in: entries)
        present.insert(Int32(entries.count - 1))
      }
    }
    #expect(index.count == present.count)
    for slot in entries.indices.map({ Int32($0) }) {
      #expect(
        index.slot(of: entries[Int(slot)].id, in: entries) == (present.contains(slot) ? slot : nil)
      )
    }
  }

  @Test("Titles stay those of their alarms, however many come, change and go")
  func titles() throws {
    var random = SeededGenerator(state: 5)
    var time = try Timeline("2027-06-07T04:00:00Z")
    var expected: [AlarmID: String] = [:]
    for round in 0..<3_000 {
      let title = String(repeating: "é\(round) ", count: Int.random(in: 0..<12, using: &random))
      var alarm = Alarm(
        id: AlarmID(using: &random),
        title: title,
        countdown: CountdownDuration(preAlert: 600)
      )
      switch (round % 4, expected.keys.randomElement(using: &random)) {
      case (2, let id?):
        alarm.id = id
        time.happen(.update(alarm, source: "test"))
        expected[id] = title
      case (3, let id?):
        time.happen(.intent(Intent(.cancel, .named(id.description)), source: "test"))
        expected[id] = nil
      default:
        time.happen(.schedule(alarm, source: "test"))
        expected[alarm.id] = title
      }
    }
    for (id, title) in expected { #expect(time.world.table.alarm(id)?.title == title) }
    #expect(time.world.table.count == expected.count)
    #expect(time.errors.isEmpty)
  }

  @Test("An occurrence's identity reads back, and nothing else reads as one")
  func occurrences() {
    var random = SeededGenerator(state: 3)
    let id = OccurrenceID(
      alarm: AlarmID(using: &random),
      origin: Instant(microseconds: -5),
      serial: 9
    )
    #expect(OccurrenceID(id.description) == id)
    for text in ["", ":", "a:b:c", "\(id):1", String(id.description.dropLast(2))] {
      #expect(OccurrenceID(text) == nil)
    }
  }
}
