/// How what is taken up goes over the days.
///
/// All room it needs is made with the first day: what watches must not be what grows.
struct Course {
  private let days: Int
  private var memory: [String: [Int]] = [:]
  private var first: Sample?
  private var largestLog = 0
  private var faults: [String] = []

  /// What the store's log may take: it is emptied at 8 MiB, and has room behind its end.
  private static let logLimit = 12 << 20
  /// KiB that may come in a day, and for all of the days.
  private static let perDay = 1, slack = 64

  init(days: Int) {
    self.days = days
  }

  /// Adds the next day's sample.
  mutating func add(_ sample: Sample) {
    if first == nil {
      first = sample
      for name in sample.memory.keys {
        var values: [Int] = []
        values.reserveCapacity(days)
        memory[name] = values
      }
    }
    for (name, value) in sample.memory { memory[name]?.append(value) }
    largestLog = max(largestLog, sample.log)
    if let first, sample.counts != first.counts {
      faults.append("a day ends with \(sample.counts), not \(first.counts)")
    }
  }

  /// What grows where it should not, in sentences.
  ///
  /// The least of the first quarter is compared with the least of the last.
  func judge() -> [String] {
    var faults = faults
    let bound = Self.slack + Self.perDay * days
    for (name, values) in memory.sorted(by: { $0.key < $1.key }) {
      let quarter = max(1, values.count / 4)
      let growth = (values.suffix(quarter).min() ?? 0) - (values.prefix(quarter).min() ?? 0)
      say("soak: \(name) grew by \(growth) KiB in \(values.count) days (\(bound) are allowed)")
      if growth > bound { faults.append("\(name) grew by \(growth) KiB") }
    }
    if largestLog > Self.logLimit {
      faults.append("the store's log has \(largestLog / 1_024) KiB")
    }
    return faults
  }
}
