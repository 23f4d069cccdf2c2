import TocsinModel
import TocsinTime

/// The intents that programs have still to run, and who has which in hand; without a clock or a socket.
///
/// It decides which number an intent gets, whether a press adds anything, which connection runs it, and
/// what is given up. An intent is handed over only once it is on disk, so that what a program runs
/// cannot be undone by a power cut, and it stays until the program says that it has run.
struct IntentQueue {
  /// How many wait at most; the oldest make room for others.
  static let limit = 10_000

  private struct Item {
    var owed: OwedIntent
    /// Whether it is on disk, or the disk had its chance.
    var isStored: Bool
    /// The connection that was handed it.
    var holder: UInt64?
  }

  private struct Performer {
    var client: UInt64
    var application: String
  }

  /// An intent on its way to a connection.
  struct Delivery: Hashable {
    var client: UInt64
    var intent: PendingIntent
  }

  /// What a program's word that an intent has run means.
  enum Payment: Hashable {
    /// It was owed and is no more.
    case paid(OwedIntent)
    /// It is owed no more already.
    case again
    /// There is no such intent of this program.
    case unknown
  }

  /// In the order of their numbers.
  private var items: [Item] = []
  /// The connections that run intents, the last to have joined last.
  private var performers: [Performer] = []
  private var lastNumber: UInt64 = 0

  /// How many are owed.
  var count: Int { items.count }

  /// Takes in what an earlier run left.
  mutating func restore(_ owed: OwedIntents) {
    items = owed.all.map { Item(owed: $0, isStored: true) }
    lastNumber = max(owed.lastNumber, owed.all.last?.intent.number ?? 0)
  }

  // MARK: - What is owed

  /// Adds an intent that a person's answer calls for.
  ///
  /// - Parameters:
  ///   - intent: has no number yet.
  ///   - title: the alarm's.
  ///   - now: the wall clock.
  /// - Returns: the intent with its number; nil if the same answer to the same occurrence waits already,
  ///   in nobody's hands.
  mutating func add(_ intent: PendingIntent, title: String, now: Instant) -> OwedIntent? {
    let isWaiting = items.contains {
      $0.holder == nil && $0.owed.intent.occurrence == intent.occurrence
        && $0.owed.intent.action == intent.action
    }
    guard !isWaiting else { return nil }
    lastNumber = max(lastNumber + 1, UInt64(clamping: now.microseconds))
    var owed = OwedIntent(intent, title: title)
    owed.intent.number = lastNumber
    items.append(Item(owed: owed, isStored: false))
    return owed
  }

  /// Gives up those that are too many, the oldest first.
  mutating func dropExcess() -> [PendingIntent] {
    let excess = max(0, items.count - Self.limit)
    defer { items.removeFirst(excess) }
    return items.prefix(excess).map(\.owed.intent)
  }

  /// Gives up those that nobody has run since before an instant.
  mutating func drop(before instant: Instant) -> [PendingIntent] {
    let old = items.filter { $0.owed.intent.at < instant }
    if !old.isEmpty { items.removeAll { $0.owed.intent.at < instant } }
    return old.map(\.owed.intent)
  }

  /// The number of the last one that is not on disk yet; nil if all are.
  var lastUnstored: UInt64? {
    items.last.flatMap { $0.isStored ? nil : $0.owed.intent.number }
  }

  /// Those up to a number are on disk, or the disk had its chance: they may be run.
  mutating func stored(upTo number: UInt64) -> [Delivery] {
    for index in items.indices.reversed() {
      if items[index].isStored { break }
      if items[index].owed.intent.number <= number { items[index].isStored = true }
    }
    return handOver()
  }

  /// A program says that an intent has run.
  mutating func pay(_ number: UInt64, by application: String) -> Payment {
    guard let index = index(of: number) else { return number <= lastNumber ? .again : .unknown }
    guard items[index].owed.intent.application == application else { return .unknown }
    return .paid(items.remove(at: index).owed)
  }

  // MARK: - Who runs it

  /// A connection runs a program's intents from now on, before those that joined earlier.
  mutating func join(_ client: UInt64, _ application: String) -> [Delivery] {
    performers.removeAll { $0.client == client }
    performers.append(Performer(client: client, application: application))
    return handOver()
  }

  /// A connection runs no more intents; what it has in hand goes to others, or waits for them.
  mutating func leave(_ client: UInt64) -> [Delivery] {
    guard performers.contains(where: { $0.client == client }) else { return [] }
    performers.removeAll { $0.client == client }
    for index in items.indices where items[index].holder == client { items[index].holder = nil }
    return handOver()
  }

  private mutating func handOver() -> [Delivery] {
    guard !performers.isEmpty else { return [] }
    var deliveries: [Delivery] = []
    for index in items.indices where items[index].isStored && items[index].holder == nil {
      let intent = items[index].owed.intent
      guard let performer = performers.last(where: { $0.application == intent.application })
      else { continue }
      items[index].holder = performer.client
      deliveries.append(Delivery(client: performer.client, intent: intent))
    }
    return deliveries
  }

  private func index(of number: UInt64) -> Int? {
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if items[middle].owed.intent.number < number { low = middle + 1 } else { high = middle }
    }
    return low < items.count && items[low].owed.intent.number == number ? low : nil
  }
}
