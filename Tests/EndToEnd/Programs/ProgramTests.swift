import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinModel

/// Programs that import AlarmKit, as processes beside a daemon.
@Suite("Programs", .timeLimit(.minutes(10)))
struct ProgramTests {
  @Test("two programs at one daemon see, and touch, only their own alarms")
  func twoPrograms() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      let tea = try PlayedProgram(place, "tea")
      let egg = try PlayedProgram(place, "egg")
      let mine = UUID().uuidString
      let theirs = UUID().uuidString
      try tea.sees()
      try egg.sees()
      #expect(try tea.tell("timer", mine, "3000", "stop") == "ok timer \(mine)")
      #expect(try egg.tell("timer", theirs, "3000", "stop") == "ok timer \(theirs)")
      #expect(try tea.tell("list") == "ok list \(mine)")
      #expect(try egg.tell("list") == "ok list \(theirs)")
      for word in ["stop", "cancel", "countdown"] {
        #expect(try egg.tell(word, mine) == "failed \(word) unknownAlarm")
      }
      // And not even the identity of the other's can be had.
      #expect(try egg.tell("timer", mine, "3000", "stop") == "failed timer duplicateID")
      #expect(Set(try place.alarms().map(\.alarm.options.application)) == ["tea", "egg"])
      #expect(try tea.tell("cancel", mine) == "ok cancel \(mine)")
      try tea.sees()
      #expect(try egg.tell("list") == "ok list \(theirs)")
      #expect(
        !egg.seen.contains { $0.contains(mine) } && !tea.seen.contains { $0.contains(theirs) }
      )
      #expect(daemon.isRunning)
    }
  }

  @Test("an alarm outlives its program, and its intent waits for it")
  func outlives() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      let events = try EventStream(place)
      let first = try PlayedProgram(place)
      let id = UUID().uuidString
      try first.tell("timer", id, "0.3", "stop")
      try first.program.crash()
      let alert = try events.presentation(.alerting)
      #expect(alert.alarm.description == id.lowercased())
      try place.done("stop")
      let second = try PlayedProgram(place)
      try second.line("begin stop \(id)")
      try second.line("end stop \(id)")
      #expect(try second.tell("list") == "ok list ")
      #expect(daemon.isRunning)
    }
  }

  @Test("without a daemon one program is it for the other, which takes over when it is killed")
  func takesOver() async throws {
    try await waiting {
      let place = try Place()
      let tea = try PlayedProgram(place, "tea", kept: "automatic")
      let mine = UUID().uuidString
      #expect(try tea.tell("timer", mine, "3000", "stop") == "ok timer \(mine)")
      let egg = try PlayedProgram(place, "egg", kept: "automatic")
      let theirs = UUID().uuidString
      #expect(try egg.tell("timer", theirs, "1", "stop") == "ok timer \(theirs)")
      // Both are in one service, which the command reaches too.
      #expect(try Set(place.alarms().map(\.alarm.options.application)) == ["tea", "egg"])
      try tea.program.crash()
      try egg.sees("\(theirs)=alerting")
      try place.press(.stop, theirs)
      try egg.line("end stop \(theirs)")
      let again = try PlayedProgram(place, "tea", kept: "automatic")
      #expect(try again.tell("list") == "ok list \(mine)")
      // Who ends as it should takes nobody's alarms along.
      egg.program.close(0)
      #expect(try egg.program.exitCode() == 0)
      try again.tell("cancel", mine)
      try again.sees()
    }
  }

  @Test("killed while its intent runs, it runs it again, to the end and no more")
  func killedInIntent() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      for word in ["stop", "snooze", "custom"] {
        let first = try PlayedProgram(place, isHolding: true)
        let id = try first.ringing(word)
        try place.press(word == "stop" ? .stop : .secondary, id)
        try first.line("begin \(word) \(id)")
        try first.program.crash()
        let second = try PlayedProgram(place)
        try second.line("begin \(word) \(id)")
        try second.line("end \(word) \(id)")
        #expect(try place.performed(id) == 1)
        second.program.close(0)
        #expect(try second.program.exitCode() == 0)
        let third = try PlayedProgram(place)
        #expect(try third.tell("list") == (word == "snooze" ? "ok list \(id)" : "ok list "))
        #expect(!third.seen.contains { $0.hasPrefix("begin") })
        if word == "snooze" { try third.tell("cancel", id) }
      }
      #expect(daemon.isRunning)
    }
  }
}
