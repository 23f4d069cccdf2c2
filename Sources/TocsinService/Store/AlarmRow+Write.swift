import TocsinEngine
import TocsinModel
import TocsinTime

/// An alarm's row: how a record becomes columns and columns a record.
enum AlarmRow {
  /// What the column `schedule` holds; NULL for a timer.
  enum ScheduleCode: Int64 { case fixed, once, on, weekly, calendar }

  /// What the column `phase` holds; NULL for an alarm with nothing under way.
  enum PhaseCode: Int64 { case countdown = 1, paused, alerting }

  /// Binds a record to `AlarmColumn.upsert`.
  ///
  /// - Parameters:
  ///   - record: the alarm and all about it.
  ///   - boot: the id of the boot that the record's deadlines count from.
  ///   - statement: was reset.
  /// - Throws: `EncodingError` if the options hold what JSON has not.
  static func bind(
    _ record: AlarmRecord,
    boot: String,
    to statement: borrowing Statement
  ) throws {
    let alarm = record.alarm
    // The only part that can fail comes first, so that nothing is left half bound.
    let options = try alarm.sharedOptions.chosen.map { try text(of: $0.options) }
    statement.bind(AlarmColumn.id.parameter, high: alarm.id.high, low: alarm.id.low)
    statement.bind(.title, alarm.title)
    statement.bind(.enabled, alarm.isEnabled)
    bind(alarm.schedule, to: statement)
    statement.bind(.preAlert, alarm.countdown.preAlert)
    statement.bind(.postAlert, alarm.countdown.postAlert)
    statement.bind(.options, options)
    statement.bind(.nextDate, record.nextDate?.stored)
    statement.bind(.lastDate, record.lastRing?.date.stored)
    statement.bind(.lastHour, record.lastRing.map { Int64($0.hour) })
    statement.bind(.skipDate, record.skips?.stored)
    statement.bind(.serial, Int64(record.serial))
    statement.bind(.retired, record.isRetired)
    if let activity = record.activity { bind(activity, boot: boot, to: statement) }
  }

  private static func text(of options: AlarmOptions) throws -> String {
    String(decoding: try JSONLine.encode(options).dropLast(), as: UTF8.self)
  }

  private static func bind(_ schedule: Schedule?, to statement: borrowing Statement) {
    switch schedule {
    case nil: break
    case .fixed(let instant):
      statement.bind(.schedule, ScheduleCode.fixed.rawValue)
      statement.bind(.at, instant.microseconds)
    case .wall(let wall):
      let time = wall.time
      statement.bind(
        .at,
        Int64(time.hour) * 3600 + Int64(time.minute) * 60 + Int64(time.second)
      )
      statement.bind(.zone, wall.zone)
      let code: ScheduleCode
      switch wall.days {
      case .once:
        code = .once
      case .on(let date):
        code = .on
        statement.bind(.days, date.stored)
      case .weekly(let weekdays):
        code = .weekly
        statement.bind(.days, Int64(weekdays.rawValue))
      case .calendar(let calendar):
        code = .calendar
        statement.bind(.days, calendar.description)
      }
      statement.bind(.schedule, code.rawValue)
    }
  }

  private static func bind(
    _ activity: Activity,
    boot: String,
    to statement: borrowing Statement
  ) {
    statement.bind(.origin, activity.origin.microseconds)
    statement.bind(.date, activity.date?.stored)
    statement.bind(.due, activity.due.microseconds)
    statement.bind(.snoozes, Int64(activity.snoozes))
    statement.bind(.autoSnoozes, Int64(activity.autoSnoozes))
    statement.bind(.trusted, activity.isTrusted)
    switch activity.phase {
    case .countdown(let countdown):
      statement.bind(.phase, PhaseCode.countdown.rawValue)
      statement.bind(.began, countdown.start.microseconds)
      bind(countdown.end, boot: boot, to: statement)
      statement.bind(.total, countdown.total)
      statement.bind(.elapsed, countdown.elapsed)
      statement.bind(.snooze, countdown.isSnooze)
    case .paused(let total, let elapsed, let isSnooze):
      statement.bind(.phase, PhaseCode.paused.rawValue)
      statement.bind(.total, total)
      statement.bind(.elapsed, elapsed)
      statement.bind(.snooze, isSnooze)
    case .alerting(let alert):
      statement.bind(.phase, PhaseCode.alerting.rawValue)
      statement.bind(.began, alert.fired.microseconds)
      statement.bind(.late, alert.late)
      if let end = alert.end { bind(end, boot: boot, to: statement) }
    }
  }

  private static func bind(
    _ deadline: Activity.Deadline,
    boot: String,
    to statement: borrowing Statement
  ) {
    statement.bind(.endWall, deadline.wall.microseconds)
    statement.bind(.endBoot, deadline.boot)
    if deadline.boot != nil { statement.bind(.boot, boot) }
  }
}

extension CivilDate {
  /// Days since 1970-01-01, as a column holds them.
  var stored: Int64 { Int64(daysSince1970) }

  /// The date of a column; nil if no date is so far away.
  init?(stored: Int64) {
    guard let days = Int32(exactly: stored) else { return nil }
    self.init(daysSince1970: days)
  }
}
