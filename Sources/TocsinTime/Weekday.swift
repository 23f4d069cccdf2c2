/// A day of the week; Monday first, as ISO 8601 counts.
///
/// The order is never a number on the wire: text and JSON carry the names, since three ways of
/// numbering days are in use and mixing them moves an alarm by a day.
public enum Weekday: UInt8, CaseIterable, Sendable, Hashable {
  /// Monday.
  case mon
  /// Tuesday.
  case tue
  /// Wednesday.
  case wed
  /// Thursday.
  case thu
  /// Friday.
  case fri
  /// Saturday.
  case sat
  /// Sunday.
  case sun

  /// The three letters of the name in lower case, such as "mon".
  public var name: String {
    switch self {
    case .mon: "mon"
    case .tue: "tue"
    case .wed: "wed"
    case .thu: "thu"
    case .fri: "fri"
    case .sat: "sat"
    case .sun: "sun"
    }
  }

  /// The day with these three letters, in lower case; nil if there is none.
  public init?(name: some StringProtocol) {
    guard let day = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = day
  }

  /// The three letters with a capital, such as "Mon".
  public var title: String {
    name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The whole name with a capital, such as "Monday".
  var fullName: String {
    switch self {
    case .mon: "Monday"
    case .tue: "Tuesday"
    case .wed: "Wednesday"
    case .thu: "Thursday"
    case .fri: "Friday"
    case .sat: "Saturday"
    case .sun: "Sunday"
    }
  }
}
