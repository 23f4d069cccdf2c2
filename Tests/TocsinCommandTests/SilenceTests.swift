import Testing
import TocsinModel
import TocsinTime

@testable import TocsinCommand

private func silence(_ number: Int, _ match: String) -> Silence {
  Silence(
    number: number,
    match: match,
    since: instant("2026-11-30T22:18:00Z"),
    until: instant("2026-12-01T00:18:00Z"),
    source: "cli"
  )
}

/// A daemon with two silences and three alarms, that takes every wish.
private func daemon() throws -> FakeDaemon {
  try FakeDaemon { request, client in
    let id = request.id
    switch request.body {
    case .silence(let match, _):
      client.send(Reply.silence(id: id, silence(3, match)))
    case .silences:
      client.send(Reply.silence(id: id, silence(1, "label:work")))
      client.send(Reply.silence(id: id, silence(2, "title:\"a\tb\"")))
    case .unsilence(number: 1):
      client.send(Reply.silence(id: id, silence(1, "label:work")))
    case .unsilence(number: 9):
      client.send(Reply.error(id: id, ServiceError(.notFound, "there is no silence 9")))
      return
    case .list:
      let tea = status(1, "Tea", .countdown) {
        $0.next = instant("2026-11-30T23:18:00Z")
        $0.alarm.options.labels = ["kitchen"]
        $0.alarm.countdown.preAlert = 3_600
      }
      let morning = Schedule.fixed(instant("2026-12-01T00:18:00Z"))
      let late = status(2, "Late", schedule: morning) {
        $0.next = instant("2026-12-01T00:18:00Z")
        $0.alarm.options.labels = ["kitchen"]
      }
      let rings = status(3, "Wake", .alerting, schedule: morning) {
        $0.alarm.options.labels = ["work"]
      }
      for status in [rings, tea, late] { client.send(Reply.alarm(id: id, status)) }
    default: break
    }
    client.send(Reply.ok(id: id, Reply.Outcome()))
  }
}

private struct Made: Equatable {
  var match: String
  var seconds: Double
}

@Suite("tocsin silence", .timeLimit(.minutes(10)))
struct SilenceTests {
  private let page = Page()

  private func run(_ words: String..., at daemon: FakeDaemon, terminal: Bool = false) -> Int32 {
    page.run(
      ["silence"] + words,
      environment: ["TOCSIN_SOCKET": daemon.path, "NO_COLOR": "1"],
      terminal: terminal
    )
  }

  private func made(_ daemon: FakeDaemon) -> [Made] {
    daemon.requests.compactMap {
      guard case .silence(let match, let seconds) = $0.body else { return nil }
      return Made(match: match, seconds: seconds)
    }
  }

  @Test(
    "says what is silenced, until when, and who is meant",
    arguments: [
      (["label:kitchen", "for", "2h"], "label:kitchen", 7_200, "Tea (Tue 1 Dec 00:18)"),
      (["all", "--for", "2h"], "all", 7_200, "Wake (rings now), Tea (Tue 1 Dec 00:18)"),
      (["kind:timer", "label:*", "for", "1h", "30m"], "kind:timer label:*", 5_400, "Tea"),
      (["kind:timer !label:x", "for", "2h"], "kind:timer !label:x", 7_200, "Tea"),
      (["title:Wake up", "--for=2h"], "title:\"Wake up\"", 7_200, nil),
    ] as [([String], String, Double, String?)]
  )
  func makes(words: [String], match: String, seconds: Double, meant: String?) throws {
    let daemon = try daemon()
    let code = page.run(["silence"] + words, environment: ["TOCSIN_SOCKET": daemon.path])
    #expect(code == 0, "\(page.err)")
    #expect(made(daemon) == [Made(match: match, seconds: seconds)])
    let lines = page.out.split(separator: "\n")
    #expect(
      lines.first == """
        \(match): silenced until Tue 1 Dec 01:18 (in 2 h), end it with: tocsin silence end 3
        """
    )
    #expect(lines.count == 2)
    if let meant {
      #expect(lines.last?.hasPrefix("nobody will present: \(meant)") == true, "\(page.out)")
      #expect(lines.last?.contains("Late") == false)
    } else {
      #expect(lines.last == "no alarm that is set now rings in that time")
    }
  }

  @Test("alone lists what stands")
  func lists() throws {
    let daemon = try daemon()
    #expect(run(at: daemon, terminal: true) == 0)
    #expect(
      page.out == """
        NUMBER  SILENCED     UNTIL            LEFT  BY
        1       label:work   Tue 1 Dec 01:18  2 h   cli
        2       title:"a b"  Tue 1 Dec 01:18  2 h   cli

        """
    )
    #expect(run(at: daemon) == 0)
    #expect(
      page.out.split(separator: "\n").first
        == "1\tlabel:work\t2026-12-01T00:18:00.000Z\t7200\tcli"
    )
    #expect(run("--json", at: daemon) == 0)
    #expect(
      page.out.hasPrefix("{\"schema\":1,\"silences\":[{\"number\":1,\"match\":\"label:work\"")
    )
    #expect(run("all", "for", "2h", "--json", at: daemon) == 0)
    #expect(page.out.hasPrefix("{\"schema\":1,\"silences\":[{\"number\":3,\"match\":\"all\""))
  }

  @Test("ends by number, or all")
  func ends() throws {
    let daemon = try daemon()
    #expect(run("end", "1", at: daemon) == 0)
    #expect(page.out == "label:work: no longer silenced\n")
    #expect(run("end", "--all", at: daemon) == 0)
    #expect(page.out == "all silences are over\n")
    #expect(run("end", "9", at: daemon) == 1)
    #expect(page.err == "tocsin: there is no silence 9\n")
    let ended = daemon.requests.compactMap { request -> Int?? in
      if case .unsilence(let number) = request.body { .some(number) } else { nil }
    }
    #expect(ended == [1, nil, 9])
  }

  @Test(
    "what cannot be meant is told before anybody is asked",
    arguments: [
      (["label:work"], 64, "say for how long: tocsin silence label:work for 2h"),
      (["for", "2h"], 64, "say what is to be silent"),
      (["--for", "2h"], 64, "say what is to be silent"),
      (["work", "for", "2h"], 64, "work is no term, write such as kind:alarm or label:work"),
      (["knid:timer", "for", "2h"], 64, "unknown term knid, did you mean kind?"),
      (["all", "for"], 64, "for needs a length"),
      (["all", "for", "2h", "--for", "3h"], 64, "it says for how long twice"),
      (["all", "for", "ever"], 65, "ever"), (["all", "for", "0s"], 65, "0s"),
      (["all", "for", "2"], 65, "2 is a number without a unit"),
      (["end"], 64, "say which"), (["end", "one"], 64, "\"one\" is no number of a silence"),
      (["end", "1", "--all"], 64, "--all means every silence"),
      (["all", "--all"], 64, "write tocsin silence end --all"),
      (["end", "1", "--for", "2h"], 64, "silence end takes no length"),
    ] as [([String], Int32, String)]
  )
  func refused(words: [String], exit: Int32, sentence: String) {
    #expect(page.run(["silence"] + words) == exit)
    #expect(page.err.contains(sentence), "\(page.err)")
    #expect(page.out.isEmpty)
  }
}
