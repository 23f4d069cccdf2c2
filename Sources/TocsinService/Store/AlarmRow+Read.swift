import TocsinEngine
import TocsinModel
import TocsinTime

/// The clocks at the moment a store is loaded, and which boot they belong to.
struct StoreClocks {
  var bootID: String
  var wallNow: Instant
  var bootNow: BootTime
}

/// Why a row cannot be understood: its column and value.
struct RowFault: Error {
  var reason: String

  init(_ column: AlarmColumn, _ statement: borrowing Statement) {
    let value = statement.text(column)
    reason = "\(column.name) is \(value.map { String($0.prefix(40)) } ?? "missing")"
  }

  init(_ reason: String) {
    self.reason = reason
  }
}

extension AlarmRow {
  /// Reads the record in the present row of `AlarmColumn.select`.
  static func read(
    _ row: borrowing Statement,
    clocks: StoreClocks,
    options reader: inout OptionsReader
  ) throws(RowFault) -> AlarmRecord {
    guard let id = row.words(AlarmColumn.id.rawValue) else { throw RowFault(.id, row) }
    guard let title = row.text(.title) else { throw RowFault(.title, row) }
    var options: AlarmOptions?
    if let json = row.text(.options) { options = try reader.read(json) }
    var record = AlarmRecord(
      alarm: Alarm(
        id: AlarmID(high: id.high, low: id.low),
        title: title,
        schedule: try schedule(row),
        countdown: CountdownDuration(
          preAlert: row.optionalDouble(AlarmColumn.preAlert.rawValue),
          postAlert: row.optionalDouble(AlarmColumn.postAlert.rawValue)
        ),
        isEnabled: row.integer(.enabled) != 0,
        options: options
      )
    )
    record.nextDate = try date(.nextDate, row)
    if let date = try date(.lastDate, row) {
      record.lastRing = LastRing(date: date, hour: try number(.lastHour, row))
    }
    record.skips = try date(.skipDate, row)
    record.serial = try number(.serial, row)
    record.isRetired = row.integer(.retired) != 0
    if let phase = row.optionalInteger(.phase) {
      record.activity = try activity(phase, row, clocks)
      record.isFromEarlierBoot =
        row.optionalInteger(.endBoot) != nil && row.text(.boot) != clocks.bootID
    }
    guard record.isPlausible else { throw RowFault("its numbers are out of all range") }
    return record
  }

  private static func schedule(_ row: borrowing Statement) throws(RowFault) -> Schedule? {
    guard let value = row.optionalInteger(.schedule) else { return nil }
    guard let code = ScheduleCode(rawValue: value) else { throw RowFault(.schedule, row) }
    guard let at = row.optionalInteger(.at) else { throw RowFault(.at, row) }
    if code == .fixed { return .fixed(Instant(microseconds: at)) }
    guard 0..<86_400 ~= at,
      let time = TimeOfDay(
        hour: Int(at / 3600),
        minute: Int(at / 60 % 60),
        second: Int(at % 60)
      )
    else { throw RowFault(.at, row) }
    let zone = row.text(.zone)
    switch code {
    case .fixed, .once:
      return .wall(WallSchedule(time: time, days: .once, zone: zone))
    case .on:
      guard let date = try date(.days, row) else { throw RowFault(.days, row) }
      return .wall(WallSchedule(time: time, days: .on(date), zone: zone))
    case .weekly:
      let mask: UInt8 = try number(.days, row)
      guard mask != 0, mask < 128 else { throw RowFault(.days, row) }
      return .wall(WallSchedule(time: time, days: .weekly(WeekdaySet(rawValue: mask)), zone: zone))
    case .calendar:
      guard let calendar = row.text(.days).flatMap({ CalendarDays($0) }) else {
        throw RowFault(.days, row)
      }
      return .wall(WallSchedule(time: time, days: .calendar(calendar), zone: zone))
    }
  }

  private static func activity(
    _ phase: Int64,
    _ row: borrowing Statement,
    _ clocks: StoreClocks
  ) throws(RowFault) -> Activity {
    guard let code = PhaseCode(rawValue: phase) else { throw RowFault(.phase, row) }
    let state: Activity.Phase
    switch code {
    case .countdown:
      guard let end = deadline(row, clocks) else { throw RowFault(.endWall, row) }
      state = .countdown(
        Activity.Countdown(
          start: try instant(.began, row),
          end: end,
          total: try number(.total, row),
          elapsed: try number(.elapsed, row),
          isSnooze: row.integer(.snooze) != 0
        )
      )
    case .paused:
      state = .paused(
        total: try number(.total, row),
        elapsed: try number(.elapsed, row),
        isSnooze: row.integer(.snooze) != 0
      )
    case .alerting:
      state = .alerting(
        Activity.Alert(
          fired: try instant(.began, row),
          late: try number(.late, row),
          end: deadline(row, clocks)
        )
      )
    }
    var activity = Activity(
      origin: try instant(.origin, row),
      date: try date(.date, row),
      due: try instant(.due, row),
      phase: state
    )
    activity.snoozes = try number(.snoozes, row)
    activity.autoSnoozes = try number(.autoSnoozes, row)
    activity.isTrusted = row.integer(.trusted) != 0
    return activity
  }

  /// The deadline in the row; after another boot its place on the clock since boot is found anew
  /// from the wall clock, which is all the two boots have in common.
  private static func deadline(
    _ row: borrowing Statement,
    _ clocks: StoreClocks
  ) -> Activity.Deadline? {
    guard let wall = row.optionalInteger(.endWall) else { return nil }
    var boot = row.optionalInteger(.endBoot)
    if boot != nil, row.text(.boot) != clocks.bootID {
      boot = clocks.bootNow &+ (wall &- clocks.wallNow.microseconds)
    }
    return Activity.Deadline(wall: Instant(microseconds: wall), boot: boot)
  }

  private static func instant(
    _ column: AlarmColumn,
    _ row: borrowing Statement
  ) throws(RowFault) -> Instant {
    Instant(microseconds: try number(column, row))
  }

  private static func date(
    _ column: AlarmColumn,
    _ row: borrowing Statement
  ) throws(RowFault) -> CivilDate? {
    guard let value = row.optionalInteger(column) else { return nil }
    guard row.isInteger(column.rawValue), let date = CivilDate(stored: value) else {
      throw RowFault(column, row)
    }
    return date
  }

  private static func number<Number: FixedWidthInteger>(
    _ column: AlarmColumn,
    _ row: borrowing Statement
  ) throws(RowFault) -> Number {
    guard row.isInteger(column.rawValue), let value = Number(exactly: row.integer(column)) else {
      throw RowFault(column, row)
    }
    return value
  }
}
