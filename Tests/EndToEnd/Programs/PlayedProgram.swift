import Foundation
import Glibc
import ProcessTesting
import Testing

/// The program of Tests/TestProgram in a place: told what to do line by line, and read the same way.
final class PlayedProgram {
  let program: Program
  /// What it wrote and nobody has asked for yet.
  private(set) var seen: [String] = []
  /// How it said last that it sees its alarms.
  private var sight = ""

  /// Starts it: its alarms are kept under the name, and where it is holding, its intents wait for `go`.
  ///
  /// `kept` is where its alarms are: with the daemon, or what else TOCSIN_ALARMKIT can say.
  init(
    _ place: Place,
    _ name: String = "tea",
    isHolding: Bool = false,
    kept: String = "daemon"
  ) throws {
    program = try place.start(
      ["test-program"],
      input: .pipe,
      [
        "TOCSIN_ALARMKIT": kept, "TOCSIN_APPLICATION": name, "HOLD": isHolding ? "1" : nil,
      ]
    )
  }

  /// Tells it to do something, and returns what it says to that.
  @discardableResult
  func tell(_ words: String...) throws -> String {
    try program.write(words.joined(separator: " ") + "\n")
    return try line { $0.hasPrefix("ok \(words[0])") || $0.hasPrefix("failed \(words[0])") }
  }

  /// The first line that is as wanted, also among those that came while another was waited for.
  @discardableResult
  func line(where isWanted: (String) -> Bool) throws -> String {
    if let index = seen.firstIndex(where: isWanted) { return seen.remove(at: index) }
    while true {
      let line = try next()
      if isWanted(line) { return line }
      seen.append(line)
    }
  }

  private func next() throws -> String {
    do {
      guard let line = try program.output.line() else {
        throw Failure("it ended: \(try program.errors.rest())")
      }
      if line.hasPrefix("alarms") { sight = line }
      return line
    } catch {
      throw Failure("\(error); it sees \(sight), and said before: \(seen)")
    }
  }

  /// A line with that beginning.
  @discardableResult
  func line(_ beginning: String) throws -> String { try line { $0.hasPrefix(beginning) } }

  /// Waits until it sees its alarms so: `UUID=state`, none for none.
  func sees(_ alarms: String...) throws {
    let wanted = (["alarms"] + alarms.sorted()).joined(separator: " ")
    while sight != wanted { seen.append(try next()) }
  }

  /// Sets a timer, whose button is that of the word, and waits until it rings.
  func ringing(_ word: String, after seconds: Double = 0.05) throws -> String {
    let id = UUID().uuidString
    #expect(try tell("timer", id, "\(seconds)", word) == "ok timer \(id)")
    try sees("\(id)=alerting")
    return id
  }
}
