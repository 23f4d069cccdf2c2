import Foundation
import ProcessTesting
import TocsinModel
import TocsinService
import TocsinTime

@testable import TocsinApplication

/// A home of its own for programs and daemons: socket, store, plugins.conf.
///
/// Nothing of the machine's is touched.
final class Ground: @unchecked Sendable {
  // Unchecked is safe because nothing of it changes, the folder's path least of all.

  let path: String
  let environment: [String: String]
  private let folder: TemporaryFolder

  init(_ configuration: String = "[daemon]\nsnooze = 9min\n") throws {
    folder = try TemporaryFolder()
    path = folder.path
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": path, "TZ": "UTC", "XDG_RUNTIME_DIR": "\(path)/run",
      "XDG_STATE_HOME": "\(path)/state", "XDG_CONFIG_HOME": "\(path)/config",
      "TOCSIN_SOCKET": "\(path)/run/tocsin.sock",
    ]
    for name in ["run", "state", "config/tocsin"] {
      try FileManager.default.createDirectory(
        atPath: "\(path)/\(name)",
        withIntermediateDirectories: true
      )
    }
    try configure(configuration)
  }

  /// Writes plugins.conf.
  func configure(_ text: String) throws {
    let path = "\(path)/config/tocsin/plugins.conf"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  var socket: String { "\(path)/run/tocsin.sock" }
  var store: String { "\(path)/state/tocsin/alarms.db" }

  /// A program's line that goes to whoever is here.
  func link(
    _ application: String = "kitchen",
    _ place: ApplicationOptions.Place = .automatic,
    within time: Duration = patience
  ) -> ApplicationLink {
    var options = ApplicationOptions(application: application, environment: environment)
    options.place = place
    options.answerTime = time
    return ApplicationLink(options)
  }

  /// A daemon in a process of its own, that serves.
  func daemon() throws -> Program {
    let daemon = try Program(["tocsind"], environment: environment, output: .nothing)
    try daemon.errors.wait(for: "listens on")
    return daemon
  }
}

/// A daemon in this process, on a thread of its own and at a real socket.
final class LocalDaemon {
  private let reactor: Reactor
  private let service: AlarmService
  private let thread: ReactorThread
  private var hasEnded = false

  init(_ ground: Ground) throws {
    var options = ServiceOptions(environment: ground.environment, programDirectory: "/")
    options.store = .file(ground.store)
    options.socket = ground.socket
    options.log = Log { _, _ in }
    reactor = try Reactor()
    service = try AlarmService(options: options, reactor: reactor)
    try service.assumeIsolated { try $0.start() }
    thread = try ReactorThread(reactor)
  }

  deinit { end() }

  /// Ends it and waits for that; a second time it does nothing.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    reactor.post { [service] in service.assumeIsolated { $0.stop() } }
    thread.join()
  }
}

extension ApplicationLink {
  /// A line to a service of its own, on clocks that are moved by hand.
  static func embedded(
    _ application: String = "kitchen",
    clocks: ManualClocks = ManualClocks(wall: Instant(seconds: 2_214_216_000)),
    store: Store.Location = .memory
  ) -> ApplicationLink {
    var service = ServiceOptions(environment: ["TZ": "UTC"], programDirectory: "/")
    service.clocks = clocks
    service.store = store
    service.log = Log { _, _ in }
    var options = ApplicationOptions(application: application, environment: [:])
    options.place = .embedded(service)
    options.answerTime = patience
    return ApplicationLink(options)
  }
}

/// Words that are noted on any thread, and waited for.
final class Notes: Sendable {
  private let notes = Lock<[String]>([])
  private let came = DispatchSemaphore(value: 0)

  func add(_ note: String) {
    notes.withLock { $0.append(note) }
    came.signal()
  }

  /// A list of its own: one that was shared would be read while the next note is put into it.
  var all: [String] { notes.withLock { $0.map { $0 } } }

  /// Waits until there are so many; not in a task.
  func wait(for count: Int) throws {
    while all.count < count {
      guard came.wait(timeout: .now() + 120) == .success else {
        throw Failure("only \(all) was noted")
      }
    }
  }
}

func newID() -> AlarmID {
  var generator = SystemRandomNumberGenerator()
  return AlarmID(using: &generator)
}

func timer(_ seconds: Double, _ title: String = "Tea", snooze: Double? = nil) -> Alarm {
  Alarm(
    id: newID(),
    title: title,
    countdown: CountdownDuration(preAlert: seconds, postAlert: snooze)
  )
}

extension Request.Body {
  static func act(_ action: AlarmAction, _ id: AlarmID) -> Request.Body {
    .intent(Intent(action, .named(id.description)))
  }
}

/// Runs a body that waits on a thread of its own, so that the pool all tests share goes on.
@discardableResult
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result { try body() }) }.start()
  }
}

/// How an answer fails; nil if it does not.
func failure(_ body: () throws -> Void) -> ApplicationError? {
  do {
    try body()
    return nil
  } catch { return error as? ApplicationError }
}

/// How an answer that is awaited fails; nil if it does not.
func failure(ofAwaited body: () async throws -> Void) async -> ApplicationError? {
  do {
    try await body()
    return nil
  } catch { return error as? ApplicationError }
}
