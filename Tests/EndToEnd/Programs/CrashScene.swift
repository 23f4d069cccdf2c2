import Foundation
import ProcessTesting
import TocsinClient
import TocsinModel
import TocsinTime

/// A daemon, and a program whose alarm rings and whose intent waits for `go` before it ends.
struct CrashScene {
  let place: Place
  var daemon: Program
  let program: PlayedProgram
  /// Which button the alarm has: `stop`, `snooze` or `custom`.
  let word: String
  let id: String

  init(_ word: String) throws {
    place = try Place()
    daemon = try place.daemon()
    program = try PlayedProgram(place, isHolding: true)
    self.word = word
    id = try program.ringing(word)
  }

  /// Kills the daemon, and starts it again.
  mutating func restart() throws {
    try daemon.crash()
    daemon = try place.daemon()
  }

  /// What a press of the button asks for.
  var action: AlarmAction { word == "stop" ? .stop : .secondary }

  /// Presses the button, as a person at another program does.
  func answer() throws { try place.press(action, id) }

  var begin: String { "begin \(word) \(id)" }

  /// Lets the intent go on, and waits for its end and for how the program then sees its alarm.
  func finish() throws {
    try program.tell("go")
    try program.line("end \(word) \(id)")
    if word == "snooze" { try program.sees("\(id)=countdown") } else { try program.sees() }
  }
}

extension Place {
  /// Answers an alarm, as a person at another program does.
  func press(_ action: AlarmAction, _ id: String) throws {
    try connect().request(.intent(Intent(action, .named(id.lowercased()))), within: patience)
  }

  /// How often the record says that an intent of the alarm has run; waits until it says so at all.
  func performed(_ id: String) throws -> Int {
    let end = now() + patience
    let filter = Request.HistoryFilter(alarm: AlarmID(id.lowercased()), events: [.performed])
    let connection = try connect()
    var entries: [HistoryEntry] = []
    // The program says so after its intent has ended, and nobody else is told.
    while entries.isEmpty, now() < end {
      try connection.request(.history(filter), within: patience) { reply in
        if case .entry(_, let entry) = reply { entries.append(entry) }
      }
    }
    if let failure = entries.compactMap(\.detail).first { throw Failure("it failed: \(failure)") }
    return entries.count
  }
}
