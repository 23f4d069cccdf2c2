public import TocsinTime

/// An intent of a program, as far as anybody but that program can know it: what it is called and with what.
///
/// The program finds its type by the name and fills in the parameters, also after it was started again.
public struct IntentCall: Hashable, Sendable, Codable {
  /// The name that the program finds the type by.
  public var type: String
  /// Its parameters by their names; nil without any.
  public var parameters: JSONValue?

  /// Names an intent.
  public init(type: String, parameters: JSONValue? = nil) {
    self.type = type
    self.parameters = parameters
  }
}

/// What an alarm's program wants to run when a person answers.
public struct AlarmIntents: Hashable, Sendable, Codable {
  /// After the alarm was stopped.
  public var stop: IntentCall?
  /// After the secondary button was pressed.
  public var secondary: IntentCall?

  /// Names the intents; both may be left out.
  public init(stop: IntentCall? = nil, secondary: IntentCall? = nil) {
    self.stop = stop
    self.secondary = secondary
  }
}

/// An answer whose intent has not run yet; kept until the program says that it has.
public struct PendingIntent: Hashable, Sendable, Codable {
  /// Tells it from all others of this store, also those that have run.
  public var number: UInt64
  /// The program that is to run it.
  public var application: String
  /// The alarm that was answered; it may be gone by now.
  public var alarm: AlarmID
  /// The occurrence that was answered.
  public var occurrence: OccurrenceID
  /// `stop` or `secondary`: which of the alarm's intents it is.
  public var action: AlarmAction
  /// What the system has done itself before: `stop`, `snooze`, or nothing for a custom button.
  public var done: AlarmAction?
  /// Who answered.
  public var source: String
  /// When.
  public var at: Instant
  /// What to run.
  public var call: IntentCall

  package init(
    number: UInt64,
    application: String,
    occurrence: OccurrenceID,
    action: AlarmAction,
    done: AlarmAction?,
    source: String,
    at: Instant,
    call: IntentCall
  ) {
    self.number = number
    self.application = application
    alarm = occurrence.alarm
    self.occurrence = occurrence
    self.action = action
    self.done = done
    self.source = source
    self.at = at
    self.call = call
  }
}
