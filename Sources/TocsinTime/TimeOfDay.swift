/// What a clock on the wall shows, to the second; it belongs to no date and no zone.
public struct TimeOfDay: Hashable, Sendable {
  /// The hour, 0...23.
  public let hour: UInt8
  /// The minute, 0...59.
  public let minute: UInt8
  /// The second, 0...59.
  public let second: UInt8

  /// The time with these parts; nil unless 0...23, 0...59 and 0...59.
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
      return nil
    }
    self.hour = UInt8(hour)
    self.minute = UInt8(minute)
    self.second = UInt8(second)
  }

  /// The time that many seconds after midnight, any whole days taken off.
  public init(secondOfDay: Int) {
    let within = (secondOfDay % 86_400 + 86_400) % 86_400
    hour = UInt8(within / 3_600)
    minute = UInt8(within / 60 % 60)
    second = UInt8(within % 60)
  }

  /// 00:00.
  public static let midnight = TimeOfDay(secondOfDay: 0)

  /// Seconds after midnight, 0...86399.
  public var secondOfDay: Int {
    Int(hour) * 3_600 + Int(minute) * 60 + Int(second)
  }

  var withSeconds: String {
    "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
  }
}

extension TimeOfDay: Comparable {
  /// Whether the left time is earlier in the day.
  public static func < (left: TimeOfDay, right: TimeOfDay) -> Bool {
    left.secondOfDay < right.secondOfDay
  }
}

extension TimeOfDay: LosslessStringConvertible {
  /// The time as "07:00", or "07:00:30" if there are seconds.
  public var description: String {
    second == 0 ? "\(padded(hour, 2)):\(padded(minute, 2))" : withSeconds
  }

  /// Reads "07:00" or "07:00:30", two digits each; nil for anything else.
  public init?(_ description: String) {
    var reader = ByteReader(description)
    guard let hour = reader.number(digits: 2...2),
      reader.take(":") != nil,
      let minute = reader.number(digits: 2...2)
    else { return nil }
    var second = 0
    if reader.take(":") != nil {
      guard let digits = reader.number(digits: 2...2) else { return nil }
      second = digits
    }
    guard reader.atEnd else { return nil }
    self.init(hour: hour, minute: minute, second: second)
  }
}
