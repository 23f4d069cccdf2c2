/// How an alarm sounds, looks and ends; nil leaves a choice to the sink or the daemon.
public struct AlarmOptions: Hashable, Sendable, Codable {
  /// A file, a name of the sound theme, or `none` for an alarm that only shows.
  public var sound: String?
  /// Loudness, 0...1.
  public var volume: Double?
  /// Seconds over which the sound grows to its volume.
  public var fade: Double?
  /// Who is heard when several ring: the higher, -100...100; 0 if nil.
  public var priority: Int?
  /// Words for routes and filters.
  public var labels: [String]?
  /// Anything the program that scheduled it wants back with each event.
  public var metadata: JSONValue?
  /// The colour its presentations are drawn in, as the scheduling program wrote it.
  public var tint: String?
  /// Texts and looks that replace the built-in buttons of the same role.
  public var buttons: [AlarmButton]?
  /// How often it may be snoozed by hand; unlimited if nil, never if 0.
  public var snoozeLimit: Int?
  /// Seconds it rings unanswered before it snoozes itself or is missed; 0 rings until answered.
  public var ringFor: Double?
  /// How often it snoozes itself unanswered before it counts as missed.
  public var autoSnooze: Int?
  /// The name of the program it belongs to; nil for a person's own.
  public var application: String?
  /// What is shown instead of the title while it counts or is halted.
  public var titles: Titles?
  /// Whether its own buttons are all there are, beside stop; nil adds the built-in ones.
  public var exactButtons: Bool?
  /// What its program wants to run when a person answers; no part of events.
  public var intents: AlarmIntents?
  /// What its program wants back of it later; no part of events.
  public var attributes: JSONValue?

  /// The titles of states that have their own.
  public struct Titles: Hashable, Sendable, Codable {
    /// While it counts down, also a snooze.
    public var countdown: String?
    /// While its countdown is halted.
    public var paused: String?

    /// Names the titles; both may be left out.
    public init(countdown: String? = nil, paused: String? = nil) {
      self.countdown = countdown
      self.paused = paused
    }
  }

  /// Makes options that leave every choice open.
  public init() {}

  /// Whether every choice is open, so that there is nothing to write.
  var isOpen: Bool { self == AlarmOptions() }
}

extension AlarmOptions {
  /// Decodes all but the buttons, which an event holds in its own way.
  init(besideButtons decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    sound = try container.decodeIfPresent(String.self, forKey: .sound)
    volume = try container.decodeIfPresent(Double.self, forKey: .volume)
    fade = try container.decodeIfPresent(Double.self, forKey: .fade)
    priority = try container.decodeIfPresent(Int.self, forKey: .priority)
    labels = try container.decodeIfPresent([String].self, forKey: .labels)
    metadata = try container.decodeIfPresent(JSONValue.self, forKey: .metadata)
    tint = try container.decodeIfPresent(String.self, forKey: .tint)
    snoozeLimit = try container.decodeIfPresent(Int.self, forKey: .snoozeLimit)
    ringFor = try container.decodeIfPresent(Double.self, forKey: .ringFor)
    autoSnooze = try container.decodeIfPresent(Int.self, forKey: .autoSnooze)
    application = try container.decodeIfPresent(String.self, forKey: .application)
  }
}

/// One button of a presentation.
public struct AlarmButton: Hashable, Sendable, Codable {
  /// What pressing it means.
  public var role: AlarmAction
  /// What stands on it.
  public var text: String
  /// The text's colour, as the scheduling program wrote it.
  public var color: String?
  /// The name of its symbol.
  public var symbol: String?
  /// For `secondary`: `countdown` snoozes, `custom` leaves the answer to the program.
  public var behavior: Behavior?

  /// What the system does itself when a secondary button is pressed.
  public enum Behavior: String, Codable, Sendable, CaseIterable {
    /// The alarm is snoozed.
    case countdown
    /// Nothing: the alarm rings on until the program ends it.
    case custom
  }

  /// Makes a button.
  public init(
    role: AlarmAction,
    text: String,
    color: String? = nil,
    symbol: String? = nil,
    behavior: Behavior? = nil
  ) {
    self.role = role
    self.text = text
    self.color = color
    self.symbol = symbol
    self.behavior = behavior
  }
}

extension AlarmButton: JSONObject {
  /// Encodes what stands on it and what it means.
  public func encode(to encoder: any Encoder) throws { try encoder.write(self) }

  func writeMembers(to text: inout JSONText) throws {
    text.member(CodingKeys.role, name: role)
    text.member(CodingKeys.text, self.text)
    if let color { text.member(CodingKeys.color, color) }
    if let symbol { text.member(CodingKeys.symbol, symbol) }
    if let behavior { text.member(CodingKeys.behavior, name: behavior) }
  }
}
