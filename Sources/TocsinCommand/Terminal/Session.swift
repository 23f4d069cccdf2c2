import Glibc
import TocsinClient
import TocsinModel
import TocsinTime

/// What a command has to work with: where it prints, what it may ask, what time it is.
///
/// One thread; a test gives it a page to print on and a fixed time.
final class Session {
  let environment: [String: String]
  let time: TimeReading
  /// What time it is.
  let now: () -> Instant
  /// Standard output.
  let output: Int32
  /// Whether it is a terminal.
  let outputIsTerminal: Bool
  /// Whether standard input is one.
  let inputIsTerminal: Bool
  /// The columns of the terminal.
  let width: Int
  /// Prints on standard output and on standard error.
  let write: (String) -> Void
  let complain: (String) -> Void
  /// Reads one line of standard input.
  let ask: () -> String?

  /// Whether a service in this process keeps nothing: `--ephemeral`.
  var isEphemeral = false
  /// `--socket`, if given.
  var socket: String?
  /// `--color`, if given.
  var color = "auto"
  private var hasSaidUTC = false
  /// Whether errors are told to a program too.
  var json = false

  init(
    environment: [String: String],
    output: Int32 = STDOUT_FILENO,
    now: @escaping () -> Instant = currentInstant,
    outputIsTerminal: Bool,
    inputIsTerminal: Bool,
    width: Int,
    write: @escaping (String) -> Void,
    complain: @escaping (String) -> Void,
    ask: @escaping () -> String? = { nil }
  ) {
    self.environment = environment
    self.output = output
    time = TimeReading(environment: environment)
    self.now = now
    self.outputIsTerminal = outputIsTerminal
    self.inputIsTerminal = inputIsTerminal
    self.width = width
    self.write = write
    self.complain = complain
    self.ask = ask
  }

  /// Whether colours are on: `--color`, else NO_COLOR, else CLICOLOR_FORCE, else on a terminal.
  var colors: Bool {
    switch color {
    case "always": true
    case "never": false
    default:
      if let value = environment["NO_COLOR"], !value.isEmpty {
        false
      } else if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" {
        true
      } else {
        outputIsTerminal && environment["TERM"] != "dumb"
      }
    }
  }

  /// The machine's zone, or UTC where nothing that needs one may come of it.
  var zoneOrUTC: Zone { (try? time.zone()) ?? .utc }

  /// The machine's zone to show times in; UTC where that cannot be read, which is said once.
  ///
  /// A timer needs no zone, and neither does a stop: what only shows times must not fail for it.
  func shownZone() -> Zone {
    do {
      return try time.zone()
    } catch {
      if !hasSaidUTC { warn("times are shown in UTC: \(error.message)") }
      hasSaidUTC = true
      return .utc
    }
  }

  /// Prints a line on standard output.
  func say(_ line: String) { write(line + "\n") }

  /// Prints a line about what went wrong, or what one should know, on standard error.
  func warn(_ sentence: String) { complain("tocsin: \(sentence.printable)\n") }

  /// Prints one JSON document on one line.
  func print(document: some Encodable) throws(CommandFailure) {
    do {
      write(String(decoding: try JSONLine.encode(document), as: UTF8.self))
    } catch {
      throw CommandFailure(.software, "json", "a number cannot be written as JSON: \(error)")
    }
  }

  /// Connects to the daemon.
  func connect() throws(CommandFailure) -> Connection {
    do {
      return try Connection.first(of: try socketPaths())
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Connects to the daemon; nil if none runs.
  func connectIfRunning() throws(CommandFailure) -> Connection? {
    do {
      return try Connection.first(of: try socketPaths())
    } catch .noDaemon {
      return nil
    } catch {
      throw CommandFailure(error)
    }
  }

  private func socketPaths() throws(ClientError) -> [String] {
    try SocketPath.candidates { name in
      if name == "TOCSIN_SOCKET", let socket { return socket }
      return environment[name]
    }
  }
}

extension Connection {
  /// Asks, with the failure that the command reports.
  @discardableResult
  func ask(
    _ body: Request.Body,
    within limit: Duration = .seconds(10),
    item: (Reply) -> Void = { _ in }
  ) throws(CommandFailure) -> Reply.Outcome {
    do {
      return try request(body, within: limit, item: item)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Asks for alarms.
  func alarms(
    _ body: Request.Body,
    within limit: Duration = .seconds(10)
  ) throws(CommandFailure) -> [AlarmStatus] {
    var alarms: [AlarmStatus] = []
    try ask(body, within: limit) { reply in
      if case .alarm(_, let status) = reply { alarms.append(status) }
    }
    return alarms
  }
}
