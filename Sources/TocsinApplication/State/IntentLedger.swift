import TocsinModel

/// Which intents run, which wait for their turn, and which have run.
///
/// One at a time for each alarm. What has run in this process never runs again in it, however often the
/// service hands it over.
struct IntentLedger {
  /// What to do with an intent that was handed over.
  enum Step: Hashable, Sendable {
    case run(PendingIntent)
    /// It has run: say so again.
    case answer(UInt64, failure: String?)
    /// It runs, or its turn will come.
    case nothing
  }

  /// How many of those that have run are remembered; as many as a service keeps.
  private let memory: Int
  /// Those that run, by their alarms.
  private var running: [AlarmID: UInt64] = [:]
  private var waiting: [AlarmID: [PendingIntent]] = [:]
  /// Those that have run, and what they threw.
  private var outcomes: [UInt64: String?] = [:]
  private var order: [UInt64] = []
  private var oldest = 0
  /// Those of which the service has not taken note yet.
  private(set) var owed: Set<UInt64> = []

  /// Whether nothing runs, and the service has taken note of all that has run.
  var isIdle: Bool { running.isEmpty && owed.isEmpty }

  init(memory: Int = 10_000) { self.memory = memory }

  /// The service hands an intent over.
  mutating func take(_ intent: PendingIntent) -> Step {
    if let failure = outcomes[intent.number] {
      owed.insert(intent.number)
      return .answer(intent.number, failure: failure)
    }
    guard let current = running[intent.alarm] else {
      running[intent.alarm] = intent.number
      return .run(intent)
    }
    let line = waiting[intent.alarm] ?? []
    if current != intent.number, !line.contains(where: { $0.number == intent.number }) {
      waiting[intent.alarm] = line + [intent]
    }
    return .nothing
  }

  /// An intent has run.
  ///
  /// - Returns: the one that is to run next; nil if none of its alarm waits.
  mutating func finish(_ number: UInt64, failure: String?) -> PendingIntent? {
    guard let alarm = running.first(where: { $0.value == number })?.key else { return nil }
    remember(number, failure)
    owed.insert(number)
    running[alarm] = nil
    guard var line = waiting.removeValue(forKey: alarm), !line.isEmpty else { return nil }
    let next = line.removeFirst()
    if !line.isEmpty { waiting[alarm] = line }
    running[alarm] = next.number
    return next
  }

  /// What an intent threw; nil for nothing, or if it has not run.
  func failure(of number: UInt64) -> String? { outcomes[number] ?? nil }

  /// The service has taken note.
  mutating func settle(_ number: UInt64) { owed.remove(number) }

  /// The connection is lost: what has not begun is the service's to hand over again, to whoever it likes.
  mutating func drop() { waiting = [:] }

  private mutating func remember(_ number: UInt64, _ failure: String?) {
    outcomes.updateValue(failure, forKey: number)
    if order.count < memory {
      order.append(number)
    } else {
      outcomes[order[oldest]] = nil
      order[oldest] = number
      oldest = (oldest + 1) % memory
    }
  }
}
