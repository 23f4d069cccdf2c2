import TocsinModel

/// Beyond Apple's: a change to an alarm that exists.
extension AlarmManager {
  /// Replaces all that was said of an alarm.
  ///
  /// What rings goes on ringing, and what counts down follows the new length. A date that is skipped stays
  /// so unless the schedule is another. `details(for:)` has the configuration it was set with, to be changed.
  ///
  /// - Parameters:
  ///   - id: an alarm that exists.
  ///   - configuration: when, how and with what from now on.
  /// - Returns: the alarm as it stands.
  /// - Throws: `Failure`, such as `unknownAlarm`, `past`, `invalid` and `notAuthorized`; `IntentCodingError` for an
  ///   intent that cannot be made again later.
  @discardableResult
  public func update<Metadata: AlarmMetadata>(
    id: Alarm.ID,
    configuration: AlarmConfiguration<Metadata>
  ) async throws -> Alarm {
    try await accept(configuration, as: id) { .update($0) }
  }
}
