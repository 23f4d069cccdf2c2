import Foundation
import Testing
import TocsinClient
import TocsinModel

/// The daemon is killed at each point of an answer, and started again; the program stays.
@Suite("Programs whose daemon dies", .timeLimit(.minutes(10)))
struct ProgramCrashTests {
  static let words = ["stop", "snooze", "custom"]

  @Test("before the answer: the program is told of it, and its intent runs", arguments: words)
  func before(word: String) async throws {
    try await waiting {
      var scene = try CrashScene(word)
      try scene.restart()
      try scene.answer()
      try scene.program.line(scene.begin)
      try scene.finish()
      #expect(try scene.place.performed(scene.id) == 1)
    }
  }

  @Test("with the answer under way: it counts wholly or not at all", arguments: words)
  func during(word: String) async throws {
    try await waiting {
      var scene = try CrashScene(word)
      // Sent, and not waited for.
      let intent = Intent(scene.action, .named(scene.id.lowercased()))
      try scene.place.connect().send(.intent(intent))
      try scene.restart()
      // A button of the program's own leaves it ringing, so nobody can tell: pressed once more.
      let rings = try scene.place.alarms().contains { $0.state == .alerting }
      if rings { try scene.answer() }
      try scene.program.line(scene.begin)
      try scene.finish()
      #expect(try (1...2).contains(scene.place.performed(scene.id)))
    }
  }

  @Test("while the intent runs: it ends, once, and what it asks for is done", arguments: words)
  func inIntent(word: String) async throws {
    try await waiting {
      var scene = try CrashScene(word)
      try scene.answer()
      try scene.program.line(scene.begin)
      try scene.restart()
      try scene.finish()
      #expect(try scene.place.performed(scene.id) == 1)
      #expect(!scene.program.seen.contains(scene.begin))
    }
  }

  @Test("while the intent runs, and it ends before the daemon is back", arguments: words)
  func away(word: String) async throws {
    try await waiting {
      var scene = try CrashScene(word)
      try scene.answer()
      try scene.program.line(scene.begin)
      try scene.daemon.crash()
      try scene.program.tell("go")
      scene.daemon = try scene.place.daemon()
      try scene.finish()
      #expect(try scene.place.performed(scene.id) == 1)
      #expect(!scene.program.seen.contains(scene.begin))
    }
  }

  @Test("after all is done: nothing runs again, and the program goes on", arguments: words)
  func after(word: String) async throws {
    try await waiting {
      var scene = try CrashScene(word)
      try scene.answer()
      try scene.program.line(scene.begin)
      try scene.finish()
      #expect(try scene.place.performed(scene.id) == 1)
      try scene.restart()
      // Only the daemon that runs now can have taken it.
      let other = UUID().uuidString
      #expect(try scene.program.tell("timer", other, "3000", "stop") == "ok timer \(other)")
      #expect(try scene.place.performed(scene.id) == 1)
      #expect(!scene.program.seen.contains(scene.begin))
    }
  }

  @Test("a program's own sink is told again what is presented, and its press counts")
  func sink() async throws {
    try await waiting {
      let place = try Place()
      var daemon = try place.daemon()
      let program = try PlayedProgram(place)
      let other = try PlayedProgram(place, "other")
      for each in [program, other] { try each.tell("attach") }
      let id = UUID().uuidString
      try program.tell("timer", id, "0.3", "custom")
      try program.line("present \(id) countdown custom")
      #expect(try program.line("present \(id) alert custom").contains("stop,secondary"))
      try daemon.crash()
      // Kept until there is somebody to hear it.
      try program.tell("press", id, "secondary")
      daemon = try place.daemon()
      try program.line("begin custom \(id)")
      try program.line("end custom \(id)")
      try program.line("clear \(id) stopped")
      #expect(try place.performed(id) == 1)
      #expect(try place.run(["tocsin", "sinks"]).out.contains("test sink"))
      #expect(try other.tell("list") == "ok list ")
      #expect(!other.seen.contains { $0.hasPrefix("present") })
      #expect(daemon.isRunning)
    }
  }
}
