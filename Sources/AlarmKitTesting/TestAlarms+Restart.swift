public import AlarmKit

extension TestAlarms {
  /// Ends the program under test and starts it again: it has another `manager`, and knows no intents.
  ///
  /// Intents that wait have run when this returns.
  public func restartProgram() async {
    await endProgram()
    await startProgram()
  }

  /// Ends the program under test; its alarms ring on, and its intents wait.
  public func endProgram() async {
    await settle()
    program.withLock { $0.runs = false }
    manager.close()
    await settle()
  }

  /// Starts the program under test after `endProgram()`: it has another `manager`, which has read its alarms.
  ///
  /// Intents that wait have run when this returns.
  public func startProgram() async {
    program.withLock { program in
      guard !program.runs else { return }
      program = Program(manager: service.makeManager())
    }
    await settle()
  }

  /// Ends the service, as if the daemon were restarted, and starts it again with the same alarms.
  ///
  /// No time passes meanwhile. The program under test has found the service again when this returns, and what
  /// is presented has been presented once more.
  ///
  /// - Throws: what keeps the service from starting.
  public func restartService() async throws {
    await settle()
    try await service.restart()
    await settle()
  }

  /// Says otherwise whether the program under test may set alarms, as plugins.conf would.
  ///
  /// - Parameter authorization: what is the case now; `notDetermined` until it asks.
  /// - Throws: `TestAlarmsError` if the service does not take it.
  public func setAuthorization(_ authorization: AlarmManager.AuthorizationState) async throws {
    service.machine.authorization = authorization
    try await service.sink.ask(.reload)
    await settle()
  }
}
