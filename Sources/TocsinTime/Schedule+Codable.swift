private enum Key: String, CodingKey {
  case fixed, time, date, repeats, calendar, zone
}

extension Schedule: Codable {
  /// Reads `{"fixed": RFC 3339}`, or `{"time": "07:00"}` with the keys of a `WallSchedule`.
  ///
  /// Unknown keys are ignored.
  ///
  /// - Throws: `DecodingError` that names the key and says what it should hold.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard let instant = try container.decodeIfPresent(Instant.self, forKey: .fixed) else {
      self = .wall(try WallSchedule(from: decoder))
      return
    }
    if let other = [Key.time, .date, .repeats, .calendar, .zone].first(where: container.contains) {
      throw DecodingError.dataCorruptedError(
        forKey: other,
        in: container,
        debugDescription: "a schedule has either \"fixed\" or \"\(other.rawValue)\", not both"
      )
    }
    self = .fixed(instant)
  }

  /// Writes the same object that is read.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .fixed(let instant):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(instant, forKey: .fixed)
    case .wall(let schedule):
      try schedule.encode(to: encoder)
    }
  }
}

extension WallSchedule: Codable {
  /// Reads `"time"`, at most one of `"date"`, `"repeats"`, `"calendar"`, and perhaps `"zone"`.
  ///
  /// - Throws: `DecodingError` that names the key and says what it should hold.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    guard container.contains(.time) else {
      throw DecodingError.keyNotFound(
        Key.time,
        DecodingError.Context(
          codingPath: container.codingPath,
          debugDescription: "a schedule has \"fixed\" (an instant) or \"time\" (such as 07:00)"
        )
      )
    }
    time = try container.text(.time, TimeOfDay.init, "a time from 00:00 to 23:59, such as 07:00")
    zone = try container.decodeIfPresent(String.self, forKey: .zone)
    if let zone, zone.isEmpty || zone.utf8.count > 255 {
      throw DecodingError.dataCorruptedError(
        forKey: .zone,
        in: container,
        debugDescription: "a zone is a name such as Europe/Berlin; leave it out for the machine's"
      )
    }
    let present = [Key.date, .repeats, .calendar].filter(container.has)
    if present.count > 1 {
      throw DecodingError.dataCorruptedError(
        forKey: present[1],
        in: container,
        debugDescription:
          "a schedule has either \"\(present[0].rawValue)\" or \"\(present[1].rawValue)\", not both"
      )
    }
    switch present.first {
    case .date:
      days = .on(
        try container.text(.date, { CivilDate($0) }, "a date that exists, such as 2027-03-28")
      )
    case .repeats:
      let set = try container.decode(WeekdaySet.self, forKey: .repeats)
      guard !set.isEmpty else {
        throw DecodingError.dataCorruptedError(
          forKey: .repeats,
          in: container,
          debugDescription: "\"repeats\" names no day; leave it out for an alarm that rings once"
        )
      }
      days = .weekly(set)
    case .calendar:
      days = .calendar(
        try container.text(.calendar, { CalendarDays($0) }, "dates such as *-*-01 or Mon *-*-1..7")
      )
    default:
      days = .once
    }
  }

  /// Writes the same object that is read.
  ///
  /// - Throws: `EncodingError` for an empty set of weekdays, which nothing could read back.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(time.description, forKey: .time)
    try container.encodeIfPresent(zone, forKey: .zone)
    switch days {
    case .once: break
    case .on(let date): try container.encode(date.description, forKey: .date)
    case .weekly(let set):
      guard !set.isEmpty else {
        throw EncodingError.invalidValue(
          set,
          EncodingError.Context(
            codingPath: container.codingPath,
            debugDescription: "the schedule repeats on no day"
          )
        )
      }
      try container.encode(set, forKey: .repeats)
    case .calendar(let days): try container.encode(days.description, forKey: .calendar)
    }
  }
}

extension KeyedDecodingContainer<Key> {
  /// Whether the key is there with a value other than null.
  fileprivate func has(_ key: Key) -> Bool {
    guard contains(key), let isNull = try? decodeNil(forKey: key) else { return false }
    return !isNull
  }

  fileprivate func text<Value>(
    _ key: Key,
    _ read: (String) -> Value?,
    _ wanted: String
  ) throws -> Value {
    let text = try decode(String.self, forKey: key)
    guard let value = read(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key,
        in: self,
        debugDescription: "\"\(text.shortened)\" is not \(wanted)"
      )
    }
    return value
  }
}
