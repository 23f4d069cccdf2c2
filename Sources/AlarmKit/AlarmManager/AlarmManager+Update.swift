public import Foundation
import TocsinModel

/// Beyond Apple's: a change to an alarm that exists.
extension AlarmManager {
  /// Replaces all that was said of an alarm.
  ///
  /// What rings goes on ringing, and what counts down follows the new length. Whether it is enabled, and the
  /// date that it skips, stay unless the schedule is another.
  ///
  /// - Parameters:
  ///   - id: an alarm that exists.
  ///   - configuration: when, how and with what from now on.
  /// - Returns: the alarm as it stands.
  /// - Throws: `Failure`, such as `unknownAlarm`, `past`, `invalid` and `notAuthorized`; what encoding the
  ///   metadata or an intent throws.
  @discardableResult
  public func update<Metadata: AlarmMetadata>(
    id: Alarm.ID,
    configuration: AlarmConfiguration<Metadata>
  ) async throws -> Alarm {
    let isEnabled = try details(for: id).isEnabled
    return try await accept(configuration, as: id) { alarm in
      var alarm = alarm
      alarm.isEnabled = isEnabled
      return .update(alarm)
    }
  }
}
