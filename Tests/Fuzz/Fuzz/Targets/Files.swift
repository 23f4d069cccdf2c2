import Glibc
import Sounds
import TocsinEngine
import TocsinModel
import TocsinService
import TocsinTime

@testable import TocsinCommand

extension FuzzTarget {
  /// plugins.conf.
  static let configuration = FuzzTarget(name: "configuration") { input in
    let text = String(decoding: input, as: UTF8.self)
    // A carriage return ends a line too.
    let lines = text.utf8.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
    let read: Configuration
    do throws(ConfigurationError) {
      read = try Configuration([Configuration.Source(name: "plugins.conf", text: text)])
    } catch {
      promise(!error.problems.isEmpty, "an error says what is wrong")
      for problem in error.problems {
        promise((0...lines).contains(problem.line), "\(problem) names a line of the file")
        promise(!problem.message.isEmpty, "a problem has a sentence")
      }
      return
    }
    let source = Configuration.Source(name: "shown", text: read.text)
    promise((try? Configuration([source])) == read, "what is shown is read back the same")
  }

  /// A timeline, as long as it asks for a month at most.
  static let timelines = FuzzTarget(name: "timelines") { input in
    let text = String(decoding: input, as: UTF8.self)
    let script = try SimulationScript(text, file: "timeline")
    guard isShort(script) else { return }
    let session = Session(
      environment: ["TZ": "Europe/Berlin"],
      outputIsTerminal: false,
      inputIsTerminal: false,
      width: 80,
      write: { _ in },
      complain: { _ in }
    )
    _ = try? ServiceTools.simulate(text, name: "timeline", session: session)
  }

  private static func isShort(_ script: SimulationScript) -> Bool {
    let most = Duration.seconds(31 * 86_400)
    var length = Duration.zero
    for step in script.steps {
      switch step.time {
      case .after(let duration): length += duration
      case .at(let instant):
        guard instant - script.start <= most else { return false }
      }
      switch step.event {
      case .suspend(let duration), .down(let duration): length += duration
      // A clock that was set lies about how far away an instant is.
      case .step: return false
      case .set, .zone, .synchronised, .command, .end: break
      }
      guard length <= most else { return false }
    }
    return script.steps.count <= 200
  }

  /// A sound file.
  static let sounds = FuzzTarget(name: "sounds") { input in
    let path = try scratch("sound", input)
    let sound = try SoundFile.decode(path)
    promise(SoundFile.rates.contains(sound.rate), "a rate that can be played")
    promise((1...2).contains(sound.channels), "one channel or two")
    promise(!sound.samples.isEmpty, "a sound has samples")
    promise(sound.samples.count % sound.channels == 0, "whole frames")
    promise(sound.samples.count / sound.channels <= SoundFile.framesLimit, "no more than are kept")
  }

  /// A store's file; the alarms in it are restored, and the file is never lost.
  static let stores = FuzzTarget(name: "stores") { input in
    let path = try scratch("store.db", input)
    for suffix in ["-wal", "-shm", "-journal", ".backup", ".new"] { unlink(path + suffix) }
    let store = try Store(.file(path), bootID: "boot")
    var records: [AlarmRecord] = []
    let now = Instant(seconds: 1_806_191_999)
    _ = try? store.load(wallNow: now, bootNow: 5_000_000) { records.append($0) }
    var table = AlarmTable(rules: EngineRules(), zones: Zones(local: .utc, named: { _ in nil }))
    for record in records { table.restore(record) }
    for seconds in [0, 60, 86_400, 366 * 86_400] as [Int64] {
      let later = Now(
        wall: now + .seconds(seconds),
        boot: 5_000_000 + seconds * 1_000_000
      )
      for effect in table.handle(seconds == 0 ? .started : .tick, now: later) {
        if case .present(let presentation) = effect {
          _ = try? JSONLine.encode(SinkMessage.present(presentation))
        }
      }
    }
    store.close()
    discardDamaged()
  }

  // MARK: Files

  /// A folder in memory for the files of this process.
  private static let folder: String = {
    let path = "/dev/shm/tocsin-fuzz-\(getpid())"
    mkdir(path, 0o700)
    return path
  }()

  private struct NoScratch: Error {}

  private static func scratch(
    _ name: String,
    _ input: UnsafeBufferPointer<UInt8>
  ) throws -> String {
    let path = "\(folder)/\(name)"
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw NoScratch() }
    defer { close(file) }
    guard write(file, input.baseAddress, input.count) == input.count else { throw NoScratch() }
    return path
  }

  /// What was moved aside would fill the memory.
  private static func discardDamaged() {
    guard let entries = opendir(folder) else { return }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix("store.db.") { unlink("\(folder)/\(name)") }
    }
  }
}

/// A file's bytes.
enum FileBytes {
  struct Unreadable: Error {}

  static func read(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Unreadable() }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_size <= 1 << 20 else { throw Unreadable() }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    guard Glibc.read(file, &bytes, bytes.count) == bytes.count else { throw Unreadable() }
    return bytes
  }
}
