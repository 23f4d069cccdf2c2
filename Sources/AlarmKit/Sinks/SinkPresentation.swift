public import ActivityKit
import TocsinModel

extension AlarmManager {
  /// All that a sink needs to present one alarm as it is now.
  public struct SinkPresentation: Identifiable, Sendable {
    /// The alarm.
    public var id: Alarm.ID { state.alarmID }
    /// What a widget on Apple's systems draws from: the mode, and the dates of its countdown.
    public var state: AlarmPresentationState
    /// The title of this state: the alert's, the countdown's or the paused one's.
    public var title: String
    /// The colour of the alarm.
    public var tintColor: Color
    /// What can be pressed, in the order to show it.
    public var buttons: [Button]
    /// How many seconds late the alert began; 0 unless it rings.
    public var lateness: TimeInterval
    /// How often the alarm was snoozed so far.
    public var snoozes: Int
    /// The loudest it may be, 0 to 1: the alarm's own volume and what routes allow; nil is no limit.
    public var volumeLimit: Double?
    /// Whether it rang before the service was started again, so that it only goes on now.
    public var isResumed: Bool

    /// One button.
    public struct Button: Sendable {
      /// What pressing it means.
      public var role: Role
      /// What stands on it, and how it looks.
      public var button: AlarmButton
    }

    /// What a press means.
    public enum Role: Hashable, Sendable, CaseIterable {
      /// End it.
      case stop
      /// The program's own button: counts down again, or leaves the answer to its intent.
      case secondary
      /// Silence it and let it ring again later.
      case snooze
      /// Halt the countdown.
      case pause
      /// Go on with a countdown that was halted.
      case resume
    }

    /// The alarm as it was scheduled; nil if it is gone.
    let stored: TocsinModel.Alarm?
    /// What a press must name.
    let occurrence: OccurrenceID
    /// Sends a press, from any thread.
    let send: @Sendable (Intent) -> Void
  }
}

extension AlarmManager.SinkPresentation {
  /// Presses a button as a person at this sink does.
  ///
  /// The system acts first and then the intent runs, as with any other sink. What comes of it is told by
  /// `present` and `clear`; a press that comes too late, or that the state has no button for, does nothing.
  public func press(_ role: Role) {
    send(Intent(AlarmAction(role), .occurrence(occurrence)))
  }

  /// The attributes that the alarm was scheduled with.
  ///
  /// - Parameter metadata: the type of its metadata.
  /// - Returns: nil if this program did not schedule it, or with metadata of another shape.
  public func attributes<Metadata: AlarmMetadata>(
    metadata: Metadata.Type
  ) -> AlarmAttributes<Metadata>? {
    guard var stored else { return nil }
    // Whether this program has their types is no matter here.
    stored.options.intents = nil
    return try? AlarmManager.AlarmConfiguration<Metadata>(stored).attributes
  }

  /// What a widget's closure is given on Apple's systems: the attributes and the state.
  ///
  /// - Parameter metadata: the type of the alarm's metadata.
  /// - Returns: nil where `attributes(metadata:)` is.
  public func context<Metadata: AlarmMetadata>(
    for metadata: Metadata.Type
  ) -> ActivityViewContext<AlarmAttributes<Metadata>>? {
    attributes(metadata: metadata).map {
      ActivityViewContext(activityID: id.uuidString, attributes: $0, state: state)
    }
  }
}

extension AlarmAction {
  init(_ role: AlarmManager.SinkPresentation.Role) {
    self =
      switch role {
      case .stop: .stop
      case .secondary: .secondary
      case .snooze: .snooze
      case .pause: .pause
      case .resume: .resume
      }
  }
}
