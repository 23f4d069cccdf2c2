import Foundation
import ProcessTesting
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinCommand

private let tea = status(0x1b4e_0000, "Tea", .countdown) {
  $0.alarm.countdown.preAlert = 600
  $0.next = instant("2026-11-30T22:28:00Z")
  $0.countdown = Presentation.Countdown(
    start: instant("2026-11-30T22:18:00Z"),
    fire: $0.next,
    total: 600,
    elapsed: 0,
    snooze: false
  )
}

private let ringing = status(0x2000_0000, "Wake up", .alerting) {
  $0.due = instant("2026-11-30T22:17:00Z")
  $0.occurrence = OccurrenceID(alarm: $0.alarm.id, origin: Instant(seconds: 1), serial: 0)
}

private let snoozed = status(0x3000_0000, "Nap", .countdown) {
  $0.occurrence = OccurrenceID(alarm: $0.alarm.id, origin: Instant(seconds: 2), serial: 0)
  $0.countdown = Presentation.Countdown(
    start: nil,
    fire: instant("2026-11-30T22:20:00Z"),
    total: 540,
    elapsed: 0,
    snooze: true
  )
}

/// A daemon with the three alarms above, that knows "Tea" alone by name.
private func daemon() throws -> FakeDaemon {
  try FakeDaemon { request, client in
    let id = request.id
    switch request.body {
    case .list:
      for status in [ringing, snoozed, tea] { client.send(Reply.alarm(id: id, status)) }
      client.send(Reply.ok(id: id, Reply.Outcome(count: 3)))
    case .show("Tea"):
      client.send(Reply.alarm(id: id, tea))
      client.send(Reply.ok(id: id, Reply.Outcome(count: 1)))
    case .show(let name):
      client.send(Reply.error(id: id, ServiceError(.notFound, "no alarm is called \"\(name)\"")))
    case .next:
      client.send(Reply.ok(id: id, Reply.Outcome(count: 0)))
    case .history:
      client.send(
        Reply.entry(
          id: id,
          HistoryEntry(
            at: instant("2026-11-30T22:00:00Z"),
            alarm: tea.alarm.id,
            occurrence: nil,
            title: "Tea",
            event: .missed,
            due: instant("2026-11-30T21:00:00Z"),
            source: "cli",
            detail: "late"
          )
        )
      )
      client.send(Reply.ok(id: id, Reply.Outcome(count: 1)))
    case .intent(let intent):
      if intent.target == .named("Milk") {
        client.send(Reply.error(id: id, ServiceError(.notFound, "no alarm is called \"Milk\"")))
      } else if intent.action == .pause {
        client.send(Reply.alarm(id: id, tea))
        client.send(Reply.ok(id: id, Reply.Outcome(count: 1)))
      } else {
        client.send(Reply.ok(id: id, Reply.Outcome(count: 1, warning: "no sink is audible")))
      }
    case .schedule(let alarm):
      var status = AlarmStatus(alarm: alarm, state: .scheduled)
      status.next = instant("2026-12-01T06:30:00Z")
      status.note = "told by the daemon"
      client.send(Reply.alarm(id: id, status))
      client.send(Reply.ok(id: id, Reply.Outcome(count: 1)))
    case .update(let alarm):
      client.send(Reply.alarm(id: id, AlarmStatus(alarm: alarm, state: .scheduled)))
      client.send(Reply.ok(id: id, Reply.Outcome(count: 1)))
    case .subscribe:
      client.send(Reply.ok(id: id, Reply.Outcome()))
      client.send(SinkMessage.sync([]))
      client.send(SinkMessage.ping)
      client.send(
        SinkMessage.cleared(
          SinkMessage.Cleared(
            seq: 1,
            occurrence: OccurrenceID(alarm: tea.alarm.id, origin: Instant(seconds: 1), serial: 0),
            title: "Tea",
            reason: .stopped,
            source: "gpio"
          )
        )
      )
      client.send(SinkMessage.bye)
    default:
      client.send(Reply.error(id: id, ServiceError(.busy, "too much at once")))
    }
  }
}

@Suite("With a daemon", .timeLimit(.minutes(10)))
struct DaemonTests {
  private let page = Page()

  private func run(_ words: String..., at daemon: FakeDaemon, answer: String? = nil) -> Int32 {
    page.run(words, environment: ["TOCSIN_SOCKET": daemon.path], answer: answer)
  }

  private func intents(_ daemon: FakeDaemon) -> [Intent] {
    daemon.requests.compactMap { if case .intent(let intent) = $0.body { intent } else { nil } }
  }

