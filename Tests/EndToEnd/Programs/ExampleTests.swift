import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinModel

/// The programs of contrib/examples, as somebody tries them.
@Suite("Examples", .timeLimit(.minutes(10)))
struct ExampleTests {
  @Test("the kitchen timer does all its steps by itself, without anything set up")
  func kitchenTimer() async throws {
    try await waiting {
      let place = try Place()
      let result = try place.run(["example-kitchen-timer", "--for", "0.6"])
      #expect(result.code == 0, "\(result.out)\(result.err)")
      let steps = [
        "Eggs:", "> pause", "Eggs, paused:", "> resume", "Eggs:", "Eggs: done: rings", "> stop",
        "intent: Eggs", "no timer is left",
      ]
      var lines = result.out.split(separator: "\n")[...]
      for step in steps {
        let index = lines.firstIndex { $0.hasPrefix(step) }
        guard let index else {
          Issue.record("no \"\(step)\" after the steps before it: \(result.out)")
          break
        }
        lines = lines[(index + 1)...]
      }
      // Nothing is left behind.
      #expect(!FileManager.default.fileExists(atPath: place.store))
    }
  }

  @Test("on a terminal the kitchen timer takes keys, and sets the terminal back")
  func kitchenTimerKeys() async throws {
    try await waiting {
      let place = try Place()
      let terminal = try Terminal(
        ["example-kitchen-timer", "--for", "1h"],
        environment: place.environment
      )
      try terminal.screen.wait(for: "Enter stops")
      try terminal.screen.wait(for: "[Pause]")
      try terminal.type("p")
      try terminal.screen.wait(for: "[Resume]")
      try terminal.type("r")
      try terminal.screen.wait(for: "[Pause]")
      try terminal.type("\n")
      try terminal.screen.wait(for: "intent: Eggs")
      try terminal.screen.wait(for: "no timer is left")
      #expect(try terminal.program.exitCode() == 0)
      #expect(terminal.isRestored)
    }
  }

  @Test("the kitchen timer is one of the daemon's where that is wanted, and leaves nothing there")
  func kitchenTimerAtDaemon() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      let events = try EventStream(place)
      let program = try place.start(
        ["example-kitchen-timer", "--for", "0.6"],
        ["TOCSIN_ALARMKIT": "daemon"]
      )
      #expect(try events.presentation(.alerting).title == "Eggs: done")
      let cleared = try events.cleared()
      #expect(cleared.reason == .stopped && cleared.source == "kitchen display")
      #expect(try program.exitCode() == 0)
      #expect(try place.alarms().isEmpty)
      #expect(daemon.isRunning)
    }
  }

  @Test("the medicine's own button records the dose and ends the alarm")
  func medicine() async throws {
    try await waiting {
      let place = try Place()
      let result = try place.run(["example-medicine-reminder", "0.3"])
      #expect(result.code == 0, "\(result.out)\(result.err)")
      for line in ["Time for Ibuprofen, 1 tablet", "[Taken]", "recorded", "doses today: 1"] {
        #expect(result.out.contains(line), "\(result.out)")
      }
      #expect(!FileManager.default.fileExists(atPath: place.store))
    }
  }

  @Test("the widget draws the countdown and the alert from the state alone")
  func widget() async throws {
    try await waiting {
      let place = try Place()
      let result = try place.run(["example-terminal-widget", "0.3"])
      #expect(result.code == 0, "\(result.out)\(result.err)")
      let lines = result.out.split(separator: "\n")
      #expect(lines.count == 3 && lines[0].hasPrefix("Darjeeling  ") && lines[2] == "stopped")
      #expect(lines.first?.contains("░") == true)
      #expect(lines.count == 3 && lines[1].hasPrefix("Darjeeling is ready  █"))
      // Colours are for terminals.
      #expect(!result.out.contains("\u{1B}"))
    }
  }

  @Test("the wake-up alarm stays after its program, is found again, and can be deleted")
  func wakeUp() async throws {
    try await waiting {
      let place = try Place()
      let first = try place.run(["example-weekday-wake-up"])
      #expect(first.code == 0 && first.out.hasPrefix("it is set\n"), "\(first.out)\(first.err)")
      #expect(first.out.contains("Good morning: scheduled") && first.out.contains("--cancel"))
      let daemon = try place.daemon()
      let alarm = try #require(try place.alarms().first)
      #expect(alarm.alarm.options.application == "example-weekday-wake-up")
      #expect(alarm.alarm.countdown.postAlert == 540)
      let again = try place.run(["example-weekday-wake-up"])
      #expect(again.out.hasPrefix("it is set already\n"), "\(again.out)\(again.err)")
      #expect(try place.run(["example-weekday-wake-up", "--list"]).out.contains("Good morning"))
      #expect(try place.run(["example-weekday-wake-up", "--cancel"]).code == 0)
      #expect(try place.alarms().isEmpty)
      let gone = try place.run(["example-weekday-wake-up", "--cancel"])
      #expect(gone.code == 1 && !gone.out.isEmpty)
      #expect(try place.run(["example-weekday-wake-up", "--snooze"]).code == 64)
      #expect(daemon.isRunning)
    }
  }
}
