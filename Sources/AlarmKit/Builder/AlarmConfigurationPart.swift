public import AppIntents

/// A part of an alarm that is put together by `AlarmConfigurationBuilder`.
public struct AlarmConfigurationPart: Sendable {
  typealias Configuration = AlarmManager.AlarmConfiguration<NoMetadata>

  let apply: @Sendable (inout Configuration) -> Void

  init(_ apply: @escaping @Sendable (inout Configuration) -> Void) { self.apply = apply }

  init(_ parts: [AlarmConfigurationPart]) {
    self.init { configuration in
      for part in parts { part.apply(&configuration) }
    }
  }

  /// What the program does after a person has stopped it.
  public static func stopIntent(_ intent: any LiveActivityIntent) -> AlarmConfigurationPart {
    AlarmConfigurationPart { $0.stopIntent = intent }
  }

  /// What the program does after a person has pressed the secondary button.
  public static func secondaryIntent(_ intent: any LiveActivityIntent) -> AlarmConfigurationPart {
    AlarmConfigurationPart { $0.secondaryIntent = intent }
  }
}

extension AlarmPresentation {
  /// Whether nothing is in it: what `AlarmAttributes(tintColor:)` holds.
  var isBlank: Bool {
    String(localized: alert.title).isEmpty && alert.secondaryButton == nil && countdown == nil
      && paused == nil
  }
}
