import AlarmKit
import AlarmKitTesting
import Testing

@Suite("Time", .timeLimit(.minutes(10)))
struct TimeTests {
  private let id = UUID()

  private func zone(_ name: String) throws -> TimeZone {
    try #require(TimeZone(identifier: name))
  }

  private func rings(_ alarms: TestAlarms) -> [Date] {
    alarms.presentations.filter { $0.mode == .alerting }.map(\.date)
  }

  @Test("A time that the clock change leaves out or brings twice rings once")
  func clockChange() async throws {
    // In Paris, 28 March 2027 has no 02:30, and 31 October has two.
    for (start, ring) in [
      (1_806_100_000.0, 1_806_197_400.0), (1_824_900_000.0, 1_824_942_600.0),
    ] {
      let alarms = try TestAlarms(
        now: Date(timeIntervalSince1970: start),
        timeZone: try zone("Europe/Paris")
      )
      try await alarms.manager.schedule(id: id, configuration: alarm(at: 2, 30))
      let expected = Date(timeIntervalSince1970: ring)
      while let next = try alarms.manager.details(for: id).nextFireDate, next < expected {
        await alarms.advance(to: next)
        try alarms.manager.stop(id: id)
      }
      let details = try alarms.manager.details(for: id)
      #expect(details.nextFireDate == expected)
      #expect(details.scheduleNote?.isEmpty == false)
      await alarms.advance(to: expected)
      try alarms.manager.stop(id: id)
      let next = try #require(try alarms.manager.details(for: id).nextFireDate)
      #expect(next > expected + 80_000)
    }
  }

  @Test("A time of the day moves with the machine, a date does not")
  func travel() async throws {
    let alarms = try TestAlarms(now: newYear, timeZone: try zone("Europe/London"))
    let fixed = UUID()
    try await alarms.manager.schedule(id: id, configuration: alarm(at: 12, 0))
    try await alarms.manager.schedule(id: fixed, configuration: alarm(at: newYear + 4 * 3_600))
    let noon = newYear + 4 * 3_600
    #expect(try alarms.manager.details(for: id).nextFireDate == noon)
    try await alarms.setTimeZone(try zone("Asia/Tokyo"))
    #expect(try alarms.manager.details(for: id).nextFireDate == noon + 15 * 3_600)
    #expect(try alarms.manager.details(for: fixed).nextFireDate == noon)
  }

  @Test("A countdown takes its time, however the wall clock is set")
  func setClock() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: timer(600))
    await alarms.advance(by: .seconds(300))
    await alarms.setClock(by: .seconds(-3_600))
    await alarms.advance(by: .seconds(299))
    #expect(try alarms.manager.alarm(id)?.state == .countdown)
    await alarms.advance(by: .seconds(1))
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
  }

  @Test("An alarm rings by the wall clock, however that comes to read its time")
  func setClockForward() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: alarm(at: newYear + 3_600))
    await alarms.setClock(by: .seconds(3_000))
    await alarms.advance(by: .seconds(599))
    #expect(try alarms.manager.alarm(id)?.state == .scheduled)
    await alarms.advance(by: .seconds(1))
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
  }

  @Test("Alarms and countdowns outlive a restart of the service, and what it rang goes on ringing")
  func restart() async throws {
    let alarms = try TestAlarms(now: newYear)
    let ringing = UUID()
    try await alarms.manager.schedule(id: id, configuration: timer(600))
    try await alarms.manager.schedule(id: ringing, configuration: timer(60))
    await alarms.advance(by: .seconds(60))
    try await alarms.restartService()
    #expect(try alarms.manager.alarm(ringing)?.state == .alerting)
    let receipts = try alarms.manager.details(for: ringing).receipts
    #expect(receipts.map(\.result) == [.presented])
    #expect(try alarms.manager.details(for: id).nextFireDate == newYear + 600)
    await alarms.advance(by: .seconds(540))
    #expect(try alarms.manager.alarm(id)?.state == .alerting)
  }

  @Test("A week passes in a moment, and every ring in it is on its minute")
  func week() async throws {
    let alarms = try TestAlarms(now: newYear)
    try await alarms.manager.schedule(id: id, configuration: alarm(at: 8, 30))
    for day in 0..<7 {
      await alarms.advance(to: newYear + Double(day) * 86_400 + 1_800)
      try await alarms.press(.stop, on: id)
    }
    let mornings = (0..<7).map { day in newYear.addingTimeInterval(Double(day) * 86_400 + 1_800) }
    #expect(rings(alarms) == mornings)
  }
}
