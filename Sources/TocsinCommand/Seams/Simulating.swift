import Glibc
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

extension ServiceTools {
  /// Plays a timeline on a virtual clock and prints a JSON line for each event.
  ///
  /// - Parameters:
  ///   - text: the whole timeline.
  ///   - name: the file's name, for errors with their line.
  ///   - session: where it is printed.
  /// - Throws: about a line that cannot be read; what came before it is printed.
  /// - Returns: success.
  static func simulate(
    _ text: String,
    name: String,
    session: Session
  ) throws(CommandFailure) -> ExitCode {
    let identities = Identities()
    let time = session.time.knowingNames()
    do throws(SimulationScript.Failure) {
      var simulation = try Simulation(
        try SimulationScript(text, file: name),
        file: name,
        configuration: Configuration(),
        zones: SystemZones(environment: session.environment),
        interpret: { words, now, zone, table throws(ServiceError) in
          try SimulatedCommand(time: time, now: now, zone: zone ?? .utc, table: table)
            .requests(words) { identities.next() }
        },
        write: { session.write(String(decoding: $0, as: UTF8.self)) }
      )
      try simulation.run()
    } catch {
      throw CommandFailure(.timeText, "timeline", "\(error)")
    }
    return .success
  }

  /// Identities for alarms that were given none: the same ones each time the timeline is played.
  private final class Identities {
    private var count: UInt64 = 0

    func next() -> AlarmID {
      count += 1
      return AlarmID(high: 0x5157_0000_0000_4000, low: 1 << 63 | count)
    }
  }
}

/// A line of a timeline, read as the command line it is.
private struct SimulatedCommand {
  let time: TimeReading
  let now: Instant
  let zone: Zone
  let table: AlarmTable

  func requests(
    _ words: [String],
    id: () -> AlarmID
  ) throws(ServiceError) -> [Request.Body] {
    guard let spec = CommandTable.all.first(where: { $0.name == words[0] }) else {
      let near = NearestWord.of(words[0], in: CommandTable.visible.map(\.name))
      throw ServiceError(
        .unknownRequest,
        "there is no command \(words[0])" + (near.map { "; did you mean \($0)?" } ?? "")
      )
    }
    do throws(CommandFailure) {
      return try bodies(spec, try Invocation(words.dropFirst(), for: spec), id)
    } catch {
      // A line that is no command ends the timeline; a time that cannot be is an answer to it.
      let code = ServiceError.Code(rawValue: error.code)
      throw ServiceError(error.exit == .usage ? .unknownRequest : code ?? .invalid, error.message)
    }
  }

  private func bodies(
    _ spec: CommandSpec,
    _ invocation: Invocation,
    _ id: () -> AlarmID
  ) throws(CommandFailure) -> [Request.Body] {
    var reading = AlarmReading(time: time, now: now, zone: zone)
    // What sounds is no part of a timeline.
    reading.soundPath = { (name: String) throws(CommandFailure) in name }
    switch spec.name {
    case "alarm": return try reading.alarms(invocation, id: id).map { .schedule($0) }
    case "timer": return [.schedule(try reading.timer(invocation, id: id))]
    case "edit":
      switch table.status(named: invocation.operands[0]) {
      case .success(let status): return [.update(try reading.edited(status.alarm, invocation))]
      case .failure(let error): throw CommandFailure(.noSuchAlarm, "notFound", error.message)
      }
    default:
      guard let action = AlarmAction(rawValue: spec.name) else {
        throw .usage("\(spec.name) changes nothing, so a timeline has no use for it")
      }
      guard !invocation.has("sink") else {
        throw .usage("a timeline has no sinks; leave --sink out")
      }
      let command = ActionCommand(
        action: action,
        durationOption: action == .snooze ? "for" : nil
      )
      return try command.intents(invocation, time).map { .intent($0) }
    }
  }
}
