import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel
import TocsinTime

/// A home of its own for the programs of a test: socket, store, configuration.
///
/// Nothing of the machine's is touched.
final class Place {
  var directory: String { folder.path }
  private let folder: TemporaryFolder
  var environment: [String: String]

  /// A plugins.conf without plugins.
  static let quiet = "[daemon]\nsnooze = 9min\n"
  /// A plugins.conf with the console sink on the daemon's output, as JSON.
  static let console = """
    [plugin console]
    run = tocsin-console
    stdout = yes
    format = json

    """

  init(_ configuration: String = quiet) throws {
    folder = try TemporaryFolder()
    let directory = folder.path
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": directory, "TZ": "Europe/Berlin", "TERM": "xterm",
      "XDG_RUNTIME_DIR": "\(directory)/run", "XDG_STATE_HOME": "\(directory)/state",
      "XDG_CONFIG_HOME": "\(directory)/config", "TOCSIN_SOCKET": "\(directory)/run/tocsin.sock",
    ]
    for name in ["run", "state", "config", "config/tocsin"] { try makeDirectory(name) }
    try configure(configuration)
  }

  var socket: String { environment["TOCSIN_SOCKET"] ?? "" }
  var store: String { "\(directory)/state/tocsin/alarms.db" }
  var configuration: String { "\(directory)/config/tocsin/plugins.conf" }

  func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(directory)/\(name)",
      withIntermediateDirectories: true
    )
  }

  func configure(_ text: String) throws {
    try text.write(toFile: configuration, atomically: true, encoding: .utf8)
  }

  /// Writes a program, and gives its path.
  func script(_ name: String, _ text: String) throws -> String {
    let path = "\(directory)/\(name)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    chmod(path, 0o755)
    return path
  }

  /// The names of the files beside the store.
  func storeFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(directory)/state/tocsin").sorted()
  }

  /// Starts a daemon, and returns once it serves.
  func daemon(
    _ words: [String] = ["tocsind"],
    output: Program.Stream = .nothing,
    _ changes: [String: String?] = [:]
  ) throws -> Program {
    let daemon = try start(words, output: output, changes)
    try daemon.errors.wait(for: "listens on")
    return daemon
  }

  /// Starts a program here.
  func start(
    _ words: [String],
    input: Program.Stream = .nothing,
    output: Program.Stream = .pipe,
    _ changes: [String: String?] = [:]
  ) throws -> Program {
    var environment = environment
    for (name, value) in changes { environment[name] = value }
    return try Program(words, environment: environment, input: input, output: output)
  }

  /// Runs a program here to its end.
  func run(_ words: [String], _ changes: [String: String?] = [:]) throws -> Program.Result {
    try start(words, changes).result()
  }

  /// Runs the command here to its end.
  @discardableResult
  func tocsin(_ words: String...) throws -> Program.Result { try run(["tocsin"] + words) }

  /// Runs the command and expects it to succeed; its output.
  @discardableResult
  func done(
    _ words: String...,
    location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let result = try run(["tocsin"] + words)
    #expect(result.code == 0, "\(words): \(result.err)", sourceLocation: location)
    return result.out
  }

  func connect() throws -> Connection { try Connection(to: socket, within: patience) }

  /// The alarms the daemon has.
  func alarms() throws -> [AlarmStatus] {
    var alarms: [AlarmStatus] = []
    try connect().request(.list(Request.ListFilter()), within: patience) { reply in
      if case .alarm(_, let status) = reply { alarms.append(status) }
    }
    return alarms
  }
}

extension Connection {
  /// Takes the next line; one fewer is unanswered if it is an `ok`.
  func takeOK(_ unanswered: inout Int) throws {
    switch try receive(within: patience) {
    case .reply(.ok): unanswered -= 1
    case .reply(.error(_, let error)): throw Failure(error.message)
    case nil: throw Failure("no answer")
    default: break
    }
  }
}

/// The events of a daemon, as a subscriber sees them.
final class EventStream {
  private let connection: Connection

  init(_ place: Place) throws {
    connection = try place.connect()
    try connection.request(.subscribe, within: patience)
  }

  /// The next event; nil at the end.
  func next() throws -> SinkMessage {
    while true {
      guard let incoming = try connection.receive(within: patience) else {
        throw Failure("no event comes")
      }
      if case .event(let message) = incoming { return message }
    }
  }

  /// What is presented at the time of subscribing.
  func sync() throws -> [Presentation] {
    guard case .sync(let presentations) = try next() else { throw Failure("no sync comes first") }
    return presentations
  }

  /// The next presentation in that state, in a `sync` or as an event.
  func presentation(_ state: AlarmState) throws -> Presentation {
    while true {
      switch try next() {
      case .present(let presentation) where presentation.state == state: return presentation
      case .sync(let all):
        if let first = all.first(where: { $0.state == state }) { return first }
      default: continue
      }
    }
  }

  func cleared() throws -> SinkMessage.Cleared {
    while true {
      if case .cleared(let cleared) = try next() { return cleared }
    }
  }
}

/// What a line of the console shows: an event, or the first of a `sync` if it came too late for that.
func presentation(in line: String) throws -> Presentation {
  switch try JSONLine.decode(SinkMessage.self, from: Array(line.utf8)) {
  case .present(let presentation): return presentation
  case .sync(let all) where !all.isEmpty: return all[0]
  default: throw Failure("nothing is presented: \(line)")
  }
}

/// Whether the line says that nothing is presented.
func isEmptySync(_ line: String?) throws -> Bool {
  guard let line else { return false }
  return try JSONLine.decode(SinkMessage.self, from: Array(line.utf8)) == .sync([])
}

/// A new alarm's identity.
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

/// Waits until the wall clock has reached the instant: the event is that it is over.
func wait(until instant: Instant) {
  var time = timespec(
    tv_sec: Int(instant.microseconds / 1_000_000),
    tv_nsec: Int(instant.microseconds % 1_000_000) * 1_000
  )
  while clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, nil) == EINTR {}
}

/// The time now, CLOCK_REALTIME.
func now() -> Instant {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
}
