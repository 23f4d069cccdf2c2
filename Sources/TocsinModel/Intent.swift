/// What a person can ask of an alarm that exists.
public enum AlarmAction: String, Codable, Sendable, CaseIterable {
  /// End this occurrence; a one-shot is then gone.
  case stop
  /// Silence it and alert again later.
  case snooze
  /// Halt a countdown.
  case pause
  /// Go on with a halted countdown.
  case resume
  /// The scheduling program's own button.
  case secondary
  /// Delete the alarm whatever its state.
  case cancel
  /// Leave out the next occurrence of a series.
  case skip
  /// Let a disabled alarm ring again.
  case enable
  /// Keep the alarm but let it not ring.
  case disable
  /// Move the end of a countdown.
  case extend
  /// Count again from the full length.
  case restart
}

/// Which alarms an action is meant for.
public enum AlarmTarget: Hashable, Sendable {
  /// The alarm with this occurrence under way; anything else is stale.
  case occurrence(OccurrenceID)
  /// One alarm by UUID, by a unique beginning of it, or by its title where that is unambiguous.
  case named(String)
  /// All that ring at this moment: what a hardware button means.
  case alerting
  /// The only alarm the action can apply to.
  case only
  /// All alarms the action can apply to.
  case all
}

/// An action on alarms, from a named source.
public struct Intent: Hashable, Sendable {
  /// What to do.
  public var action: AlarmAction
  /// To which alarms.
  public var target: AlarmTarget
  /// Seconds: the snooze's length, or how far to extend (below zero shortens).
  public var duration: Double?
  /// For `skip`: take an earlier skip back.
  public var undo: Bool

  /// Makes an intent.
  public init(
    _ action: AlarmAction,
    _ target: AlarmTarget,
    duration: Double? = nil,
    undo: Bool = false
  ) {
    self.action = action
    self.target = target
    self.duration = duration
    self.undo = undo
  }
}

extension Intent: Codable {
  enum CodingKeys: String, CodingKey {
    case action, occurrence, alarm, target, duration, undo
  }

  /// Decodes `action` with one of `occurrence`, `alarm`, or `target` (`alerting` or `all`).
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(container.decode(AlarmAction.self, forKey: .action), from: decoder)
  }

  /// Decodes everything but the action, which the message's type has named already.
  package init(_ action: AlarmAction, from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let target: AlarmTarget
    if let id = try container.decodeIfPresent(OccurrenceID.self, forKey: .occurrence) {
      target = .occurrence(id)
    } else if let name = try container.decodeIfPresent(String.self, forKey: .alarm) {
      target = .named(name)
    } else if let word = try container.decodeIfPresent(String.self, forKey: .target) {
      switch word {
      case "alerting": target = .alerting
      case "all": target = .all
      default:
        throw DecodingError.dataCorruptedError(
          forKey: .target,
          in: container,
          debugDescription: "target is \"alerting\" or \"all\", not \"\(word)\""
        )
      }
    } else {
      target = .only
    }
    self.init(
      action,
      target,
      duration: try container.decodeIfPresent(Double.self, forKey: .duration),
      undo: try container.decodeIfPresent(Bool.self, forKey: .undo) ?? false
    )
  }

  /// Encodes what `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(action, forKey: .action)
    switch target {
    case .occurrence(let id): try container.encode(id, forKey: .occurrence)
    case .named(let name): try container.encode(name, forKey: .alarm)
    case .alerting: try container.encode("alerting", forKey: .target)
    case .all: try container.encode("all", forKey: .target)
    case .only: break
    }
    try container.encodeIfPresent(duration, forKey: .duration)
    if undo { try container.encode(true, forKey: .undo) }
  }
}
