import ProcessTesting
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinService

@Suite("The queue of intents, whatever happens in whatever order")
struct RandomIntentQueueTests {
  @Test("loses nothing, runs nothing that has run, and has one connection run each")
  func random() {
    for seed in 1...60 {
      var world = QueueWorld(seed: UInt64(seed))
      for _ in 0..<120 { world.someEvent() }
    }
  }
}

/// A queue, and what must be so of it.
private struct QueueWorld {
  private var queue = IntentQueue()
  private var random: SeededGenerator
  private let seed: UInt64
  /// What the store would hold.
  private var owed: [UInt64: OwedIntent] = [:]
  private var unstored: Set<UInt64> = []
  private var paid: Set<UInt64> = []
  private var holders: [UInt64: UInt64] = [:]
  private var clients: [UInt64: String] = [:]
  private var lastClient: UInt64 = 0
  private var now = someDay

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(state: seed)
  }

  mutating func someEvent() {
    // The clock goes both ways.
    now = now + .milliseconds(Int.random(in: -2_000...3_000, using: &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4: press()
    case 4..<6: store()
    case 6..<8: join()
    case 8: leave()
    case 9: restart()
    default: pay()
    }
    check()
  }

  private mutating func press() {
    var intent = owedIntent(
      UInt64.random(in: 1...4, using: &random),
      Bool.random(using: &random) ? .stop : .secondary,
      application()
    ).intent
    intent.number = 0
    let isWaiting = owed.values.contains {
      $0.intent.occurrence == intent.occurrence && $0.intent.action == intent.action
        && holders[$0.intent.number] == nil
    }
    let added = queue.add(intent, title: "Tea", now: now)
    #expect((added == nil) == isWaiting, "seed \(seed)")
    guard let added else { return }
    let known = owed.keys.max() ?? 0
    #expect(added.intent.number > max(known, paid.max() ?? 0), "seed \(seed)")
    owed[added.intent.number] = added
    unstored.insert(added.intent.number)
  }

  private mutating func store() {
    guard let last = queue.lastUnstored else {
      #expect(unstored.isEmpty, "seed \(seed)")
      return
    }
    #expect(last == unstored.max(), "seed \(seed)")
    unstored = []
    take(queue.stored(upTo: last))
  }

  private mutating func join() {
    if Bool.random(using: &random), let client = clients.keys.sorted().first {
      take(queue.join(client, clients[client] ?? ""))
      return
    }
    lastClient += 1
    clients[lastClient] = application()
    take(queue.join(lastClient, clients[lastClient] ?? ""))
  }

  private mutating func leave() {
    guard let client = clients.keys.sorted().randomElement(using: &random) else { return }
    clients[client] = nil
    holders = holders.filter { $0.value != client }
    take(queue.leave(client))
  }

  private mutating func restart() {
    let last = max(owed.keys.max() ?? 0, paid.max() ?? 0)
    clients = [:]
    holders = [:]
    unstored = []
    queue = IntentQueue()
    let all = owed.values.sorted { $0.intent.number < $1.intent.number }
    queue.restore(OwedIntents(all, last: last))
  }

  private mutating func pay() {
    guard let number = holders.keys.sorted().randomElement(using: &random),
      let intent = owed[number]
    else { return }
    let other = intent.intent.application == "kitchen" ? "garage" : "kitchen"
    #expect(queue.pay(number, by: other) == .unknown, "seed \(seed)")
    #expect(queue.pay(number, by: intent.intent.application) == .paid(intent), "seed \(seed)")
    #expect(queue.pay(number, by: intent.intent.application) == .again, "seed \(seed)")
    owed[number] = nil
    holders[number] = nil
    paid.insert(number)
  }

  private mutating func take(_ deliveries: [IntentQueue.Delivery]) {
    for delivery in deliveries {
      let number = delivery.intent.number
      #expect(owed[number]?.intent == delivery.intent, "seed \(seed)")
      #expect(!unstored.contains(number) && holders[number] == nil, "seed \(seed)")
      #expect(clients[delivery.client] == delivery.intent.application, "seed \(seed)")
      holders[number] = delivery.client
    }
  }

  private mutating func application() -> String {
    Bool.random(using: &random) ? "kitchen" : "garage"
  }

  private func check() {
    #expect(queue.count == owed.count, "seed \(seed)")
    for (number, owed) in owed where !unstored.contains(number) {
      let isThere = clients.values.contains(owed.intent.application)
      #expect((holders[number] != nil) == isThere, "\(number), seed \(seed)")
    }
  }
}
