import AlarmKit
import Testing
import TocsinModel
import TocsinTime

@Suite("An alarm as the service says that it stands")
struct StatusWireTests {
  private func status(
    _ configuration: AlarmManager.AlarmConfiguration<NoMetadata>,
    _ state: AlarmState = .scheduled
  ) throws -> AlarmStatus {
    AlarmStatus(alarm: try configuration.alarm(id: Sample.id, sounds: []), state: state)
  }

  @Test("has the identity, the state and the times that were said")
  func alarm() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1_021_111_111.123_456_7)
    let said = Sample.plain(.fixed(date)).with {
      $0.countdownDuration = .init(preAlert: nil, postAlert: 300)
    }
    let states: [(AlarmState, AlarmKit.Alarm.State)] = [
      (.scheduled, .scheduled), (.countdown, .countdown), (.paused, .paused),
      (.alerting, .alerting),
    ]
    for (state, expected) in states {
      let alarm = AlarmKit.Alarm(try status(said, state))
      #expect(alarm.id == Sample.id && alarm.state == expected)
      #expect(alarm.schedule == .fixed(date))
      #expect(alarm.countdownDuration == .init(preAlert: nil, postAlert: 300))
    }
    #expect(AlarmKit.Alarm(try status(Sample.plain())).countdownDuration == nil)
  }

  @Test("follows what somebody has changed since")
  func changed() throws {
    var status = try status(Sample.plain())
    let firsts = try #require(CalendarDays("*-*-01"))
    status.alarm.schedule = .wall(WallSchedule(time: .midnight, days: .calendar(firsts)))
    #expect(AlarmKit.Alarm(status).schedule == nil)
    status.next = Instant(seconds: 5)
    #expect(AlarmKit.Alarm(status).schedule == .fixed(Date(timeIntervalSince1970: 5)))
    // A snooze under way is not the schedule's next time.
    status.scheduled = Instant(seconds: 9)
    #expect(AlarmKit.Alarm(status).schedule == .fixed(Date(timeIntervalSince1970: 9)))
    status.alarm.schedule = nil
    #expect(AlarmKit.Alarm(status).schedule == nil)
  }
}

@Suite("What is to be shown of an alarm")
struct PresentationStateWireTests {
  // 2027-01-15 08:00:00 in UTC.
  private let due = Instant(seconds: 1_800_000_000)
  private let utc = TimeZone(secondsFromGMT: 0) ?? .current

  private func presentation(
    _ state: AlarmState,
    _ countdown: Presentation.Countdown? = nil
  ) -> Presentation {
    Presentation(
      seq: 1,
      occurrence: OccurrenceID(alarm: AlarmID(Sample.id), origin: due, serial: 0),
      title: "Tea",
      kind: .timer,
      state: state,
      due: due,
      countdown: countdown
    )
  }

  @Test("while it rings is the time that it was to ring at, where the machine is")
  func alert() {
    func time(_ zone: TimeZone) -> AlarmPresentationState.Mode? {
      AlarmPresentationState(presentation(.alerting), in: zone)?.mode
    }
    #expect(time(utc) == .alert(.init(time: Sample.time(8, 0))))
    let zones: [(Int, Int, Int)] = [
      (5 * 3_600 + 2_700, 13, 45), (-9 * 3_600, 23, 0), (14 * 3_600, 22, 0),
    ]
    for (offset, hour, minute) in zones {
      guard let zone = TimeZone(secondsFromGMT: offset) else { continue }
      #expect(time(zone) == .alert(.init(time: Sample.time(hour, minute))))
    }
    // Berlin is an hour ahead in January.
    #expect(
      TimeZone(identifier: "Europe/Berlin").map { time($0) }
        == .some(.alert(.init(time: Sample.time(9, 0))))
    )
  }

  @Test("while it counts down is what the remaining time is drawn from")
  func countdown() {
    let countdown = Presentation.Countdown(
      start: due - .seconds(40),
      fire: due,
      total: 60,
      elapsed: 20,
      snooze: false
    )
    let state = AlarmPresentationState(presentation(.countdown, countdown), in: utc)
    #expect(state?.alarmID == Sample.id)
    #expect(
      state?.mode
        == .countdown(
          .init(
            totalCountdownDuration: 60,
            previouslyElapsedDuration: 20,
            startDate: Date(timeIntervalSince1970: 1_799_999_960),
            fireDate: Date(timeIntervalSince1970: 1_800_000_000)
          )
        )
    )
  }

  @Test("while it is halted is how far it came")
  func paused() {
    let countdown = Presentation.Countdown(
      start: nil,
      fire: nil,
      total: 60,
      elapsed: 20,
      snooze: true
    )
    #expect(
      AlarmPresentationState(presentation(.paused, countdown), in: utc)?.mode
        == .paused(.init(totalCountdownDuration: 60, previouslyElapsedDuration: 20))
    )
    #expect(AlarmPresentationState(presentation(.countdown, countdown), in: utc) == nil)
    #expect(AlarmPresentationState(presentation(.paused), in: utc) == nil)
  }

  @Test("is nothing while it waits for its time")
  func waiting() throws {
    #expect(AlarmPresentationState(presentation(.scheduled), in: utc) == nil)
    var status = AlarmStatus(
      alarm: try Sample.plain().alarm(id: Sample.id, sounds: []),
      state: .scheduled
    )
    #expect(AlarmPresentationState(status, in: utc) == nil)
    status.state = .alerting
    #expect(AlarmPresentationState(status, in: utc) == nil)
    status.due = due
    #expect(
      AlarmPresentationState(status, in: utc)?.mode == .alert(.init(time: Sample.time(8, 0)))
    )
  }
}
