import Glibc
import ProcessTesting

/// The program: days of use in minutes, or minutes of use as they are.
enum Soak {
  private static let usage = """
    usage: soak --plugins FOLDER [--days N] [--seed S] [--verbose]
           soak --real MINUTES [--seed S]
    """

  /// - Returns: 0 if all was as it has to be, 1 if not, 64 if the words make no sense.
  static func run(_ words: [String]) -> Int32 {
    var days = 80
    var minutes: Double?
    var seed = UInt64.random(in: 0..<1 << 32)
    var plugins: String?
    var isVerbose = false
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--verbose" {
        isVerbose = true
        continue
      }
      guard let value = rest.popFirst() else { return misused() }
      switch word {
      case "--days": days = Int(value) ?? 0
      case "--seed": seed = UInt64(value) ?? 0
      case "--plugins": plugins = value
      case "--real": minutes = Double(value) ?? 0
      default: return misused()
      }
    }
    say("soak: seed \(seed)")
    do {
      let faults: [String]
      if let minutes {
        guard minutes > 0 else { return misused() }
        faults = try RealTime(seed: seed).run(minutes: minutes)
      } else {
        guard let plugins, days > 0 else { return misused() }
        faults = try live(days, seed: seed, plugins: plugins, isVerbose)
      }
      for fault in faults.prefix(50) { say("soak: FAULT \(fault)") }
      if faults.isEmpty { say("soak: all was well") }
      return faults.isEmpty ? 0 : 1
    } catch {
      say("soak: FAULT \(error)")
      return 1
    }
  }

  private static func misused() -> Int32 {
    say(usage)
    return 64
  }

  private static func live(
    _ days: Int,
    seed: UInt64,
    plugins: String,
    _ isVerbose: Bool
  ) throws -> [String] {
    let household = try Household(plugins: plugins)
    defer { household.service.stop() }
    let warmUp = min(days / 3, 30)
    var course = Course(days: days - warmUp)
    var last: Sample?
    var rings = 0
    let begin = ContinuousClock.now
    for number in 0..<days {
      let day = Day(number, seed: seed)
      let faults: [String]
      do { faults = try household.live(day) } catch {
        throw Failure("day \(number): \(error)\(said(household))")
      }
      if !faults.isEmpty {
        return faults + [said(household), "the same again: --seed \(seed) --days \(number + 1)"]
      }
      rings += day.rings.count
      let sample = try Sample.settled(household, like: last)
      let isTold = isVerbose || number == warmUp || number == days - 1
      if isTold { say("soak: day \(number): \(sample)") }
      last = sample
      if number >= warmUp { course.add(sample) }
    }
    let seconds = (ContinuousClock.now - begin).components.seconds
    say("soak: \(days) days and \(rings) rings in \(seconds) s")
    return course.judge() + growth(household.copies)
  }

  /// Whether the store grew once its record was as long as it may be; by weeks.
  private static func growth(_ copies: [Int]) -> [String] {
    guard copies.count > 3, let last = copies.last else { return [] }
    say("soak: copies of the store, by weeks: \(copies.map { $0 / 1_024 }) KiB")
    let most = copies[2] + (64 << 10)
    return last > most ? ["the store grew from \(copies[2]) to \(last) bytes"] : []
  }

  private static func said(_ household: Household) -> String {
    "the service said: \(household.log.withLock { $0 }.joined(separator: " | "))"
  }
}

/// Prints a line at once, also into a file.
func say(_ text: String) {
  print(text)
  fflush(nil)
}
