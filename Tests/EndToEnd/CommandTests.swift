import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel
import TocsinTime

/// The command as scripts use it: exit codes, forms of output, large answers.
@Suite(.timeLimit(.minutes(10)))
struct CommandTests {
  struct Run: CustomTestStringConvertible, Sendable {
    var words: [String]
    var code: Int32
    /// What standard error says.
    var says: String

    init(_ words: String..., code: Int32, says: String) {
      self.words = words
      self.code = code
      self.says = says
    }

    var testDescription: String { words.joined(separator: " ") }
  }

  static let withDaemon = [
    Run("stop", "--all", code: 1, says: "nothing rings"),
    Run("show", "Milk", code: 1, says: "Milk"),
    Run("cancel", "Milk", code: 1, says: "Milk"),
    Run("snooze", "Roast", code: 1, says: "does not ring"),
    Run(
      "timer",
      "1h",
      "Again",
      "--id",
      "00000000-0000-0000-0000-00000000000a",
      code: 1,
      says: "already"
    ),
    Run("tmier", "1h", code: 64, says: "did you mean tocsin timer"),
    Run("timer", code: 64, says: "timer"),
    Run("timer", "1h", "--volume", "loud", code: 64, says: "--volume"),
    Run("cancel", "--all", code: 64, says: "--yes"),
    Run("alarm", "25:00", code: 65, says: "25:00"),
    Run("alarm", "soon", code: 65, says: "soon"),
    Run("timer", "10", "Tea", code: 65, says: "10"),
    Run("alarm", "2001-01-01 7:00", code: 65, says: "2001"),
    Run("alarm", "7:30", "--tz", "Europe/Berlim", code: 65, says: "did you mean Europe/Berlin"),
    Run("simulate", "/nowhere/week.txt", code: 66, says: "/nowhere/week.txt"),
    Run("timer", "1h", "Two", code: 75, says: "limit"),
  ]

