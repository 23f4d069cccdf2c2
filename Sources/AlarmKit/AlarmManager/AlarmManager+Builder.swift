extension AlarmManager {
  /// Accepts an alarm or a timer that is put together from its parts.
  ///
  /// ```swift
  /// try await AlarmManager.shared.schedule(id: UUID()) {
  ///   CountdownDuration(preAlert: 600, postAlert: nil)
  ///   AlarmPresentation.Alert(title: "Eggs are ready")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: the alarm's identity, which no other alarm has.
  ///   - isolation: the actor that the parts are put together on; the caller's.
  ///   - configuration: the parts, in any order; of two of a kind the later one counts.
  /// - Returns: the alarm as it stands.
  /// - Throws: as `schedule(id:configuration:)`, and what the closure throws.
  @discardableResult
  public func schedule(
    id: Alarm.ID,
    isolation: isolated (any Actor)? = #isolation,
    @AlarmConfigurationBuilder _ configuration: () throws -> AlarmConfiguration<NoMetadata>
  ) async throws -> Alarm {
    try await schedule(id: id, configuration: try configuration())
  }
}
