import Glibc
import Testing
import TocsinClient
import TocsinModel
import TocsinTime

/// Killed at the worst moment, and started again.
@Suite(.timeLimit(.minutes(10)))
struct CrashTests {
  @Test("killed before a timer ends and started after: it rings, late, under the same occurrence")
  func lateRing() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let first = try place.daemon()
      let events = try EventStream(place)
      try place.connect().request(.schedule(timer(1.5)))
      let counting = try events.presentation(.countdown)
      let fire = try #require(counting.countdown?.fire)
      try first.crash()
      #expect(now() < fire)
      wait(until: fire + .milliseconds(1_200))
      // Not one command is needed: the sink sees it as soon as the daemon is there.
      let second = try place.daemon(output: .pipe)
      let line = try second.output.line(with: "\"alerting\"")
      let message = try presentation(in: line)
      #expect(message.occurrence == counting.occurrence)
      #expect(message.due == counting.due)
      let late = try #require(message.late)
      #expect(late >= 1.2 && late < 10)
      #expect(try EventStream(place).sync().map(\.occurrence) == [counting.occurrence])
      try place.done("stop")
      #expect(try place.alarms().isEmpty)
      let history = try place.done("history", "--json")
      #expect(history.components("\"event\":\"fired\"") == 1)
    }
  }

  @Test("without any grace an alarm rings, as the daemon is there")
  func noGrace() async throws {
    try await waiting {
      let place = try Place("[daemon]\nlate-grace = 0s\n" + Place.console)
      let daemon = try place.daemon(output: .pipe)
      try place.connect().request(.schedule(timer(0.01)))
      #expect(try daemon.output.line(with: "\"alerting\"").contains("Tea"))
    }
  }

  @Test("an alarm due while no daemon ran and too late to ring is told as missed, once")
  func missed() async throws {
    try await waiting {
      let place = try Place("[daemon]\nlate-grace = 0s\n" + Place.console)
      let first = try place.daemon()
      let events = try EventStream(place)
      try place.connect().request(.schedule(timer(2)))
      let counting = try events.presentation(.countdown)
      try first.crash()
      wait(until: counting.due + .milliseconds(1_100))
      let second = try place.daemon(output: .pipe)
      let line = try second.output.line(with: "\"missed\"")
      #expect(line.contains("\"reason\":\"late\"") && line.contains("Tea"))
      #expect(try EventStream(place).sync().isEmpty)
      try second.crash()
      let third = try place.daemon(output: .pipe)
      #expect(try EventStream(place).sync().isEmpty)
      third.signal(SIGTERM)
      #expect(!(try third.output.rest().contains("missed")))
    }
  }

  @Test("killed while it rings: it rings on under the same occurrence, marked as resumed")
  func resumed() async throws {
    try await waiting {
      let place = try Place(Place.console)
      var daemon = try place.daemon(output: .pipe)
      try place.connect().request(.schedule(timer(0.01)))
      let first = try presentation(in: daemon.output.line(with: "\"alerting\""))
      #expect(first.resumed != true)
      // Presented first and recorded beside it: wait until it is recorded, by asking.
      #expect(try place.done("history", "--json").contains("fired"))
      for _ in 0..<2 {
        try daemon.crash()
        daemon = try place.daemon(output: .pipe)
        let again = try presentation(in: daemon.output.line(with: "\"alerting\""))
        #expect(again.occurrence == first.occurrence)
        #expect(again.resumed == true)
        #expect(again.fired == first.fired)
        #expect(try place.alarms().map(\.state) == [.alerting])
      }
      // What was known before the crash can still be answered by its name.
      try place.connect().request(.intent(Intent(.stop, .occurrence(first.occurrence))))
      #expect(try place.alarms().isEmpty)
    }
  }

  @Test("killed right after an acknowledged stop: nothing rings again")
  func stopped() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let first = try place.daemon()
      let events = try EventStream(place)
      let connection = try place.connect()
      try connection.request(.schedule(timer(0.01)))
      let ringing = try events.presentation(.alerting)
      try connection.request(.intent(Intent(.stop, .occurrence(ringing.occurrence))))
      try first.crash()
      let second = try place.daemon(output: .pipe)
      #expect(try EventStream(place).sync().isEmpty)
      #expect(try place.alarms().isEmpty)
      second.signal(SIGTERM)
      #expect(!(try second.output.rest().contains("alert")))
    }
  }

  @Test("killed right after an acknowledged snooze: its end is kept, and it rings then")
  func snoozed() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let first = try place.daemon()
      let events = try EventStream(place)
      let connection = try place.connect()
      try connection.request(.schedule(timer(0.01, snooze: 1)))
      let ringing = try events.presentation(.alerting)
      try connection.request(.intent(Intent(.snooze, .occurrence(ringing.occurrence))))
      try first.crash()
      let snoozed = try events.presentation(.countdown)
      #expect(snoozed.countdown?.snooze == true)
      let second = try place.daemon(output: .pipe)
      let again = try presentation(in: second.output.line(with: "\"alerting\""))
      #expect(again.occurrence == ringing.occurrence)
      #expect(again.snoozes == 1)
      #expect(again.due == snoozed.countdown?.fire)
      #expect(try #require(again.fired) >= again.due)
    }
  }

  @Test("killed right after an acknowledged schedule, cancel or skip: it is as was said")
  func acknowledged() async throws {
    try await waiting {
      let place = try Place()
      var daemon = try place.daemon()
      let id = "00000000-0000-0000-0000-00000000000a"
      try place.done("alarm", "7:30", "Wake up", "--on", "weekdays", "--id", id)
      try daemon.crash()
      daemon = try place.daemon()
      #expect(try place.alarms().map { "\($0.alarm.id)" } == [id])
      try place.done("skip", "Wake up")
      let skipped = try place.alarms()
      try daemon.crash()
      daemon = try place.daemon()
      #expect(try place.alarms() == skipped)
      #expect(skipped.first?.skips != nil)
      try place.done("cancel", id)
      try daemon.crash()
      daemon = try place.daemon()
      #expect(try place.alarms().isEmpty)
    }
  }

  @Test("twenty crashes move a deadline by nothing, and a restarted timer has its whole length")
  func steadyDeadline() async throws {
    try await waiting {
      let place = try Place()
      var daemon = try place.daemon()
      try place.connect().request(.schedule(timer(1_800.75, "Roast")))
      let before = try place.alarms()
      for _ in 0..<20 {
        try daemon.crash()
        daemon = try place.daemon()
      }
      #expect(try place.alarms().map(\.next) == before.map(\.next))
      try place.done("restart", "Roast")
      let total = try place.alarms().first?.countdown?.total
      #expect(total == 1_800.75)
    }
  }
}

extension String {
  /// How often the text stands in it.
  func components(_ text: String) -> Int { ranges(of: text).count }
}
