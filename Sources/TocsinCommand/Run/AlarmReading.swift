import Glibc
import TocsinModel
import TocsinTime

/// Makes alarms from what was typed: which words are the time, which the title, what the options say.
struct AlarmReading {
  let time: TimeReading
  let now: Instant
  /// Whose clocks count where the alarm names no zone.
  let zone: Zone
  /// Whether the files named exist, and where they are; a test's own.
  var soundPath: (String) throws(CommandFailure) -> String = SoundArgument.path

  /// Splits the words into a time and a title.
  ///
  /// The time is as many words from the front as mean one, so that `tomorrow 7:30 Wake up` needs no
  /// quotes; with `--title` all words are the time.
  func split<Value>(
    _ words: [String],
    title: String?,
    read: (String) throws(CommandFailure) -> Value
  ) throws(CommandFailure) -> (value: Value, title: String) {
    if let title { return (try read(words.joined(separator: " ")), title) }
    var failures: [CommandFailure] = []
    for count in stride(from: words.count, through: 1, by: -1) {
      do {
        let value = try read(words[..<count].joined(separator: " "))
        return (value, words[count...].joined(separator: " "))
      } catch {
        failures.append(error)
      }
    }
    // What is said about all words is about the title too, unless the first alone is no time at all.
    let startsWithNumber = words.first?.contains(where: \.isNumber) == true
    let failure = startsWithNumber ? failures.last : failures.first
    throw failure ?? .usage("a time is missing, such as 7:30 or 10m")
  }

  /// The alarms of `tocsin alarm`: one for each clock in the time.
  func alarms(
    _ invocation: Invocation,
    id: () -> AlarmID
  ) throws(CommandFailure) -> [Alarm] {
    let own = try ownZone(invocation)
    let days = try days(invocation)
    let (meaning, title) = try split(invocation.operands, title: invocation["title"]) {
      text throws(CommandFailure) in
      try self.meaning(of: text, days: days, zone: own ?? zone)
    }
    let schedules = try schedules(meaning, zone: own)
    let options = try options(invocation)
    let countdown = CountdownDuration(
      preAlert: try seconds("pre", invocation),
      postAlert: try seconds("snooze", invocation)
    )
    let given = try identity(invocation)
    guard given == nil || schedules.count == 1 else {
      throw .usage("--id names one alarm, and the time has \(schedules.count); leave --id out")
    }
    return schedules.map { schedule in
      Alarm(
        id: given ?? id(),
        title: title,
        schedule: schedule,
        countdown: countdown,
        isEnabled: !invocation.has("disabled"),
        options: options
      )
    }
  }

  /// The timer of `tocsin timer`.
  func timer(_ invocation: Invocation, id: () -> AlarmID) throws(CommandFailure) -> Alarm {
    let (length, title) = try split(invocation.operands, title: invocation["title"]) {
      text throws(CommandFailure) in
      try countdown(text)
    }
    return Alarm(
      id: try identity(invocation) ?? id(),
      title: title,
      countdown: CountdownDuration(
        preAlert: length,
        postAlert: try seconds("snooze", invocation)
      ),
      isEnabled: !invocation.has("disabled"),
      options: try options(invocation)
    )
  }

  /// The alarm with what `tocsin edit` changes.
  func edited(_ alarm: Alarm, _ invocation: Invocation) throws(CommandFailure) -> Alarm {
    var alarm = alarm
    if let title = invocation["title"] { alarm.title = title }
    if let length = invocation["for"] {
      guard alarm.kind == .timer else {
        throw .usage("--for is the length of a timer; an alarm's time is changed with --at")
      }
      alarm.countdown.preAlert = try countdown(length)
    }
    if let before = try seconds("pre", invocation, allowingZero: true) {
      guard alarm.kind == .alarm else { throw .usage("--pre is for alarms; a timer has --for") }
      alarm.countdown.preAlert = before == 0 ? nil : before
    }
    if let snooze = try seconds("snooze", invocation) { alarm.countdown.postAlert = snooze }
    if ["at", "on", "date", "tz"].contains(where: invocation.has) {
      alarm.schedule = try editedSchedule(alarm, invocation)
    }
    alarm.options = try options(invocation, from: alarm.options)
    return alarm
  }

  private func editedSchedule(
    _ alarm: Alarm,
    _ invocation: Invocation
  ) throws(CommandFailure) -> Schedule {
    guard let old = alarm.schedule else {
      throw .usage("a timer has no time on the clock; change its length with --for")
    }
    var wall: WallSchedule?
    if case .wall(let schedule) = old { wall = schedule }
    let named = try ownZone(invocation)
    let clocks: Zone
    if let named {
      clocks = named
    } else if let name = wall?.zone {
      clocks = try time.zone(named: name)
    } else {
      clocks = zone
    }
    let text = invocation["at"] ?? wall.map { "\($0.time)" }
    guard let text else {
      throw .usage("this alarm is an instant, not a time on the clock; give it one with --at")
    }
    let days = try days(invocation)
    let meaning = try meaning(of: text, days: days, zone: clocks)
    let schedules = try schedules(meaning, zone: named)
    guard schedules.count == 1, var schedule = schedules.first else {
      throw .usage("an alarm has one time, and \"\(text.printable)\" has \(schedules.count)")
    }
    if case .wall(var new) = schedule, let wall {
      // Only the time was said: the days stay.
      if days == nil, new.days == .once { new.days = wall.days }
      if new.zone == nil { new.zone = wall.zone }
      schedule = .wall(new)
    }
    return schedule
  }

