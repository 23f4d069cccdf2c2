import AlarmKit
import Synchronization
import TocsinModel
import TocsinService
import TocsinTime

/// The service behind a test: on clocks that stand, with its store and its socket in a folder of its own.
final class TestService: Sendable {
  let clocks: ManualClocks
  let machine: TestMachine
  private let application: String
  private let folder: TestFolder
  private let parts: Mutex<Parts>

  /// What is made anew when the service is restarted.
  private struct Parts: Sendable {
    var service: EmbeddedService
    var sink: RecordingSink
  }

  init(now: Instant, application: String, machine: TestMachine) throws {
    clocks = ManualClocks(wall: now)
    self.application = application
    self.machine = machine
    folder = try TestFolder()
    parts = Mutex(try Self.start(in: folder, clocks, machine, after: []))
  }

  private static func start(
    in folder: TestFolder,
    _ clocks: ManualClocks,
    _ machine: TestMachine,
    after recorded: [RecordedPresentation]
  ) throws -> Parts {
    var options = ServiceOptions(environment: ["TZ": machine.zone], programDirectory: folder.path)
    options.configuration = try machine.configuration()
    options.reload = { () throws(ConfigurationError) in try machine.configuration() }
    options.store = .file(folder.store)
    options.socket = folder.socket
    options.clocks = clocks
    options.clockTrust = { ClockTrust(isSynchronised: true, hasBatteryClock: true) }
    options.log = Log { _, _ in }
    let service = try EmbeddedService(options)
    // It serves the first connection whether or not somebody uses it.
    let sink = RecordingSink(service.connection, clocks: clocks, machine, after: recorded)
    return Parts(service: service, sink: sink)
  }

  /// Where events are recorded and answered; another one after each restart.
  var sink: RecordingSink { parts.withLock { $0.sink } }

  /// Makes a manager for a program that starts: one of that name, else the one under test.
  func makeManager(application: String? = nil) -> AlarmManager {
    // How long an answer takes in real time is no part of a test.
    AlarmManager(
      connection: .daemon(socket: folder.socket),
      application: application ?? self.application,
      environment: [:],
      answerTime: .seconds(600)
    )
  }

  /// Runs something that waits for the service, on a thread that may wait.
  func onItsOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable (EmbeddedService) -> Value
  ) async -> Value {
    let service = parts.withLock { $0.service }
    return await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: body(service)) }.start()
    }
  }

  /// Takes the machine into another time zone.
  func setZone(_ name: String) async throws {
    try await onItsOwnThread { service in Result { try service.setZone(name) } }.get()
    machine.zone = name
  }

  /// Ends the service and starts another one with the same alarms.
  func restart() async throws {
    let recorded = sink.recorded
    await onItsOwnThread { $0.stop() }
    let new = try Self.start(in: folder, clocks, machine, after: recorded)
    parts.withLock { $0 = new }
  }

  /// Ends the service; what it kept goes with the last who uses it.
  func end() {
    parts.withLock { $0.service }.stop()
  }
}
