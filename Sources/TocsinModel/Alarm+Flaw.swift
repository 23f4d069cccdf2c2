import TocsinTime

extension Alarm {
  /// What makes this alarm one that cannot be meant; nil if nothing does.
  ///
  /// The first flaw found, as a refusal with a sentence for a person.
  public var flaw: ServiceError? {
    if title.bytesInLine > AlarmLimits.titleBytes {
      return ServiceError(.tooLarge, "the title is longer than \(AlarmLimits.titleBytes) bytes")
    }
    if schedule == nil, countdown.preAlert == nil {
      return ServiceError(.invalid, "an alarm needs a schedule, a timer a countdown")
    }
    guard hasPlausibleLengths else {
      return ServiceError(
        .invalid,
        "a countdown takes more than 0 s, a ring at least 0 s, each at most 400 days"
      )
    }
    if case .wall(let wall) = schedule, case .weekly(let days) = wall.days, days.isEmpty {
      return ServiceError(.invalid, "a weekly alarm needs a day")
    }
    return options.flaw
  }
}

extension String {
  /// How long it is in a line of the protocol: what JSON escapes takes up to six bytes for one.
  fileprivate var bytesInLine: Int {
    utf8.reduce(0) { count, byte in
      switch byte {
      case ..<0x20: count + 6
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): count + 2
      default: count + 1
      }
    }
  }
}

extension Alarm {
  /// Whether its countdown, snooze and ring are lengths that can be calculated with.
  package var hasPlausibleLengths: Bool {
    for length in [countdown.preAlert, countdown.postAlert] {
      guard let length else { continue }
      guard length > 0, length <= AlarmLimits.countdownSeconds else { return false }
    }
    return options.ringFor.map { (0...AlarmLimits.countdownSeconds).contains($0) } ?? true
  }
}

extension AlarmOptions {
  /// What makes these options ones that cannot be meant; nil if nothing does.
  var flaw: ServiceError? {
    func outside(_ value: Double?, _ range: ClosedRange<Double>) -> Bool {
      value.map { !range.contains($0) } ?? false
    }
    if outside(volume, 0...1) { return ServiceError(.invalid, "volume is between 0 and 1") }
    if outside(fade, 0...3_600) {
      return ServiceError(.invalid, "fade is between 0 and 3600 s")
    }
    if outside(priority.map(Double.init), -100...100) {
      return ServiceError(.invalid, "priority is between -100 and 100")
    }
    if outside(snoozeLimit.map(Double.init), 0...1_000)
      || outside(autoSnooze.map(Double.init), 0...1_000)
    {
      return ServiceError(.invalid, "snoozeLimit and autoSnooze are between 0 and 1000")
    }
    if let application {
      guard (1...Join.nameLimit).contains(application.utf8.count) else {
        return ServiceError(.invalid, "a program's name has 1 to \(Join.nameLimit) bytes")
      }
      guard application.printable == application else {
        return ServiceError(.invalid, "a program's name holds no control characters")
      }
    }
    guard hasText, let size = try? JSONLine.encode(self).count, size > AlarmLimits.optionsBytes
    else { return nil }
    return ServiceError(
      .tooLarge,
      "sound, labels, metadata, buttons, titles, intents and attributes are longer than 32 KiB together"
    )
  }

  /// Whether any of them is a text, or may hold one, so that their length has to be looked at.
  private var hasText: Bool {
    labels != nil || metadata != nil || buttons != nil || tint != nil || sound != nil
      || titles != nil || intents != nil || attributes != nil
  }
}
