import Foundation
import Testing

@testable import TocsinCommand

@Suite("When a time text rings")
struct WhenTests {
  @Test("a time that does not exist rings an hour later, and says so")
  func gap() throws {
    let page = Page()
    let code = page.run(
      "when",
      "sun 02:30",
      "--tz",
      "Europe/Berlin",
      "--from",
      "2027-03-27T12:00:00Z",
      "-n",
      "2",
      "--json",
      environment: ["TZ": "Asia/Tokyo"]
    )
    #expect(code == 0)
    let object = try JSONSerialization.jsonObject(with: Data(page.out.utf8)) as? [String: Any]
    let document = try #require(object)
    #expect(document["schema"] as? Int == 1)
    #expect(document["zone"] as? String == "Europe/Berlin")
    #expect(document["understood"] as? String == "every Sun 02:30")
    let occurrences = try #require(document["occurrences"] as? [[String: String]])
    #expect(
      occurrences == [
        [
          "at": "2027-03-28T01:30:00.000Z", "local": "2027-03-28T03:30:00+02:00",
          "date": "2027-03-28", "note": "02:30 does not exist that day; rings at 03:30",
        ],
        [
          "at": "2027-04-04T00:30:00.000Z", "local": "2027-04-04T02:30:00+02:00",
          "date": "2027-04-04",
        ],
      ]
    )
    #expect(page.out.filter { $0 == "\n" }.count == 1)
  }

  @Test("a time that comes twice rings the first time, once")
  func fold() {
    let page = Page()
    #expect(
      page.run(
        "when",
        "daily",
        "02:30",
        "--tz",
        "Europe/Berlin",
        "--from",
        "2027-10-30T12:00:00Z",
        "-n",
        "2"
      ) == 0
    )
    #expect(
      page.out == """
        2027-10-31T00:30:00.000Z\t2027-10-31T02:30:00+02:00\t02:30 comes twice that day; rings the \
        first time
        2027-11-01T01:30:00.000Z\t2027-11-01T02:30:00+01:00\t

        """
    )
  }

  @Test("on a terminal it is told in words")
  func terminal() {
    let page = Page()
    #expect(page.run("when", "weekdays 6:00, 7:30", "-n", "3", terminal: true) == 0)
    #expect(
      page.out == """
        \u{1b}[2mevery weekday 06:00, every weekday 07:30\u{1b}[0m
        Tue 1 Dec 06:00 CET (in 6 h 42 min)
        Tue 1 Dec 07:30 CET (in 8 h 12 min)
        Wed 2 Dec 06:00 CET (in 1 d 6 h)

        """
    )
    #expect(page.run("when", "in 90s", "--color=never", terminal: true) == 0)
    #expect(page.out == "in 1 min 30 s\nMon 30 Nov 23:19:30 CET (in 1 min 30 s)\n")
  }

  @Test(
    "what is no time is 65",
    arguments: [
      ["10"], ["7/8 7:00"], ["7:00", "--tz", "Mars/Olympus"], ["7:00", "--from", "yesterday"],
      ["2020-01-01 7:00"], ["25:00"], [""],
    ]
  )
  func notUnderstood(words: [String]) {
    let page = Page()
    let code = page.run(["when"] + words)
    #expect(code == 65)
    #expect(page.out.isEmpty)
    #expect(page.err.hasPrefix("tocsin: "))
  }
}
