import TocsinModel

/// Beyond Apple's: how many alarms may still be set.
extension AlarmManager {
  /// How many more alarms would be accepted now, from all programs together; 0 or more.
  ///
  /// The setting `alarm-limit` of plugins.conf is the limit. What `cancel(id:)` frees is free when it returns.
  ///
  /// - Throws: `Failure` if nothing answers.
  public var remainingCapacity: Int {
    get throws {
      let status = try serviceStatus()
      return max(0, status.limit - status.alarms)
    }
  }

  /// How the service does.
  ///
  /// - Throws: `Failure`.
  func serviceStatus() throws -> ServiceStatus {
    guard let status = try ask(.status).outcome.status else {
      throw Failure(.unavailable, message: "the service does not tell how it does")
    }
    return status
  }
}