  @Test(
    "with a daemon: what cannot be done has its exit code and a sentence",
    arguments: withDaemon
  )
  func exitCodes(_ run: Run) async throws {
    try await waiting {
      let place = try Place("[daemon]\nalarm-limit = 1\n")
      let daemon = try place.daemon()
      try place.done("timer", "1h", "Roast", "--id", "00000000-0000-0000-0000-00000000000a")
      for words in [run.words, run.words + ["--json"]] {
        let result = try place.run(["tocsin"] + words)
        #expect(result.code == run.code)
        #expect(result.err.hasPrefix("tocsin: ") && result.err.contains(run.says), "\(result.err)")
        if words.last == "--json" {
          #expect(
            result.out.contains("\"schema\":1") && result.out.contains("\"exit\":\(run.code)")
          )
        } else {
          #expect(result.out.isEmpty)
        }
      }
      #expect(try place.alarms().map(\.alarm.title) == ["Roast"])
      #expect(daemon.isRunning)
    }
  }

  @Test("without a daemon: questions are answered from the store, actions say 69")
  func withoutDaemon() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      try place.done("timer", "1h", "Roast")
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode() == 0)
      for words in [["list"], ["next"], ["show", "Roast"], ["history"]] {
        let result = try place.run(["tocsin"] + words)
        #expect(result.code == 0 && result.out.contains("Roast"))
        #expect(result.err.contains("nothing will ring"))
      }
      for word in ["stop", "snooze", "pause", "watch", "status", "sinks", "reload"] {
        let result = try place.run(["tocsin", word])
        #expect(result.code == 69 && result.err.contains("tocsind"))
      }
      #expect(try place.done("config", "check").contains("is right"))
    }
  }

  @Test("a list in a pipe is values between tabs, whatever the title holds")
  func tabSeparated() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      try place.done("alarm", "2037-01-02T03:04:05Z", "a\tb\nc\u{1B}[31m")
      let list = try place.done("list")
      let rows = list.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(rows.count == 2 && rows[1].isEmpty)
      let cells = rows[0].split(separator: "\t", omittingEmptySubsequences: false)
      #expect(cells.count == 6)
      #expect(AlarmID(String(cells[0])) != nil)
      #expect(cells[1] == "2037-01-02T03:04:05.000Z")
      #expect(Int(cells[2]) != nil)
      #expect(cells[3] == "scheduled")
      #expect(!list.contains("\u{1B}"))
      #expect(daemon.isRunning)
    }
  }

  @Test("gaps and folds are told before they happen")
  func when() async throws {
    try await waiting {
      let place = try Place()
      let sunday = try place.done(
        "when",
        "sun 02:30",
        "--tz",
        "Europe/Berlin",
        "--from",
        "2027-03-27T12:00:00Z",
        "-n",
        "2",
        "--json"
      )
      #expect(instants(sunday) == ["2027-03-28T01:30:00.000Z", "2027-04-04T00:30:00.000Z"])
      #expect(sunday.contains("02:30 does not exist that day"))
      let daily = try place.done(
        "when",
        "daily 02:15",
        "--tz",
        "Australia/Lord_Howe",
        "--from",
        "2027-10-02T00:00:00Z",
        "-n",
        "1",
        "--json"
      )
      #expect(instants(daily) == ["2027-10-02T15:45:00.000Z"])
      let fold = try place.done(
        "when",
        "daily 02:30",
        "--tz",
        "Europe/Berlin",
        "--from",
        "2027-10-31T00:00:00Z",
        "-n",
        "2",
        "--json"
      )
      #expect(instants(fold) == ["2027-10-31T00:30:00.000Z", "2027-11-01T01:30:00.000Z"])
      #expect(try place.tocsin("when", "sometime").code == 65)
    }
  }

  @Test("a timeline plays on a virtual clock: zone, step, suspend, crash, doubtful clock")
  func simulate() async throws {
    try await waiting {
      let place = try Place()
      let timeline = """
        zone Europe/Berlin
        start 2027-03-27T20:00:00+01:00
        +0s     alarm "sun 06:00" Wake --id 00000000-0000-0000-0000-00000000000a
        +1h     zone Europe/London            # the machine moves
        +0s     step -1h                      # somebody sets the wall clock
        +10m    suspend 30m                   # asleep, then resumed
        +0s     down 2h                       # kill -9, then started again after 2 h
        +0s     unsynchronised                # and: synchronised
        +5m     stop
        end 2027-04-05T00:00:00Z
        """
      let path = try place.script("week.txt", timeline + "\n")
      let lines = try place.done("simulate", path).split(separator: "\n")
      let events = try lines.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      // Nothing rings when the stop comes, and then by London's clocks twice, the second a week on.
      #expect(events.first?["type"] as? String == "rejected")
      let rings = events.filter { $0["type"] as? String == "alert" && $0["snoozes"] as? Int == 0 }
      #expect(
        rings.map { $0["at"] as? String }
          == ["2027-03-28T05:00:00.000Z", "2027-04-04T05:00:00.000Z"]
      )
      #expect(rings.allSatisfy { $0["title"] as? String == "Wake" })
      let missed = events.filter { $0["type"] as? String == "missed" }
      #expect(missed.map { $0["reason"] as? String } == ["unanswered", "unanswered"])
      // The same again gives the same, and nothing of it is in the store.
      let again = try place.done("simulate", path).split(separator: "\n")
      for (one, other) in zip(lines, again) { #expect(one == other) }
      #expect(again.count == lines.count)
      #expect(access(place.store, F_OK) != 0)
      let bad = try place.script(
        "bad.txt",
        "start 2027-03-27T20:00:00Z\n+0s dance\nend 2027-03-28T20:00:00Z\n"
      )
      let refused = try place.tocsin("simulate", bad)
      #expect(refused.code == 65 && refused.err.contains("bad.txt:2:"))
    }
  }

  @Test("10,000 alarms: all are listed, answers are quick, and they survive a crash")
  func manyAlarms() async throws {
    try await waiting {
      let place = try Place()
      var daemon = try place.daemon()
      let connection = try place.connect()
      let later = now() + .seconds(86_400)
      var unanswered = 0
      for number in 0..<10_000 {
        let alarm = Alarm(
          id: newID(),
          title: "alarm \(number)",
          schedule: .fixed(later + .seconds(Int64(number)))
        )
        try connection.send(.schedule(alarm), within: patience)
        unanswered += 1
        while unanswered > 200 { try connection.takeOK(&unanswered) }
      }
      while unanswered > 0 { try connection.takeOK(&unanswered) }
      try daemon.crash()
      daemon = try place.daemon()
      let list = try place.done("list", "--json")
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: Any]
      )
      let titles = try #require(document["alarms"] as? [[String: Any]]).map {
        $0["title"] as? String ?? ""
      }
      #expect(titles == (0..<10_000).map { "alarm \($0)" })
      #expect(try place.done("list").split(separator: "\n").count == 10_000)
      #expect(try place.done("list", "--limit", "3").split(separator: "\n").count == 3)
      #expect(try place.tocsin("timer", "1h", "one more").code == 75)
      // The answer is larger than what the daemon keeps for one client, so it comes as it is read; who
      // reads nothing of it does not keep others waiting.
      let slow = try RawClient(place.socket)
      try slow.send(Array("{\"type\":\"list\",\"id\":\"1\"}\n".utf8))
      _ = try slow.lines.line()
      #expect(try place.connect().request(.status).status?.alarms == 10_000)
      #expect(try slow.lines.rest(until: "\"type\":\"ok\"") == 10_000)
    }
  }

  @Test("completions and the version need no daemon and no home")
  func standalone() async throws {
    try await waiting {
      let place = try Place()
      for shell in ["bash", "zsh", "fish"] {
        #expect(try place.done("completion", shell).contains("tocsin"))
      }
      #expect(try place.done("--version").hasPrefix("tocsin "))
      #expect(try place.run(["tocsind", "--version"]).out.hasPrefix("tocsind "))
      #expect(try place.run(["tocsin", "help"], ["HOME": nil, "XDG_STATE_HOME": nil]).code == 0)
    }
  }

  @Test("two commands at once both get their alarm in")
  func concurrent() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      let commands = try (0..<8).map { try place.start(["tocsin", "timer", "1h", "t\($0)"]) }
      for command in commands { #expect(try command.exitCode() == 0) }
      #expect(Set(try place.alarms().map(\.alarm.title)) == Set((0..<8).map { "t\($0)" }))
      #expect(daemon.isRunning)
    }
  }

  private func instants(_ document: String) -> [String?] {
    let object = try? JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any]
    let occurrences = object?["occurrences"] as? [[String: Any]]
    return occurrences?.map { $0["at"] as? String } ?? []
  }
}
