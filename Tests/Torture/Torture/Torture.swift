import Foundation
import Glibc
import ProcessTesting
import Synchronization

/// Round after round: a daemon under random requests, struck at random, started again and looked at.
enum Torture {
  /// Reads the arguments, plays the rounds on all cores, and says what became of them; the exit code.
  static func run(_ arguments: [String]) -> Int32 {
    let options: Options
    do {
      options = try Options(arguments)
    } catch {
      complain("\(error)\n\(Options.usage)")
      return 64
    }
    say("seed \(options.seed), \(options.rounds.count) rounds")
    let results = Mutex(Tally())
    DispatchQueue.concurrentPerform(iterations: options.jobs) { job in
      for number in options.rounds where number % options.jobs == job {
        // One fault may make all others fail too.
        guard results.withLock({ $0.failures < 5 }) else { return }
        play(number, options, results)
      }
    }
    let tally = results.withLock { $0 }
    say(tally.description)
    return tally.failures == 0 && tally.rounds == options.rounds.count ? 0 : 1
  }

  private static func play(_ number: Int, _ options: Options, _ results: borrowing Mutex<Tally>) {
    var round: Round?
    do {
      let played = try Round(number, options)
      round = played
      try played.play()
      let tally = played.tally
      results.withLock { $0.add(tally) }
    } catch {
      round?.keep()
      complain(
        """
        BROKEN in round \(number): \(error)
          \(round?.story.joined(separator: "\n  ") ?? "")
          what is left of it: \(round?.folder ?? "nothing")
          again: contrib/torture --seed \(options.seed) --round \(number)
        """
      )
      results.withLock { $0.failures += 1 }
    }
  }

  static func say(_ text: String) { print(text) }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

/// What was played and seen.
struct Tally: CustomStringConvertible, Sendable {
  var rounds = 0
  var failures = 0
  var cycles = 0
  var requests = 0
  var acknowledged = 0
  var refused = 0
  /// Cycles in which something was struck, by what it was.
  var struck: [String: Int] = [:]
  var rings = 0
  var recoveries = 0

  mutating func add(_ other: Tally) {
    rounds += other.rounds
    cycles += other.cycles
    requests += other.requests
    acknowledged += other.acknowledged
    refused += other.refused
    rings += other.rings
    recoveries += other.recoveries
    struck.merge(other.struck) { $0 + $1 }
  }

  var description: String {
    let kinds = struck.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
    return """
      \(rounds) rounds were well, \(failures) were not: \(cycles) daemons ended and started again
      \(requests) requests, \(acknowledged) acknowledged, \(refused) refused; \(rings) rings seen
      \(recoveries) times the store's backup or a new store took its place
      struck while it ran:
      \(kinds.joined(separator: "\n"))
      """
  }
}
