/// The columns of the table `alarms`, in the order in which they are bound and read.
enum AlarmColumn: Int32, CaseIterable {
  case id, title, enabled, schedule, at, days, zone
  case preAlert, postAlert, options, nextDate, lastDate, lastHour, skipDate, serial, retired
  case phase, origin, date, due, snoozes, autoSnoozes, trusted
  case began, endWall, endBoot, boot, total, elapsed, snooze, late

  /// Its name in SQL.
  var name: String {
    switch self {
    case .preAlert: "pre_alert"
    case .postAlert: "post_alert"
    case .nextDate: "next_date"
    case .lastDate: "last_date"
    case .lastHour: "last_hour"
    case .skipDate: "skip_date"
    case .autoSnoozes: "auto_snoozes"
    case .endWall: "end_wall"
    case .endBoot: "end_boot"
    case .id, .title, .enabled, .schedule, .at, .days, .zone, .options, .serial, .retired, .phase,
      .origin, .date, .due, .snoozes, .trusted, .began, .boot, .total, .elapsed, .snooze, .late:
      "\(self)"
    }
  }

  static let select = "SELECT \(names()) FROM alarms"

  // An upsert, not a REPLACE: columns this version does not know keep their values.
  static let upsert = """
    INSERT INTO alarms (\(names())) VALUES (\(allCases.map { "?\($0.parameter)" }.joined(separator: ", ")))
    ON CONFLICT (id) DO UPDATE SET \(names { "\($0) = excluded.\($0)" })
    """

  /// Its place among the parameters of `upsert`.
  var parameter: Int32 { rawValue + 1 }

  private static func names(_ form: (String) -> String = { $0 }) -> String {
    allCases.map { form($0.name) }.joined(separator: ", ")
  }
}

extension Statement {
  func isNull(_ column: AlarmColumn) -> Bool { isNull(column.rawValue) }
  func integer(_ column: AlarmColumn) -> Int64 { integer(column.rawValue) }
  func optionalInteger(_ column: AlarmColumn) -> Int64? { optionalInteger(column.rawValue) }
  func text(_ column: AlarmColumn) -> String? { text(column.rawValue) }
  func bind(_ column: AlarmColumn, _ value: Int64?) { bind(column.parameter, value) }
  func bind(_ column: AlarmColumn, _ value: Double?) { bind(column.parameter, value) }
  func bind(_ column: AlarmColumn, _ value: String?) { bind(column.parameter, value) }
  func bind(_ column: AlarmColumn, _ value: Bool) { bind(column.parameter, value ? 1 : 0 as Int64) }
}
