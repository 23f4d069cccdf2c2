import Foundation
import Testing

@Suite("The format of timelines")
struct FormatTests {
  private static let start = "start 2027-06-07T06:00:00Z"

  @Test(
    "What cannot be played ends with the file, the line and the reason",
    arguments: [
      ("", "week.txt:1: there is no start line"),
      ("# only a comment\n", "week.txt:1: there is no start line"),
      ("+0s stop\n", "week.txt:1: before the first line stands: start"),
      ("start tomorrow\n", "week.txt:1: start needs an RFC 3339 time: tomorrow"),
      ("zone Mars/Olympus\nSTART\n", "week.txt:1: unknown time zone \"Mars/Olympus\""),
      ("\n\nzone Europe/Berln\nSTART\n", "week.txt:3: unknown time zone \"Europe/Berln\"; did"),
      ("set snoze 5min\nSTART\n", "week.txt:1: unknown key snoze, did you mean snooze?"),
      ("set snooze lots\nSTART\n", "week.txt:1: snooze: "),
      ("START\nstop\n", "week.txt:2: a line begins with a time"),
      ("START\n+soon stop\n", "week.txt:2: "),
      ("START\n+1h\n", "week.txt:2: what happens then?"),
      ("START\n+1h dance\n", "week.txt:2: there is no command dance"),
      ("START\n+1h snoze\n", "week.txt:2: there is no command snoze; did you mean snooze?"),
      ("START\n+1h list\n", "week.txt:2: list changes nothing"),
      ("START\n+1h alarm\n", "week.txt:2: "),
      ("START\n+1h alarm 7:00 --loud\n", "week.txt:2: "),
      ("START\n+1h alarm \"7:00\n", "week.txt:2: a quotation mark is not closed"),
      ("START\n+1h stop \\\n", "week.txt:2: a quotation mark is not closed, or a backslash"),
      ("START\n+1h suspend\n", "week.txt:2: suspend needs a value"),
      ("START\n+1h suspend -5m\n", "week.txt:2: "),
      ("START\n+1h step\n", "week.txt:2: step needs a value"),
      ("START\n+1h zone Mars/Olympus\n", "week.txt:2: unknown time zone"),
      ("START\n+1h set ring-for 0\n", "week.txt:2: ring-for: "),
      ("START\n2027-06-07T05:59:59Z stop\n", "week.txt:2: this time is over: the clock shows"),
      ("START\n+0s step 2h\n2027-06-07T07:00:00Z stop\n", "week.txt:3: this time is over"),
      ("START\nend 2027-06-07T05:00:00Z\n", "week.txt:2: this time is over"),
      ("START\nend soon\n", "week.txt:2: end needs an RFC 3339 time"),
    ]
  )
  func refused(text: String, complaint: String) {
    let played = Played(text.replacingOccurrences(of: "START", with: Self.start))
    #expect(played.exit == 65)
    #expect(played.complaint.hasPrefix(complaint), "\(played.complaint)")
  }

  @Test("What happened before the line that cannot be played is printed")
  func printedBefore() throws {
    let played = Played("\(Self.start)\n+0s timer 10m Tea\n+1m dance\n")
    #expect(
      try played.events() == ["2027-06-07T06:00:00Z countdown Tea until 2027-06-07T06:10:00Z"]
    )
  }

  @Test("Comments, blank lines, quotes, escapes, tabs, no newline at the end")
  func words() throws {
    let played = Played(
      """
      # A comment
      \t
      start 2027-06-07T06:00:00Z  # another
      +1s\ttimer 1m "Tea # and \\"cake\\"" # not a title
      +1s timer '2m' 'It\\s'\\ mine
      +0s timer 3m a#b
      """
    )
    #expect(played.complaint == "")
    #expect(
      try played.events() == [
        "2027-06-07T06:00:01Z countdown Tea # and \"cake\" until 2027-06-07T06:01:01Z",
        "2027-06-07T06:00:02Z countdown It\\s mine until 2027-06-07T06:02:02Z",
        "2027-06-07T06:00:02Z countdown a#b until 2027-06-07T06:03:02Z",
      ]
    )
  }

  @Test("Lines may end with a carriage return and a newline")
  func carriageReturns() throws {
    let text = "zone UTC\n\(Self.start)\n+1h timer 1m Tea\n+1m stop\nend 2027-06-07T08:00:00Z\n"
    let played = Played(text.split(separator: "\n").joined(separator: "\r\n"))
    #expect(played.complaint == "")
    #expect(played.output == Played(text).output)
    #expect(try played.events().count == 3)
  }

  @Test("Without an end the last line is the end; what follows an end is not played")
  func end() throws {
    let open = Played("\(Self.start)\n+0s alarm 07:00 Wake\n+59m59s stop\n")
    #expect(try open.events() == ["2027-06-07T06:59:59Z rejected wrongState"])
    let closed = Played("\(Self.start)\n+0s alarm 07:00 Wake\n+1m end\n+5h stop\n")
    #expect(closed.output == "")
  }

  @Test("After a suspend or a time off durations count from their end")
  func afterAbsence() throws {
    for word in ["suspend", "down"] {
      let played = Played("\(Self.start)\n+0s \(word) 30m\n+1m timer 1m Tea\n")
      #expect(
        try played.events() == ["2027-06-07T06:31:00Z countdown Tea until 2027-06-07T06:32:00Z"]
      )
    }
  }

  @Test("A setting counts from its line on")
  func settings() throws {
    let played = Played(
      """
      \(Self.start)
      set snooze 5min
      +0s alarm 07:00 Wake
      2027-06-07T07:00:00Z snooze
      +5m set snooze 7min
      +0s snooze
      """
    )
    #expect(
      try played.events().filter { $0.contains("countdown") } == [
        "2027-06-07T07:00:00Z countdown Wake until 2027-06-07T07:05:00Z",
        "2027-06-07T07:05:00Z countdown Wake until 2027-06-07T07:12:00Z",
      ]
    )
  }

  @Test("Alarms may be named by title or identity, and get the same identities each time")
  func names() throws {
    let id = "00000000-0000-4000-8000-00000000000a"
    let played = Played(
      """
      \(Self.start)
      +0s timer 10m Tea --id \(id)
      +1m pause \(id)
      +1m resume tea
      +1m pause 00000000-0000-4000-8000
      """
    )
    #expect(played.complaint == "")
    #expect(played.output.split(separator: "\n").allSatisfy { $0.contains(id) })
    #expect(try played.events().count == 4)
  }

  @Test("Two thousand lines are read and played")
  func many() throws {
    var text = Self.start + "\n"
    for number in 1...2_000 { text += "+1s timer 10m \"Tea \(number)\" # \(number)\n" }
    let played = Played(text)
    #expect(played.complaint == "")
    #expect(try played.events().filter { $0.contains(" alert ") }.count == 1_400)
  }
}
