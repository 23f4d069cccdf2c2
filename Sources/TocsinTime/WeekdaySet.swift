/// A set of weekdays in one byte.
public struct WeekdaySet: OptionSet, Sendable, Hashable {
  /// Bit 0 is Monday, bit 6 Sunday; bit 7 is always clear.
  public let rawValue: UInt8

  /// The set with these bits; bit 7 is dropped.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue & 0x7f
  }

  /// The set of this one day.
  public init(_ day: Weekday) {
    self.init(rawValue: 1 << day.rawValue)
  }

  /// The set of these days.
  public init(_ days: some Sequence<Weekday>) {
    self.init(rawValue: days.reduce(0) { $0 | 1 << $1.rawValue })
  }

  /// Monday.
  public static let mon = WeekdaySet(.mon)
  /// Tuesday.
  public static let tue = WeekdaySet(.tue)
  /// Wednesday.
  public static let wed = WeekdaySet(.wed)
  /// Thursday.
  public static let thu = WeekdaySet(.thu)
  /// Friday.
  public static let fri = WeekdaySet(.fri)
  /// Saturday.
  public static let sat = WeekdaySet(.sat)
  /// Sunday.
  public static let sun = WeekdaySet(.sun)
  /// All seven days.
  public static let everyDay = WeekdaySet(rawValue: 0x7f)
  /// Monday to Friday.
  public static let weekdays = WeekdaySet(rawValue: 0x1f)
  /// Saturday and Sunday.
  public static let weekends = WeekdaySet(rawValue: 0x60)

  /// Whether the day is in the set.
  public func contains(_ day: Weekday) -> Bool {
    rawValue & (1 << day.rawValue) != 0
  }

  /// The days of the set, Monday first.
  public var days: [Weekday] {
    Weekday.allCases.filter { contains($0) }
  }
}

extension WeekdaySet: Codable {
  /// Reads the set from an array of three-letter names in any order, such as ["mon", "fri"].
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var set: WeekdaySet = []
    for name in try container.decode([String].self) {
      guard let day = Weekday(name: name) else {
        throw DecodingError.dataCorruptedError(
          in: container,
          debugDescription:
            "\"\(name.shortened)\" is no weekday; they are mon, tue, wed, thu, fri, sat, sun"
        )
      }
      set.insert(WeekdaySet(day))
    }
    self = set
  }

  /// Writes the set as an array of three-letter names, Monday first.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(days.map(\.name))
  }
}
