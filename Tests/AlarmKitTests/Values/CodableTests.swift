import AlarmKit
import Testing

@Suite("AlarmKit's values as JSON")
struct CodableTests {
  private func same<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
  }

  @Test("have the shape that Swift gives enums")
  func shapes() throws {
    let weekly = Alarm.Schedule.relative(
      Alarm.Schedule.Relative(time: Sample.time(7, 0), repeats: .weekly([.monday]))
    )
    #expect(
      try Sample.json(weekly)
        == #"{"relative":{"_0":{"repeats":{"weekly":{"_0":["mon"]}},"time":{"hour":7,"minute":0}}}}"#
    )
    let once = Alarm.Schedule.relative(Alarm.Schedule.Relative(time: Sample.time(23, 59)))
    #expect(
      try Sample.json(once)
        == #"{"relative":{"_0":{"repeats":{"never":{}},"time":{"hour":23,"minute":59}}}}"#
    )
    #expect(
      try Sample.json(Alarm.Schedule.fixed(Date(timeIntervalSinceReferenceDate: 7)))
        == #"{"fixed":{"_0":7}}"#
    )
    #expect(try Sample.json([Alarm.State.alerting]) == #"[{"alerting":{}}]"#)
    #expect(
      try Sample.json(Alarm.CountdownDuration(preAlert: 5, postAlert: nil)) == #"{"preAlert":5}"#
    )
    #expect(
      try Sample.json([AlarmManager.AuthorizationState.notDetermined]) == #"[{"notDetermined":{}}]"#
    )
    #expect(
      try Sample.json([AlarmPresentation.Alert.SecondaryButtonBehavior.custom])
        == #"[{"custom":{}}]"#
    )
  }

  @Test("come back as they were")
  func values() throws {
    let schedules: [Alarm.Schedule] = [
      .fixed(Date(timeIntervalSinceReferenceDate: 821_111_111.123_456_7)),
      .relative(Alarm.Schedule.Relative(time: Sample.time(0, 0))),
      .relative(
        Alarm.Schedule.Relative(time: Sample.time(7, 5), repeats: .weekly([.sunday, .tuesday]))
      ),
    ]
    for schedule in schedules { #expect(try same(schedule) == schedule) }
    let states: [AlarmPresentationState.Mode] = [
      .alert(.init(time: Sample.time(6, 30))),
      .countdown(
        .init(
          totalCountdownDuration: 60,
          previouslyElapsedDuration: 1.5,
          startDate: Date(timeIntervalSinceReferenceDate: 1),
          fireDate: Date(timeIntervalSinceReferenceDate: 59.5)
        )
      ),
      .paused(.init(totalCountdownDuration: 60, previouslyElapsedDuration: 2)),
    ]
    for mode in states {
      let state = AlarmPresentationState(alarmID: Sample.id, mode: mode)
      #expect(try same(state) == state)
    }
    #expect(Set(states).count == states.count)
  }

  @Test("hold a presentation with all its buttons")
  func presentation() throws {
    let attributes = Sample.full.attributes
    let back = try same(attributes)
    #expect(try Sample.json(back) == Sample.json(attributes))
    #expect(back.presentation.alert.stopButton.text == "Taken")
    #expect(back.presentation.alert.secondaryButton?.textColor == .orange)
    #expect(back.presentation.alert.secondaryButtonBehavior == .custom)
    #expect(back.presentation.countdown?.pauseButton?.systemImageName == "zzz")
    #expect(back.presentation.paused?.title == "Not yet")
    #expect(back.metadata == attributes.metadata && back.tintColor == .indigo)
    // What a button is for is a part of it.
    let snooze = try same(AlarmPresentation.Alert(title: "", secondaryButton: .snoozeButton()))
    #expect(snooze.secondaryButton?.purpose == .snooze && snooze.stopButton.purpose == .stop)
  }

  @Test("leave out a stop button that is the system's")
  func systemStop() throws {
    let alert = AlarmPresentation.Alert(title: "Up")
    #expect(try Sample.json(alert) == #"{"title":"Up"}"#)
    #expect(try same(alert).stopButton.purpose == .stop)
    var own = alert
    own.stopButton.text = "Enough"
    #expect(try same(own).stopButton.text == "Enough")
    own.stopButton = AlarmButton(label: "Stop")
    #expect(try same(own).stopButton.purpose == nil)
  }

  @Test("may be changed where Apple's may")
  func setters() {
    var presentation = AlarmPresentation(alert: AlarmPresentation.Alert(title: "a"))
    presentation.alert.title = "b"
    presentation.countdown = AlarmPresentation.Countdown(title: "c")
    var attributes = AlarmAttributes<NoMetadata>(presentation: presentation, tintColor: .red)
    attributes.tintColor = .green
    attributes.presentation.paused = AlarmPresentation.Paused(
      title: "d",
      resumeButton: AlarmButton(label: "e", systemImageName: "play", textColor: .brown)
    )
    #expect(attributes.presentation.alert.title == "b" && attributes.tintColor == .green)
    #expect(attributes.presentation.paused?.resumeButton.textColor == .brown)
    #expect(attributes.metadata == nil)
  }
}
