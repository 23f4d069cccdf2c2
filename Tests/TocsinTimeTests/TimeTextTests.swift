import ProcessTesting
import Testing

@testable import TocsinTime

struct TimeTextTests {
  @Test("A refusal is one sentence, safe to print")
  func refusal() throws {
    let berlin = try TestZones.zone("Europe/Berlin")
    let now = try instant("2026-11-30T11:00:00Z")
    let texts = [
      ("10", #"cannot understand "10": 10 is a number without a unit; did you mean 10m or 10:00?"#),
      ("", #"cannot understand "": there is nothing in it; write a time such as 7:30 or 10m"#),
      ("-5m", #"cannot take "-5m": it is negative; write 5m without the sign"#),
    ]
    for (text, sentence) in texts {
      #expect {
        try TestZones.meaning(text, now: now, zone: berlin)
      } throws: { "\($0)" == sentence }
    }
    #expect {
      try TestZones.meaning("\u{1b}[2J\u{202e}7:30\n", now: now, zone: berlin)
    } throws: { error in
      !"\(error)".unicodeScalars.contains { $0.value < 32 || $0.value == 0x202e }
    }
  }

  @Test("Texts of more than 200 bytes are refused, however they read")
  func long() throws {
    let now = Instant(seconds: 0)
    let text = "7:30" + String(repeating: " ", count: 196)
    #expect(throws: Never.self) { try TestZones.meaning(text, now: now, zone: .utc) }
    #expect(throws: TimeTextError.self) {
      try TestZones.meaning(text + " ", now: now, zone: .utc)
    }
    #expect(throws: TimeTextError.self) { try TimeText.duration("1m" + text) }
  }

  @Test("Yesterday, now and the machine's zone decide what a day is")
  func dependsOnNow() throws {
    let berlin = try TestZones.zone("Europe/Berlin")
    // 00:30 on Sunday in Berlin, still Saturday in UTC.
    let now = try instant("2027-06-05T22:30:00Z")
    func understood(_ text: String, _ zone: Zone) throws -> String {
      try TestZones.meaning(text, now: now, zone: zone).understood
    }
    #expect(try understood("tomorrow 7:00", berlin) == "Mon 7 Jun 2027 07:00")
    #expect(try understood("tomorrow 7:00", .utc) == "Sun 6 Jun 2027 07:00")
    #expect(try understood("tomorrow 7:00 UTC", berlin) == "Sun 6 Jun 2027 07:00 UTC")
    #expect(try understood("tonight 2:00", berlin) == "Sun 6 Jun 2027 02:00")
    #expect(try understood("tonight 0:15", berlin) == "Mon 7 Jun 2027 00:15")
    #expect(try understood("this sun 7:00", berlin) == "Sun 6 Jun 2027 07:00")
    #expect(try understood("next sun 7:00", berlin) == "Sun 13 Jun 2027 07:00")
    #expect(try understood("06-06 7:00", berlin) == "Sun 6 Jun 2027 07:00")
    #expect(try understood("06-06 0:15", berlin) == "Tue 6 Jun 2028 00:15")
    #expect(try understood("2027-06-05T22:30:00Z", berlin) == "2027-06-05T22:30:00.000Z")
  }

  @Test("Zero is a duration where a setting can be off")
  func zero() throws {
    #expect(try TimeText.duration("0s", allowingZero: true) == .zero)
    #expect(throws: TimeTextError.self) { try TimeText.duration("-1s", allowingZero: true) }
    #expect(throws: TimeTextError.self) { try TimeText.duration("0s") }
  }

  @Test("Random texts are taken or refused, never a trap")
  func randomTexts() throws {
    let berlin = try TestZones.zone("Europe/Berlin")
    let now = try instant("2026-11-30T11:00:00Z")
    let pieces = [
      "7", "30", ":", "-", ".", "..", ",", " ", "/", "*", "~", "@", "+", "am", "pm", "in", "every",
      "fri", "june", "2027", "02", "99999999999999999999", "T", "Z", "next", "noon", "h", "m", "PT",
      "oncalendar:", "weekdays", "é", "\u{0}", "UTC",
    ]
    var random = SeededGenerator(state: 7)
    for _ in 0..<4_000 {
      let text = (0..<Int.random(in: 0...9, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      _ = try? TimeText.duration(text)
      let meaning = try? TimeText.parse(text, now: now, zone: berlin) { name throws(ZoneError) in
        throw ZoneError(zone: name, reason: .unknown(nearest: nil))
      }
      guard case .schedules(let schedules) = meaning else { continue }
      // What is accepted has a ring to come.
      for case .wall(let schedule) in schedules {
        let zone = schedule.zone == nil ? berlin : Zone.utc
        #expect(schedule.next(after: now, in: zone) != nil, "\(text)")
      }
    }
  }
}