  private func meaning(
    of text: String,
    days: String?,
    zone: Zone
  ) throws(CommandFailure) -> TimeMeaning {
    try time.meaning(of: days.map { "\($0) \(text)" } ?? text, now: now, zone: zone)
  }

  private func schedules(_ meaning: TimeMeaning, zone: Zone?) throws(CommandFailure) -> [Schedule] {
    switch meaning {
    case .span(let span): return [.fixed((now + span).roundedUpToMillisecond)]
    case .schedules(let schedules):
      guard let zone else { return schedules }
      var placed: [Schedule] = []
      for schedule in schedules {
        guard case .wall(var wall) = schedule else {
          placed.append(schedule)
          continue
        }
        if let own = wall.zone, own != zone.name {
          throw .usage("the time says \(own) and --tz says \(zone.name); leave one of them out")
        }
        wall.zone = zone.name
        placed.append(.wall(wall))
      }
      return placed
    }
  }

  private func countdown(_ text: String) throws(CommandFailure) -> Double {
    let bare = text.lowercased().hasPrefix("in ") ? String(text.dropFirst(3)) : text
    let seconds: Double
    do {
      seconds = try time.seconds(of: bare)
    } catch {
      let isClock = bare.contains(":") || ["am", "pm"].contains { bare.lowercased().hasSuffix($0) }
      guard isClock else { throw error }
      let sentence = error.message.hasSuffix("?") ? error.message.dropLast() : error.message[...]
      throw .timeText("\(sentence), or tocsin alarm \(bare.printable) for a time on the clock?")
    }
    guard seconds <= AlarmLimits.countdownSeconds else {
      throw .timeText("a timer runs 400 days at most, and \"\(text.printable)\" is longer")
    }
    return seconds
  }

  private func ownZone(_ invocation: Invocation) throws(CommandFailure) -> Zone? {
    guard let name = invocation["tz"] else { return nil }
    return try time.zone(named: name)
  }

  private func days(_ invocation: Invocation) throws(CommandFailure) -> String? {
    if invocation.has("on"), invocation.has("date") {
      throw .usage("--on is for days of every week and --date for one date; leave one of them out")
    }
    return invocation["on"] ?? invocation["date"]
  }

  private func identity(_ invocation: Invocation) throws(CommandFailure) -> AlarmID? {
    guard let text = invocation["id"] else { return nil }
    guard let id = AlarmID(text) else {
      throw .usage(
        "--id is a UUID such as 1b4e28ba-2fa1-4d2a-883f-0016d3cca427, not \"\(text.printable)\""
      )
    }
    return id
  }

  private func seconds(
    _ option: String,
    _ invocation: Invocation,
    allowingZero: Bool = false
  ) throws(CommandFailure) -> Double? {
    guard let text = invocation[option] else { return nil }
    do {
      return try time.seconds(of: text, allowingZero: allowingZero)
    } catch {
      throw CommandFailure(error.exit, error.code, "--\(option): \(error.message)")
    }
  }

  private func options(
    _ invocation: Invocation,
    from old: AlarmOptions = AlarmOptions()
  ) throws(CommandFailure) -> AlarmOptions {
    var options = old
    if let sound = invocation["sound"] { options.sound = try soundPath(sound) }
    if let volume = invocation["volume"] { options.volume = try self.volume(volume) }
    if let fade = try seconds("fade", invocation, allowingZero: true) { options.fade = fade }
    if let limit = try invocation.number("snooze-limit", in: 0...1_000) {
      options.snoozeLimit = limit
    }
    if let length = try seconds("ring-for", invocation, allowingZero: true) {
      options.ringFor = length
    }
    if let count = try invocation.number("auto-snooze", in: 0...1_000) {
      options.autoSnooze = count
    }
    if let priority = try invocation.number("priority", in: -100...100) {
      options.priority = priority
    }
    if let labels = invocation.values["label"] {
      options.labels = labels == [""] ? nil : labels
    }
    return options
  }

  private func volume(_ text: String) throws(CommandFailure) -> Double {
    if text.hasSuffix("%"), let percent = Double(text.dropLast()), (0...100).contains(percent) {
      return percent / 100
    }
    // "1" may mean 1 % or all of it, so a plain number needs its point.
    if text.contains("."), let part = Double(text), (0...1).contains(part) { return part }
    let remedy = Int(text).map { (0...100).contains($0) } == true ? "; did you mean \(text)%?" : ""
    throw .usage("--volume goes from 0% to 100%, not \"\(text.printable)\"\(remedy)")
  }
}
