import TocsinClient
import TocsinModel

/// `tocsin enable` and `tocsin disable`: of alarms, or of sinks until the daemon ends.
struct SwitchCommand: Sendable {
  var isEnabled: Bool

  /// What names can mean.
  enum Meaning { case alarm, sink }

  private var action: AlarmAction { isEnabled ? .enable : .disable }

  func run(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
    let wanted = try Self.wanted(invocation)
    guard wanted != .alarm, !invocation.operands.isEmpty, !invocation.has("all") else {
      return try ActionCommand(action: action).run(invocation, session)
    }
    let connection = try session.connect()
    var alarms: [String] = []
    var sinks: [String] = []
    for name in invocation.operands {
      var isSink = wanted == .sink
      if wanted == nil { isSink = try isOnlySink(name, connection) }
      if isSink { sinks.append(name) } else { alarms.append(name) }
    }
    var failure: CommandFailure?
    do throws(CommandFailure) {
      if !sinks.isEmpty { try send(sinks, connection, session) }
    } catch {
      // One that fails does not keep the others from being done.
      guard !alarms.isEmpty else { throw error }
      session.warn(error.message)
      failure = error
    }
    guard !alarms.isEmpty else { return .success }
    var ofAlarms = invocation
    ofAlarms.operands = alarms
    let exit = try ActionCommand(action: action).run(ofAlarms, session, over: connection)
    return failure?.exit ?? exit
  }

  /// What the options say that names mean; nil if they leave it open.
  private static func wanted(_ invocation: Invocation) throws(CommandFailure) -> Meaning? {
    switch (invocation.has("sink"), invocation.has("alarm")) {
    case (true, true): throw .usage("--sink and --alarm exclude each other; leave one of them out")
    case (true, false):
      guard !invocation.operands.isEmpty, !invocation.has("all") else {
        throw .usage("--sink needs names of sinks; tocsin sinks lists them")
      }
      return .sink
    case (false, true): return .alarm
    case (false, false): return nil
    }
  }

  /// Whether a sink has the name and no alarm has.
  private func isOnlySink(
    _ name: String,
    _ connection: Connection
  ) throws(CommandFailure) -> Bool {
    let sinks = try connection.sinks(.sinks)
    guard sinks.contains(where: { $0.sink == name }) else { return false }
    do throws(CommandFailure) {
      _ = try connection.alarms(.show(name))
    } catch {
      if error.code == ServiceError.Code.notFound.rawValue { return true }
      guard error.code == ServiceError.Code.ambiguous.rawValue else { throw error }
    }
    throw .usage(
      "both an alarm and a sink are called \"\(name.printable)\"; add --alarm or --sink"
    )
  }

  private func send(
    _ names: [String],
    _ connection: Connection,
    _ session: Session
  ) throws(CommandFailure) {
    var changed: [SinkStatus] = []
    for name in names {
      changed += try connection.sinks(.sink(name: name, isEnabled: isEnabled)) { warning in
        session.warn(warning)
      }
      guard !session.json else { continue }
      session.say("\(name.printable): \(isEnabled ? "enabled" : "disabled") until the daemon ends")
    }
    if session.json { try session.print(document: SinksDocument(sinks: changed)) }
  }
}

extension Connection {
  /// Asks for sinks.
  func sinks(
    _ body: Request.Body,
    warn: (String) -> Void = { _ in }
  ) throws(CommandFailure) -> [SinkStatus] {
    var sinks: [SinkStatus] = []
    let outcome = try ask(body) { reply in
      if case .sink(_, let sink) = reply { sinks.append(sink) }
    }
    if let warning = outcome.warning { warn(warning) }
    return sinks
  }
}
