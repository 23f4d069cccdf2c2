public import AlarmKit
import Synchronization
import TocsinTime

/// Alarms for tests: a manager, the whole service behind it, and clocks that only the test moves.
///
/// A week passes in a moment, and everything in it happens in order: what rings is recorded, buttons are pressed as
/// a person would press them, and the intents behind them have run when the call returns. Nothing outside the
/// process is touched, and nobody sleeps.
///
/// ```swift
/// let alarms = try TestAlarms(now: Date(timeIntervalSince1970: 1_800_000_000))
/// let id = UUID()
/// try await alarms.manager.schedule(id: id, configuration: eggTimer)
/// await alarms.advance(by: .seconds(360))
/// #expect(alarms.presentations.last?.title == "Eggs are ready")
/// try await alarms.press(.stop, on: id)
/// #expect(alarms.manager.alarms.isEmpty)
/// ```
///
/// Code that uses `AlarmManager.shared` is tested as it is within `run(_:)`.
///
/// Safe to be used from any task; one test at a time moves its clocks.
public final class TestAlarms: Sendable {
  let service: TestService
  let program: Mutex<Program>

  /// The program under test: its manager, and whether it runs.
  struct Program {
    var manager: AlarmManager
    var runs = true
  }

  /// Begins with no alarms.
  ///
  /// - Parameters:
  ///   - now: what the wall clock reads.
  ///   - timeZone: the machine's time zone.
  ///   - application: what the program under test is called.
  ///   - authorization: whether it may set alarms; `notDetermined` until it asks.
  ///   - alarmLimit: how many alarms are accepted.
  /// - Throws: what keeps the service from starting, such as a time zone that the machine does not know.
  public init(
    now: Date = Date(timeIntervalSince1970: 1_798_761_600),
    timeZone: TimeZone = .gmt,
    application: String = "test",
    authorization: AlarmManager.AuthorizationState = .authorized,
    alarmLimit: Int = 10_000
  ) throws {
    guard let begin = Instant(now) else {
      throw TestAlarmsError("\(now.timeIntervalSince1970) s after 1970 is nothing a clock can read")
    }
    service = try TestService(
      now: begin,
      application: application,
      machine: TestMachine(
        zone: timeZone.identifier,
        authorization: authorization,
        alarmLimit: alarmLimit
      )
    )
    program = Mutex(Program(manager: service.makeManager()))
  }

  deinit {
    manager.close()
    service.end()
  }

  /// The manager of the program under test; another one after each `restartProgram()`.
  public var manager: AlarmManager { program.withLock { $0.manager } }

  /// The manager of another program with the same service, which runs as long as the manager is kept.
  ///
  /// - Parameter application: what it is called.
  /// - Returns: a manager that sees the alarms of that program alone.
  public func makeManager(application: String) -> AlarmManager {
    service.makeManager(application: application)
  }

  /// What the wall clock reads.
  public var now: Date { Date(service.clocks.wallNow()) }

  /// Runs code in which `AlarmManager.shared` is this manager.
  ///
  /// - Parameters:
  ///   - isolation: the actor that the code runs on; the caller's.
  ///   - body: the code.
  /// - Returns: what the code returns.
  /// - Throws: what the code throws.
  @discardableResult
  public func run<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await AlarmManager.$substitute.withValue(manager, operation: body)
  }

  /// Waits until everything that was set going has happened and all intents have run.
  ///
  /// All other calls do so before they return; it is for what a program under test does in tasks of its own.
  public func settle() async {
    let current = program.withLock { $0 }
    // What an intent does may call for something to be presented, but no more intents.
    await service.sink.catchUp()
    if current.runs { await current.manager.settle() }
    await service.sink.catchUp()
  }
}
