import Foundation
import Testing
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

/// What programs are still to run, on disk.
@Suite struct StoreIntentTests {
  @Test("Intents come back as they were, in the order of their numbers")
  func kept() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    let all = [
      owedIntent(1), owedIntent(2, .secondary, done: nil, parameters: nil),
      owedIntent(3, .secondary, "garage", done: .snooze),
    ]
    #expect(await store.save(all.reversed().map(StoreChange.owe)) == nil)
    #expect(try store.owedIntents().all == all)
    store.close()
    #expect(try shelf.open().owedIntents() == OwedIntents(all, last: 3))
  }

  @Test("A number that was paid is remembered, so that it is given out never again")
  func numbers() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    #expect(await store.save([.owe(owedIntent(7)), .owe(owedIntent(90))]) == nil)
    #expect(await store.save([.pay(90), .pay(7), .pay(4_000)]) == nil)
    store.close()
    #expect(try shelf.open().owedIntents() == OwedIntents([], last: 90))
  }

  @Test("An intent is stored with what the answer changed, or neither is")
  func together() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    #expect(await store.save([timer(1)]) == nil)
    var impossible = timer(2)
    impossible.alarm.options.volume = .nan
    let changes: [StoreChange] = [
      .delete(timer(1).alarm.id), .owe(owedIntent(1)), .save(impossible),
    ]
    #expect(await store.save(changes)?.kind == .rejected)
    #expect(try store.records().records == [timer(1)])
    #expect(try store.owedIntents().all.isEmpty)
    #expect(await store.save([.delete(timer(1).alarm.id), .owe(owedIntent(1))]) == nil)
    #expect(try store.records().records.isEmpty)
    #expect(try store.owedIntents().all == [owedIntent(1)])
  }

  @Test("Parameters that are not JSON are refused, and take nothing else with them")
  func notJSON() async throws {
    let store = try Shelf().open()
    let error = await store.save([.owe(owedIntent(1, parameters: .number(.nan)))])
    #expect(error?.kind == .rejected)
    #expect(await store.save([.owe(owedIntent(2))]) == nil)
    #expect(try store.owedIntents().all == [owedIntent(2)])
  }

  @Test("A row that is not understood is told of, stays, and hides no other")
  func notUnderstood() async throws {
    let shelf = Shelf()
    let store = try shelf.open()
    #expect(await store.save((1...4).map { .owe(owedIntent($0)) }) == nil)
    store.close()
    try shelf.execute(
      """
      UPDATE intents SET action = 'dance' WHERE number = 1;
      UPDATE intents SET call = '{' WHERE number = 2;
      UPDATE intents SET done = 'danced' WHERE number = 3
      """
    )
    let again = try shelf.open()
    let owed = try again.owedIntents()
    #expect(owed.all == [owedIntent(4)])
    #expect(owed.faults.count == 1 && owed.faults.first?.contains("stays in the file") == true)
    again.close()
    let database = try Database(path: shelf.path, mode: .readWrite)
    #expect(try database.integer("SELECT count(*) FROM intents") == 4)
  }

  @Test("The record can be read for one program alone")
  func history() async throws {
    let store = try Shelf().open()
    var lines = (1...4).map { entry(UInt64($0), at: Int64($0), .fired) }
    lines[0].application = "kitchen"
    lines[2].application = "garage"
    lines[3].application = "kitchen"
    #expect(await store.save(lines.map(StoreChange.record)) == nil)
    #expect(try await store.entries() == lines.reversed())
    let kitchen = Request.HistoryFilter(application: "kitchen")
    #expect(try await store.entries(kitchen) == [lines[3], lines[0]])
    let first = Request.HistoryFilter(alarm: lines[0].alarm, application: "kitchen")
    #expect(try await store.entries(first) == [lines[0]])
    let other = Request.HistoryFilter(events: [.stopped], application: "kitchen")
    #expect(try await store.entries(other).isEmpty)
    #expect(try await store.entries(Request.HistoryFilter(application: "attic")).isEmpty)
  }
}