  @Test("an alarm is handed over, and the daemon's answer is what is told")
  func schedule() throws {
    let daemon = try daemon()
    #expect(run("alarm", "7:30", "Wake up", "--on", "weekdays", at: daemon) == 0)
    #expect(
      page.out
        == "Wake up: Tue 1 Dec 07:30 (in 8 h 12 min), then every weekday; told by the daemon\n"
    )
    guard case .schedule(let alarm) = daemon.requests.last?.body else {
      Issue.record("nothing was scheduled")
      return
    }
    #expect(alarm.title == "Wake up")
  }

  @Test("a list, the next of none, and the record")
  func asking() throws {
    let daemon = try daemon()
    #expect(run("list", at: daemon) == 0)
    #expect(page.out.split(separator: "\n").count == 3)
    #expect(run("list", "--json", at: daemon) == 0)
    let document = try JSONDecoder().decode(Document.self, from: Data(page.out.utf8))
    #expect(document.alarms == [ringing, snoozed, tea])
    #expect(run("next", "--json", at: daemon) == 0)
    #expect(page.out == "{\"schema\":1,\"alarm\":null}\n")
    #expect(run("next", at: daemon) == 0)
    #expect(page.out.isEmpty)
    #expect(run("history", "Tea", "--missed", "-n", "5", at: daemon) == 0)
    #expect(
      page.out
        == "2026-11-30T22:00:00.000Z\tmissed\tTea\t2026-11-30T21:00:00.000Z\tcli\tlate\n"
    )
    guard case .history(let filter) = daemon.requests.last?.body else { return }
    #expect(
      filter
        == Request.HistoryFilter(
          alarm: tea.alarm.id,
          events: [.missed, .unanswered, .unheard],
          limit: 5
        )
    )
    #expect(run("ids", at: daemon) == 0)
    #expect(page.out == "2000\tWake up\n3000\tNap\n1b4e\tTea\n")
  }

  @Test("no name means the only one, and several names are several requests")
  func names() throws {
    let daemon = try daemon()
    #expect(run("stop", at: daemon) == 0)
    #expect(page.out == "1 alarm stopped\n")
    #expect(page.err == "tocsin: no sink is audible\n")
    #expect(run("snooze", "Tea", "--for", "5m", at: daemon) == 0)
    #expect(run("extend", "Tea", "Nap", "-30s", at: daemon) == 0)
    #expect(run("skip", "--undo", at: daemon) == 0)
    #expect(page.out == "1 alarm no longer skipped\n")
    #expect(
      intents(daemon) == [
        Intent(.stop, .only), Intent(.snooze, .named("Tea"), duration: 300),
        Intent(.extend, .named("Tea"), duration: -30),
        Intent(.extend, .named("Nap"), duration: -30),
        Intent(.skip, .only, undo: true),
      ]
    )
  }

  @Test("one name that fails keeps no other from being done, and gives the exit code")
  func partly() throws {
    let daemon = try daemon()
    #expect(run("pause", "Milk", "Tea", at: daemon) == 1)
    #expect(page.out == "Tea: paused, counting down\n")
    #expect(page.err == "tocsin: no alarm is called \"Milk\"\n")
    #expect(run("pause", "Milk", at: daemon) == 1)
    #expect(page.err == "tocsin: no alarm is called \"Milk\"\n")
    #expect(run("pause", "Milk", "--json", at: daemon) == 1)
    #expect(page.out.contains("\"code\":\"notFound\""))
    #expect(run("reload", at: daemon) == 75)
    #expect(run("pause", "Tea", "--json", at: daemon) == 0)
    let document = try JSONDecoder().decode(Document.self, from: Data(page.out.utf8))
    #expect(document.alarms == [tea])
  }

  @Test("stop --all stops what rings and snoozes, snooze --all what rings, by their occurrences")
  func all() throws {
    let daemon = try daemon()
    #expect(run("stop", "--all", at: daemon) == 0)
    #expect(run("snooze", "--all", at: daemon) == 0)
    #expect(run("resume", "--all", at: daemon) == 0)
    let ids = [ringing, snoozed].compactMap(\.occurrence)
    #expect(
      intents(daemon) == [
        Intent(.stop, .occurrence(ids[0])), Intent(.stop, .occurrence(ids[1])),
        Intent(.snooze, .occurrence(ids[0])), Intent(.resume, .all),
      ]
    )
    #expect(run("stop", "Tea", "--all", at: daemon) == 64)
  }

  @Test("cancel --all asks, and where nobody can be asked needs --yes")
  func cancelAll() throws {
    let daemon = try daemon()
    #expect(run("cancel", "--all", at: daemon) == 64)
    #expect(page.err.contains("--yes"))
    #expect(run("cancel", "--all", at: daemon, answer: "n") == 1)
    #expect(page.err.contains("Cancel all 3 alarms? [y/N] "))
    #expect(run("cancel", "--all", at: daemon, answer: "") == 1)
    #expect(intents(daemon).isEmpty)
    #expect(run("cancel", "--all", at: daemon, answer: "y") == 0)
    #expect(run("cancel", "--all", "--yes", at: daemon) == 0)
    #expect(intents(daemon) == [Intent(.cancel, .all), Intent(.cancel, .all)])
  }

  @Test("edit changes what is named and keeps the rest")
  func edit() throws {
    let daemon = try daemon()
    #expect(run("edit", "Tea", "--title", "Green tea", "--for", "3m", at: daemon) == 0)
    guard case .update(let alarm) = daemon.requests.last?.body else {
      Issue.record("nothing was updated")
      return
    }
    var expected = tea.alarm
    expected.title = "Green tea"
    expected.countdown.preAlert = 180
    #expect(alarm == expected)
    #expect(run("edit", "Tea", "--at", "7:00", at: daemon) == 64)
    #expect(run("edit", "Tea", at: daemon) == 64)
    #expect(run("edit", "Milk", "--title", "x", at: daemon) == 1)
  }

  @Test("watch prints events as they come, and ends when the daemon does")
  func watch() throws {
    let daemon = try daemon()
    let result = try Program.run(
      ["tocsin", "watch"],
      environment: ["TOCSIN_SOCKET": daemon.path]
    )
    #expect(result.code == 69)
    #expect(result.out.hasSuffix("  STOPPED   Tea by gpio\n"), "\(result.out)")
    #expect(run("watch", "--json", at: daemon) == 69)
    let lines = page.out.split(separator: "\n")
    #expect(lines.first == "{\"type\":\"sync\",\"presentations\":[]}")
    #expect(lines.count == 3)
    #expect(lines.dropFirst().first?.contains("\"type\":\"cleared\"") == true)
    #expect(lines.last?.contains("\"exit\":69") == true)
  }

  @Test("a file that is not there is told before anybody is asked")
  func files() throws {
    #expect(page.run("simulate", "/nowhere/week.txt") == 66)
    #expect(page.err.contains("/nowhere/week.txt: No such file"))
  }
}
