public import ActivityKit

// The method that takes such a closure is isolated to whoever calls it, so that a closure written on the main actor
// need not be sent anywhere; it calls the closure before it suspends:
//
//   @discardableResult
//   public func schedule(
//     id: Alarm.ID,
//     isolation: isolated (any Actor)? = #isolation,
//     @AlarmConfigurationBuilder _ configuration: () throws -> AlarmManager.AlarmConfiguration<NoMetadata>
//   ) async throws -> Alarm

/// Puts an alarm together from its parts, in any order; of two of a kind the later one counts.
///
/// Such an alarm has no metadata: one with metadata is an `AlarmManager.AlarmConfiguration`.
@resultBuilder
public enum AlarmConfigurationBuilder {
  /// Takes the countdown and the snooze.
  public static func buildExpression(_ part: Alarm.CountdownDuration) -> AlarmConfigurationPart {
    AlarmConfigurationPart { $0.countdownDuration = part }
  }

  /// Takes when it rings.
  public static func buildExpression(_ part: Alarm.Schedule) -> AlarmConfigurationPart {
    AlarmConfigurationPart { $0.schedule = part }
  }

  /// Takes what is shown while it rings.
  public static func buildExpression(_ part: AlarmPresentation.Alert) -> AlarmConfigurationPart {
    AlarmConfigurationPart { $0.attributes.presentation.alert = part }
  }

  /// Takes what is shown while it counts down.
  public static func buildExpression(
    _ part: AlarmPresentation.Countdown
  ) -> AlarmConfigurationPart {
    AlarmConfigurationPart { $0.attributes.presentation.countdown = part }
  }

  /// Takes what is shown while its countdown is halted.
  public static func buildExpression(_ part: AlarmPresentation.Paused) -> AlarmConfigurationPart {
    AlarmConfigurationPart { $0.attributes.presentation.paused = part }
  }

  /// Takes all that is shown.
  public static func buildExpression(_ part: AlarmPresentation) -> AlarmConfigurationPart {
    AlarmConfigurationPart { $0.attributes.presentation = part }
  }

  /// Takes the colour, and what is shown if it holds that too.
  public static func buildExpression(
    _ part: AlarmAttributes<NoMetadata>
  ) -> AlarmConfigurationPart {
    AlarmConfigurationPart {
      $0.attributes.tintColor = part.tintColor
      if !part.presentation.isBlank { $0.attributes.presentation = part.presentation }
    }
  }

  /// Takes what is heard.
  public static func buildExpression(
    _ part: AlertConfiguration.AlertSound
  ) -> AlarmConfigurationPart {
    AlarmConfigurationPart { $0.sound = part }
  }

  /// Takes a part that is one already, such as an intent.
  public static func buildExpression(_ part: AlarmConfigurationPart) -> AlarmConfigurationPart {
    part
  }

  /// Puts parts together.
  public static func buildBlock(_ parts: AlarmConfigurationPart...) -> AlarmConfigurationPart {
    AlarmConfigurationPart(parts)
  }

  /// Takes the parts of an `if` without `else`.
  public static func buildOptional(_ part: AlarmConfigurationPart?) -> AlarmConfigurationPart {
    part ?? AlarmConfigurationPart([])
  }

  /// Takes the parts of an `if`.
  public static func buildEither(first part: AlarmConfigurationPart) -> AlarmConfigurationPart {
    part
  }

  /// Takes the parts of an `else`.
  public static func buildEither(second part: AlarmConfigurationPart) -> AlarmConfigurationPart {
    part
  }

  /// Takes the parts of a loop.
  public static func buildArray(_ parts: [AlarmConfigurationPart]) -> AlarmConfigurationPart {
    AlarmConfigurationPart(parts)
  }

  /// Takes the parts behind `if #available`.
  public static func buildLimitedAvailability(
    _ part: AlarmConfigurationPart
  ) -> AlarmConfigurationPart {
    part
  }

  /// Makes the configuration of all parts.
  public static func buildFinalResult(
    _ part: AlarmConfigurationPart
  ) -> AlarmManager.AlarmConfiguration<NoMetadata> {
    var configuration = AlarmManager.AlarmConfiguration(
      attributes: AlarmAttributes(tintColor: .accentColor)
    )
    part.apply(&configuration)
    return configuration
  }
}
