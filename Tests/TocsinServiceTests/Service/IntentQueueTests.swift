import Testing
import TocsinModel
import TocsinTime

@testable import TocsinService

@Suite("The queue of intents")
struct IntentQueueTests {
  private func press(
    _ number: UInt64 = 1,
    _ action: AlarmAction = .stop,
    _ application: String = "kitchen"
  )
    -> PendingIntent
  {
    var intent = owedIntent(number, action, application).intent
    intent.number = 0
    return intent
  }

  /// A queue with an intent of the kitchen on disk for each number.
  private func queue(_ numbers: UInt64...) -> IntentQueue {
    var queue = IntentQueue()
    queue.restore(OwedIntents(numbers.map { owedIntent($0) }, last: numbers.last ?? 0))
    return queue
  }

  private func told(_ deliveries: [IntentQueue.Delivery]) -> [String] {
    deliveries.map { "\($0.client) \($0.intent.number)" }
  }

  @Test("Numbers follow the clock where it is ahead, and never repeat where it is not")
  func numbers() {
    var queue = queue(50)
    let first = queue.add(press(1), title: "A", now: Instant(microseconds: 1_000))
    #expect(first?.intent.number == 1_000 && first?.title == "A")
    let second = queue.add(press(2), title: "A", now: Instant(microseconds: 10))
    #expect(second?.intent.number == 1_001)
    let third = queue.add(press(3), title: "A", now: Instant(microseconds: -5))
    #expect(third?.intent.number == 1_002)
    var empty = IntentQueue()
    empty.restore(OwedIntents([], last: 70))
    #expect(empty.add(press(), title: "", now: Instant(microseconds: 0))?.intent.number == 71)
  }

  @Test("The same press again adds nothing while nobody has it in hand")
  func again() {
    var queue = IntentQueue()
    #expect(queue.add(press(), title: "", now: someDay) != nil)
    #expect(queue.add(press(), title: "", now: someDay) == nil)
    #expect(queue.add(press(1, .secondary), title: "", now: someDay) != nil)
    #expect(queue.add(press(2), title: "", now: someDay) != nil)
    #expect(queue.count == 3)
    _ = queue.stored(upTo: queue.lastUnstored ?? 0)
    #expect(queue.join(9, "kitchen").count == 3)
    // It is being run: this press came after what is run for.
    #expect(queue.add(press(), title: "", now: someDay) != nil)
    #expect(queue.add(press(), title: "", now: someDay) == nil)
  }

  @Test("Nothing is handed over before it is on disk")
  func stored() throws {
    var queue = IntentQueue()
    #expect(queue.join(9, "kitchen").isEmpty)
    let added = queue.add(press(1), title: "", now: someDay)
    let first = try #require(added).intent.number
    #expect(queue.lastUnstored == first)
    let another = queue.add(press(2), title: "", now: someDay)
    let second = try #require(another).intent.number
    #expect(queue.join(10, "kitchen").isEmpty)
    #expect(told(queue.stored(upTo: first)) == ["10 \(first)"])
    #expect(queue.lastUnstored == second)
    #expect(told(queue.stored(upTo: second)) == ["10 \(second)"])
    #expect(queue.lastUnstored == nil && queue.stored(upTo: second).isEmpty)
  }

  @Test("One connection has it: the last to join, then those before, then the next")
  func holders() {
    var queue = queue(1)
    #expect(told(queue.join(5, "garage")) == [])
    #expect(told(queue.join(6, "kitchen")) == ["6 1"])
    #expect(told(queue.join(7, "kitchen")) == [])
    #expect(told(queue.join(8, "kitchen")) == [])
    #expect(told(queue.leave(7)) == [])
    #expect(told(queue.leave(6)) == ["8 1"])
    #expect(told(queue.leave(8)) == [])
    #expect(told(queue.leave(8)) == [])
    #expect(told(queue.join(9, "kitchen")) == ["9 1"])
    // To join again is to be the last, and to keep what one has.
    #expect(told(queue.join(10, "kitchen")) == [] && told(queue.join(9, "kitchen")) == [])
    let owed = queue.add(press(2), title: "", now: someDay)
    #expect(told(queue.stored(upTo: .max)) == ["9 \(owed?.intent.number ?? 0)"])
  }

  @Test("Only its program can say that it has run, and may say it twice")
  func paid() {
    var queue = queue(1, 2, 5)
    #expect(queue.pay(2, by: "garage") == .unknown)
    #expect(queue.pay(2, by: "kitchen") == .paid(owedIntent(2)))
    #expect(queue.pay(2, by: "kitchen") == .again)
    #expect(queue.pay(6, by: "kitchen") == .unknown)
    #expect(told(queue.join(9, "kitchen")) == ["9 1", "9 5"])
    #expect(queue.pay(5, by: "kitchen") == .paid(owedIntent(5)))
    #expect(queue.pay(1, by: "kitchen") == .paid(owedIntent(1)))
    #expect(queue.count == 0 && queue.leave(9).isEmpty)
  }

  @Test("The old are given up, and the oldest of too many")
  func dropped() {
    var queue = IntentQueue()
    queue.restore(OwedIntents((1...UInt64(IntentQueue.limit)).map { owedIntent($0) }, last: 10_000))
    #expect(queue.dropExcess().isEmpty)
    #expect(queue.add(press(20_000), title: "", now: Instant(seconds: 1)) != nil)
    #expect(queue.dropExcess().map(\.number) == [1] && queue.count == IntentQueue.limit)
    #expect(queue.drop(before: someDay).isEmpty)
    #expect(queue.drop(before: someDay + .seconds(1)).count == IntentQueue.limit)
    #expect(queue.count == 0)
  }
}
