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
  private var lines = EventLines()
  private var store: SimulatedStore
  private var settings: Configuration
  private var world: VirtualWorld

  /// Prepares the world at the timeline's start.
  ///
  /// - Parameters:
  ///   - script: the timeline.
  ///   - file: what errors call it.
  ///   - configuration: what plugins.conf says; `set` lines change its `[daemon]` section.
  ///   - zones: the machine's time zones.
  ///   - interpret: reads commands.
  ///   - write: takes the output, some JSON lines at a time, one for each event.
  /// - Throws: about a zone or a setting that is not known.
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
    store = SimulatedStore()
    let local = try Self.zone(script.zone?.name, zones, file: file, line: script.zone?.line ?? 1)
    let table = AlarmTable(
      rules: settings.daemon.rules,
      zones: Zones(local: local, named: { [zones] in zones.zone(named: $0) })
    )
    world = VirtualWorld(table: table, start: script.start)
  }

  /// Plays all lines; without an `end` line it ends with the last.
  package mutating func run() throws(SimulationScript.Failure) {
    defer { lines.send(with: write) }
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
    // Out of this value while the world changes, which is a part of it too.
    var lines = EventLines()
    swap(&lines, &self.lines)
    world.advance(by: duration) { [write] effects, at in
      for effect in effects { lines.put(effect, at: at) }
      lines.sendIfMany(with: write)
    }
    swap(&lines, &self.lines)
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
      return lines.put(error, world.now.wall)
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
    let records: [AlarmRecord]
    do throws(StoreError) {
      records = try store.restored(world.records, now: world.now)
    } catch {
      throw SimulationScript.Failure(file: file, line: line, "\(error)")
    }
    handle(world.restart(with: records))
  }

  private mutating func handle(_ happenings: [VirtualWorld.Happening]) {
    for happening in happenings { lines.put(happening.effect, at: happening.at) }
    lines.sendIfMany(with: write)
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

extension EventLines {
  /// Sends the lines once they are worth a write.
  fileprivate mutating func sendIfMany(with write: ([UInt8]) -> Void) {
    if bytes.count >= 1 << 16 { send(with: write) }
  }

  fileprivate mutating func send(with write: ([UInt8]) -> Void) {
    guard !bytes.isEmpty else { return }
    write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
