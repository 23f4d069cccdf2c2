package import TocsinApplication

/// Sets alarms and timers, and tells how they stand.
///
/// A program's alarms ring whether or not it runs, as long as the daemon does. Without a daemon the same
/// service runs inside the program, see `Connection`. The intents of their buttons wait until the program
/// runs again and touches its manager: so touch `AlarmManager.shared` at the start, also in a program that
/// only wants to set an alarm now and then. An intent that the end of the program cut short
/// runs again.
///
/// ```swift
/// let manager = AlarmManager.shared
/// let alert = AlarmPresentation.Alert(title: "Tea is ready")
/// try await manager.schedule(
///   id: UUID(),
///   configuration: .timer(
///     duration: 240,
///     attributes: AlarmAttributes<NoMetadata>(presentation: .init(alert: alert), tintColor: .green)
///   )
/// )
/// ```
///
/// All calls may be made from any task and any thread, also from the main actor. Those that are not `async`
/// wait for their answer, at most 5 seconds, and for nothing that needs the caller's executor.
public final class AlarmManager: Sendable {
  /// The manager of this program; within an intent, the one that runs the intent.
  ///
  /// It keeps alarms where the environment variable TOCSIN_ALARMKIT says (`automatic`, `daemon`,
  /// `embedded` or `ephemeral`; `automatic` if it is not set), under the name that TOCSIN_APPLICATION
  /// says, else under the bundle's identifier or the program's file name.
  public static var shared: AlarmManager { substitute ?? ofProcess }

  /// The manager that `shared` is within a task, in place of the program's own.
  @TaskLocal package static var substitute: AlarmManager?

  private static let ofProcess = AlarmManager(connection: .environment)

  /// The name that the program's alarms are kept under.
  public var application: String { link.options.application }

  package let link: ApplicationLink
  let intents: IntentRunner

  /// Makes a manager of its own, beside `shared`.
  ///
  /// It looks for the service at once, without anybody waiting for that, and runs the intents that have
  /// waited for this program, as long as it is kept.
  ///
  /// - Parameters:
  ///   - connection: where the alarms are kept.
  ///   - application: the name they are kept under, the same each time the program runs, 1 to 255 bytes;
  ///     as `shared` has it if nil.
  public convenience init(connection: Connection, application: String? = nil) {
    self.init(
      connection: connection,
      application: application,
      environment: ProcessInfo.processInfo.environment,
      answerTime: .seconds(5)
    )
  }

  /// Makes a manager in another environment, whose calls wait that long for their answer.
  package convenience init(
    connection: Connection,
    application: String?,
    environment: [String: String],
    answerTime: Duration = .seconds(5)
  ) {
    var options = ApplicationOptions(
      application: application ?? Self.applicationName(environment: environment),
      environment: environment
    )
    options.answerTime = answerTime
    options.place = connection.place(environment: environment)
    self.init(options)
  }

  package init(_ options: ApplicationOptions) {
    link = ApplicationLink(options)
    intents = IntentRunner()
    intents.begin(for: self)
    // Whoever only follows updates is thrown nothing.
    if case .nowhere(let reason) = options.place { StandardError.say(reason) }
  }

  /// Leaves its alarms to themselves, as the end of the program would; nothing can be asked for afterwards.
  package func close() { link.close() }

  /// Waits until all that the service has sent so far is here, and each intent in it has run.
  package func settle() async { await link.settle() }
}
