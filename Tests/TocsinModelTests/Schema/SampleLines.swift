import TocsinModel
import TocsinTime

/// Lines of every kind, with everything that may be left out, and without.
///
/// `type(of:)` switches over all cases: a new one does not compile until it has been thought of here.
enum SampleLines {
  static let alarmID = AlarmID(high: 0, low: 10)
  static let time = Instant(seconds: 1_799_996_400)
  static let occurrence = OccurrenceID(alarm: alarmID, origin: time, serial: 3)

  // MARK: Values

  static let buttons = [
    AlarmButton(
      role: .secondary,
      text: "Open",
      color: "#ff0000",
      symbol: "cup.and.saucer",
      behavior: .custom
    ),
    AlarmButton(role: .stop, text: "Stop"),
  ]

  static let call = IntentCall(type: "PourTea", parameters: .object(["cups": .number(2)]))

  static let options: AlarmOptions = {
    var options = AlarmOptions()
    options.sound = "birds.ogg"
    options.volume = 0.5
    options.fade = 30
    options.priority = -5
    options.labels = ["work"]
    options.metadata = .object(["any": .array([.null, .number(0.5)])])
    options.tint = "#00ff00"
    options.snoozeLimit = 3
    options.ringFor = 600
    options.autoSnooze = 2
    options.application = "kitchen"
    return options
  }()

  static let alarms: [Alarm] = {
    var timer = Alarm(id: alarmID, title: "Tea")
    timer.countdown = CountdownDuration(preAlert: 240, postAlert: 60)
    timer.options = options
    timer.options.buttons = buttons
    timer.options.titles = AlarmOptions.Titles(countdown: "Steeping", paused: "Waiting")
    timer.options.exactButtons = true
    timer.options.intents = AlarmIntents(stop: call, secondary: IntentCall(type: "Open"))
    timer.options.attributes = .object(["tint": .string("green")])
    let days: [WallSchedule.Days] = [
      .once, .on(CivilDate(daysSince1970: 20_000)), .weekly(.everyDay),
    ]
    let alarms = days.map { days in
      let wall = WallSchedule(
        time: TimeOfDay(secondOfDay: 25_230),
        days: days,
        zone: "Europe/Paris"
      )
      return Alarm(id: alarmID, title: "", schedule: .wall(wall), isEnabled: false)
    }
    var first = Alarm(id: alarmID, title: "")
    if let dates = CalendarDays("*-*-01") {
      first.schedule = .wall(WallSchedule(time: .midnight, days: .calendar(dates)))
    }
    return [timer, first, Alarm(id: alarmID, title: "", schedule: .fixed(time))] + alarms
  }()

  static let countdowns = [
    Presentation.Countdown(start: time, fire: time, total: 600, elapsed: 0, snooze: true),
    Presentation.Countdown(start: nil, fire: nil, total: 600, elapsed: 348.5, snooze: false),
  ]

  static let receipts: [AlertReceipt] =
    AlertReceipt.Result.allCases.map { AlertReceipt(sink: "speaker", result: $0, audible: true) }
    + [
      AlertReceipt(
        sink: "bedside",
        parts: ["led"],
        result: .failed,
        at: time,
        audible: false,
        detail: "no such line"
      )
    ]

  static let statuses: [AlarmStatus] = {
    var full = AlarmStatus(alarm: alarms[0], state: .alerting)
    full.next = time
    full.scheduled = time
    full.note = "not on that day"
    full.skips = CivilDate(daysSince1970: 20_000)
    full.occurrence = occurrence
    full.due = time
    full.countdown = countdowns[0]
    full.receipts = receipts
    return [full] + alarms.map { AlarmStatus(alarm: $0, state: .scheduled) }
  }()

  static let presentations: [Presentation] = [AlarmState.alerting, .countdown, .paused].flatMap {
    state in
    let bare = Presentation(
      seq: 7,
      occurrence: occurrence,
      title: "Tea",
      kind: .timer,
      state: state,
      due: time
    )
    var full = bare
    full.kind = .alarm
    full.fired = time
    full.late = 0.25
    full.resumed = true
    full.countdown = countdowns[state == .paused ? 1 : 0]
    full.buttons = buttons
    full.options = options
    full.parts = ["led"]
    full.volumeLimit = 0.4
    return [bare, full]
  }

  static let silence = Silence(
    number: 1,
    match: "label:work",
    since: time,
    until: time,
    source: "cli"
  )

  static let readies = [
    SinkReport.Ready(name: "lamp", version: "1", capabilities: ["light"], audible: false),
    SinkReport.Ready(
      name: "tocsin-gpio",
      version: "1",
      capabilities: ["sound", "light"],
      audible: true,
      parts: [SinkReport.Ready.Part(name: "led", capabilities: ["light"], audible: false)],
      events: ["alert"]
    ),
  ]
}
