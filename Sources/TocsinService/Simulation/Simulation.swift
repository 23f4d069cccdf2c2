package import TocsinEngine
package import TocsinModel
package import TocsinTime

/// Plays a timeline: the real engine and store on a virtual clock.
package struct Simulation {
  /// What turns a command's words into requests, and asks for nothing else of the world.
  package typealias Interpreter = (
    _ words: [String], _ now: Instant, _ zone: Zone?, _ table: AlarmTable
  ) throws(ServiceError) -> [Request.Body]

  private let script: SimulationScript
  private let file: String
  private let zones: SystemZones
  private let interpret: Interpreter
  private let write: ([UInt8]) -> Void
  private let store: Store
  private var settings: Configuration
  private var world: VirtualWorld

  /// Prepares the world at the timeline's start.
  ///
  /// - Parameters:
  ///   - configuration: what plugins.conf says; `set` lines change its `[daemon]` section.
  ///   - interpret: reads commands.
  ///   - write: takes the output, a JSON line an event.
  package init(
    _ script: SimulationScript,
    file: String,
    configuration: Configuration,
    zones: SystemZones,
    interpret: @escaping Interpreter,
    write: @escaping ([UInt8]) -> Void
  ) throws(SimulationScript.Failure) {
    self.script = script
    self.file = file
    self.zones = zones
    self.interpret = interpret
    self.write = write
    settings = configuration
    for setting in script.settings {
      try Self.apply(setting.key, setting.value, to: &settings, file: file, line: setting.line)
    }
    do {
      store = try Store(.memory, bootID: "simulated")
    } catch {
      throw SimulationScript.Failure(file: file, line: 1, "\(error)")
    }
    let local = try Self.zone(script.zone, zones, file: file, line: 1)
    let table = AlarmTable(
      rules: settings.daemon.rules,
      zones: Zones(local: local, named: { [zones] in zones.zone(named: $0) })
    )
    world = VirtualWorld(table: table, start: script.start)
  }

  /// Plays all lines; without an `end` line it ends with the last.
  package mutating func run() throws(SimulationScript.Failure) {
    for step in script.steps {
      try wait(until: step)
      switch step.event {
      case .zone(let name):
        zones.forget()
        let zone = try Self.zone(name, zones, file: file, line: step.line)
        handle(world.happen(.zoneChanged(zone)))
      case .set(let key, let value):
        try Self.apply(key, value, to: &settings, file: file, line: step.line)
        world.adopt(settings.daemon.rules)
      case .step(let duration): handle(world.step(by: duration))
      case .suspend(let duration): handle(world.suspend(for: duration))
      case .down(let duration): try restart(after: duration, line: step.line)
      case .synchronised(let isSynchronised):
        handle(world.happen(.clockSynchronised(isSynchronised)))
      case .command(let words): try perform(words, line: step.line)
      case .end: return
      }
    }
  }

  private mutating func wait(until step: SimulationScript.Step) throws(SimulationScript.Failure) {
    let duration: Duration
    switch step.time {
    case .after(let length): duration = length
    case .at(let instant): duration = instant - world.now.wall
    }
    guard duration >= .zero else {
      throw SimulationScript.Failure(
        file: file,
        line: step.line,
        "this time is over: the clock shows \(world.now.wall.rfc3339)"
      )
    }
    world.advance(by: duration) { [self] in handle($0) }
  }

  private mutating func perform(
    _ words: [String],
    line: Int
  ) throws(SimulationScript.Failure) {
    let requests: [Request.Body]
    do {
      requests = try interpret(words, world.now.wall, world.table.zones.local, world.table)
    } catch {
      guard error.code != .unknownRequest else {
        throw SimulationScript.Failure(file: file, line: line, error.message)
      }
      return put(RejectedLine(at: world.now.wall, error))
    }
    for request in requests {
      switch request {
      case .schedule(let alarm): handle(world.happen(.schedule(alarm, source: "simulate")))
      case .update(let alarm): handle(world.happen(.update(alarm, source: "simulate")))
      case .intent(let intent): handle(world.happen(.intent(intent, source: "simulate")))
      default:
        throw SimulationScript.Failure(
          file: file,
          line: line,
          "\(words[0]) changes nothing, so a timeline has no use for it"
        )
      }
    }
  }

  /// Kills the engine and starts another from what the store holds.
  private mutating func restart(
    after duration: Duration,
    line: Int
  ) throws(SimulationScript.Failure) {
    world.kill(for: duration)
    var records: [AlarmRecord] = []
    do throws(StoreError) {
      _ = try store.load(wallNow: world.now.wall, bootNow: world.now.boot) { records.append($0) }
    } catch {
      throw SimulationScript.Failure(file: file, line: line, "\(error)")
    }
    handle(world.restart(with: records))
  }

  private func handle(_ happenings: [VirtualWorld.Happening]) {
    var changes: [StoreChange] = []
    for happening in happenings {
      switch happening.effect {
      case .present(let presentation): put(EventLine(happening.at, .present(presentation)))
      case .clear(let cleared): put(EventLine(happening.at, .cleared(cleared)))
      case .miss(let missed): put(EventLine(happening.at, .missed(missed)))
      case .secondary(let secondary): put(EventLine(happening.at, .secondary(secondary)))
      case .reject(let error): put(RejectedLine(at: happening.at, error))
      case .save(let record): changes.append(.save(record))
      case .delete(let id): changes.append(.delete(id))
      case .record(let entry): changes.append(.record(entry))
      case .accept: break
      }
    }
    if !changes.isEmpty { store.commit(changes) }
  }

  private func put(_ line: some Encodable) {
    if let bytes = try? JSONLine.encode(line) { write(bytes) }
  }

  private static func zone(
    _ name: String?,
    _ zones: SystemZones,
    file: String,
    line: Int
  ) throws(SimulationScript.Failure) -> Zone {
    do throws(ZoneError) {
      guard let name else { return try zones.system() }
      return try zones.lookUp(name)
    } catch {
      throw SimulationScript.Failure(file: file, line: line, "\(error)")
    }
  }

  private static func apply(
    _ key: String,
    _ value: String,
    to settings: inout Configuration,
    file: String,
    line: Int
  ) throws(SimulationScript.Failure) {
    guard let known = DaemonSettings.keys.first(where: { $0.name == key }) else {
      let near = suggestion(for: key, among: DaemonSettings.keys.map(\.name))
      throw SimulationScript.Failure(file: file, line: line, "unknown key \(key)\(near)")
    }
    do throws(ValueText.Unreadable) {
      try known.read(value, &settings.daemon)
    } catch {
      throw SimulationScript.Failure(file: file, line: line, "\(key): \(error.message)")
    }
  }
}

/// An event as sinks read it, with the time it happened at.
private struct EventLine: Encodable {
  let at: Instant
  let message: SinkMessage

  enum CodingKeys: CodingKey { case at }

  init(_ at: Instant, _ message: SinkMessage) {
    self.at = at
    self.message = message
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(at, forKey: .at)
    try message.encode(to: encoder)
  }
}

/// A command that was refused.
private struct RejectedLine: Encodable {
  let at: Instant
  let type = "rejected"
  let code: ServiceError.Code
  let message: String

  init(at: Instant, _ error: ServiceError) {
    self.at = at
    code = error.code
    message = error.message
  }
}
