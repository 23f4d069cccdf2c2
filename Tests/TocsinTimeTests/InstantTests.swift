import Foundation
import Testing

@testable import TocsinTime

struct InstantTests {
  @Test(
    "RFC 3339 is read with any offset, separator and fraction",
    arguments: [
      ("2027-03-28T01:30:00.000Z", "2027-03-28T01:30:00.000Z"),
      ("2027-03-28t03:30:00+02:00", "2027-03-28T01:30:00.000Z"),
      ("2027-03-28 01:30:00z", "2027-03-28T01:30:00.000Z"),
      ("2027-03-28T01:30:00.7Z", "2027-03-28T01:30:00.700Z"),
      ("2027-03-28T01:30:00.123456789Z", "2027-03-28T01:30:00.123Z"),
      ("2027-01-01T00:00:00-23:59", "2027-01-01T23:59:00.000Z"),
      ("0000-01-01T00:00:00+00:01", "-0001-12-31T23:59:00.000Z"),
      ("9999-12-31T23:59:59-00:01", "+10000-01-01T00:00:59.000Z"),
      ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
      ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"),
    ]
  )
  func readsRFC3339(text: String, written: String) throws {
    #expect(try instant(text).rfc3339 == written)
  }

  @Test(
    "What is not quite RFC 3339 is refused",
    arguments: [
      "", "2027-03-28", "2027-03-28T01:30:00", "2027-03-28T01:30Z", "2027-3-28T01:30:00Z",
      "2027-02-29T00:00:00Z", "2027-13-01T00:00:00Z", "2027-01-32T00:00:00Z",
      "2027-01-01T24:00:00Z", "2027-01-01T00:60:00Z", "2027-01-01T00:00:60Z",
      "2027-01-01T00:00:00.Z", "2027-01-01T00:00:00+24:00", "2027-01-01T00:00:00+01:60",
      "2027-01-01T00:00:00+0100", "2027-01-01T00:00:00ZZ", " 2027-01-01T00:00:00Z",
      "+2027-01-01T00:00:00Z", "2027-01-01T00:00:00.5", "２027-01-01T00:00:00Z",
    ]
  )
  func refusesOtherText(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  @Test("Arithmetic stops at the ends of the range")
  func arithmeticSaturates() {
    let last = Instant(microseconds: .max)
    let first = Instant(microseconds: .min)
    #expect(last + .seconds(1) == last)
    #expect(first - .seconds(1) == first)
    #expect(last - .seconds(Int64.max) > first)
    let longest: Duration = last - first
    #expect(longest == .microseconds(Int64.max))
    #expect(Instant(seconds: .max) == last)
    #expect(Instant(seconds: .min) == first)
    #expect(last.roundedUpToMillisecond == last)
    #expect(last.rfc3339.hasPrefix("+294247-01-10T04:00:54"))
    #expect(first.rfc3339 == "-290308-12-21T19:59:05.224Z")
  }

  @Test("Rounding to milliseconds never goes back")
  func roundsUp() {
    #expect(Instant(microseconds: 1).roundedUpToMillisecond.microseconds == 1_000)
    #expect(Instant(microseconds: 1_000).roundedUpToMillisecond.microseconds == 1_000)
    #expect(Instant(microseconds: -1).roundedUpToMillisecond.microseconds == 0)
    #expect(Instant(microseconds: -1_001).roundedUpToMillisecond.microseconds == -1_000)
    #expect(Instant(microseconds: -1).seconds == -1)
  }

  @Test("JSON carries the text, and its errors say what is wanted")
  func codes() throws {
    let json = Data(#"["2027-03-28T03:30:00+02:00"]"#.utf8)
    let instants = try JSONDecoder().decode([Instant].self, from: json)
    let written = String(decoding: try JSONEncoder().encode(instants), as: UTF8.self)
    #expect(written == #"["2027-03-28T01:30:00.000Z"]"#)
    #expect {
      try JSONDecoder().decode([Instant].self, from: Data(#"["tomorrow"]"#.utf8))
    } throws: { error in
      "\(error)".contains("is no RFC 3339 time")
    }
  }

  @Test("Seconds become a duration only where one can hold them")
  func durationOfSeconds() {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 9.3e12] {
      #expect(Duration(seconds: seconds) == nil)
    }
    #expect(Duration(seconds: 0.5) == .milliseconds(500))
    #expect(Duration(seconds: -1.5)?.seconds == -1.5)
    #expect(Duration.seconds(Int64.max).microseconds == .max)
    #expect(Duration.seconds(Int64.min).microseconds == .min)
  }

  @Test(
    "A duration is written with its two largest units",
    arguments: [
      (0, "0 s"), (45_000_000, "45 s"), (29_520_000_000, "8 h 12 min"),
      (183_600_000_000, "2 d 3 h"), (3_605_000_000, "1 h"), (540_000_000, "9 min"),
      (630_000_000, "10 min 30 s"), (250_000, "250 ms"), (1_500_000, "1 s"), (1, "0 s"),
      (-300_000_000, "-5 min"), (86_399_000_000, "23 h 59 min"),
    ]
  )
  func writesDurations(microseconds: Int64, text: String) {
    #expect(Duration.microseconds(microseconds).text() == text)
  }
}
