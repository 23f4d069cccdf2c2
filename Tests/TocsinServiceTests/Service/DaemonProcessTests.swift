import Foundation
import Glibc
import Testing

@testable import TocsinService

/// `tocsind` as it was built beside these tests.
private enum Program {
  static let path: String? = {
    let directory = ProcessInfo.processInfo.arguments.first.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent()
    }
    for folder in [ConfigurationFinder.runningProgramDirectory, directory?.path ?? ""] {
      var folder = URL(fileURLWithPath: folder)
      for _ in 0..<3 {
        let path = folder.appendingPathComponent("tocsind").path
        if access(path, X_OK) == 0 { return path }
        folder.deleteLastPathComponent()
      }
    }
    return nil
  }()

  /// A daemon that touches nothing of the machine, run by a shell line in which `$0` is its program.
  static func start(_ shelf: Shelf, _ line: String = #"exec "$0" "$@""#, _ words: [String] = [])
    throws -> (Process, Pipe)
  {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line, path ?? ""] + words
    process.environment = [
      "HOME": shelf.directory, "XDG_RUNTIME_DIR": shelf.directory, "TZ": "UTC",
      "XDG_STATE_HOME": shelf.directory, "XDG_CONFIG_HOME": shelf.directory,
      "PATH": "/bin:/usr/bin",
    ]
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = output
    try process.run()
    return (process, output)
  }

  static func run(_ shelf: Shelf, _ words: [String]) throws -> (code: Int32, text: String) {
    let (process, output) = try start(shelf, #"exec "$0" "$@""#, words)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}

@Suite(
  "tocsind",
  .timeLimit(.minutes(10)),
  .enabled(if: Program.path != nil, "needs tocsind beside the tests")
)
struct DaemonProcessTests {
  private let shelf = Shelf()

  init() throws {
    // Its own, or the daemon would look for one beside its program.
    mkdir(shelf.directory + "/tocsin", 0o700)
    try shelf.write(Data("[daemon]\n".utf8), "tocsin/plugins.conf")
  }

  @Test("serves until it is told to end, and then leaves its socket and store in order")
  func serves() throws {
    let (process, output) = try Program.start(shelf)
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    #expect(line.contains("listens on \(shelf.directory)/tocsin.sock"))
    let wire = try #require(Wire.connect(to: shelf.directory + "/tocsin.sock"))
    #expect(wire.ask("schedule", timerKeys(1))["type"] as? String == "ok")
    let second = try Program.run(shelf, [])
    #expect(second.code == 75)
    #expect(second.text.contains("process \(process.processIdentifier)"))
    kill(process.processIdentifier, SIGHUP)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(wire.line() == nil)
    #expect(try shelf.names() == ["tocsin", "tocsin.sock.lock"])
    #expect(access(shelf.directory + "/tocsin/alarms.db-wal", F_OK) != 0)
  }

  @Test("does not write its log into whatever has the number of a descriptor that was closed")
  func closedDescriptors() throws {
    let (process, _) = try Program.start(
      shelf,
      #"exec "$0" "$@" <&- >&- 2>&-"#,
      ["--ephemeral"]
    )
    // No line tells that it listens: it has nowhere to write.
    var wire: Wire?
    while wire == nil, process.isRunning {
      wire = Wire.connect(to: shelf.directory + "/tocsin.sock")
    }
    #expect(try #require(wire).ask("next")["type"] as? String == "ok")
    // Nobody else may look at what it has open.
    if geteuid() == 0 {
      let links = try (0..<3).map {
        try FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(process.processIdentifier)/fd/\($0)"
        )
      }
      #expect(links == ["/dev/null", "/dev/null", "/dev/null"])
    }
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try shelf.bytes("tocsin.sock.lock") == Data("\(process.processIdentifier)\n".utf8))
  }

  @Test("keeps an intent over a kill, until it has run", arguments: [false, true])
  func killedWithIntent(isHandedOver: Bool) throws {
    var number: UInt64?
    let path = shelf.directory + "/tocsin.sock"
    for start in 0..<3 {
      let (process, output) = try Program.start(shelf)
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      #expect(line.contains("listens on"))
      let program = try #require(Wire.connect(to: path))
      let isThere = start > 0 || isHandedOver
      program.ask("join", ["application": "pills", "perform": isThere])
      if start == 0 {
        var alarm = timerKeys(1)["alarm"] as? [String: Any] ?? [:]
        alarm["intents"] = ["stop": ["type": "Taken"]]
        program.ask("schedule", ["alarm": alarm])
        let person = try #require(Wire.connect(to: path))
        #expect(person.ask("stop", ["alarm": "Tea"])["type"] as? String == "ok")
      }
      if isThere, start < 2 {
        let intent = program.object()
        #expect(intent["type"] as? String == "perform")
        let came = try #require(intent["number"] as? UInt64)
        #expect(number == nil || number == came)
        number = came
      }
      if start == 1 {
        #expect(program.ask("performed", ["number": number ?? 0])["type"] as? String == "ok")
      }
      if start == 2 {
        // Nothing came before this answer.
        program.write(Wire.request("list"))
        #expect(program.object()["type"] as? String == "ok")
      }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  @Test("says what is wrong and ends with the code for it")
  func exitCodes() throws {
    let usage = try Program.run(shelf, ["--snoze"])
    #expect(usage.code == 64 && usage.text.contains("unknown argument --snoze"))
    let socket = try Program.run(shelf, ["--ephemeral", "--socket", "/proc/nowhere/s"])
    #expect(socket.code == 69 && socket.text.contains("set TOCSIN_SOCKET to a place where"))
    let store = try Program.run(shelf, ["--store", "/proc/nowhere/s"])
    #expect(store.code == 74 && store.text.contains("/proc/nowhere"))
    try shelf.write(Data("[daemon]\nsnoze = 1min\n".utf8), "tocsin/plugins.conf")
    let configuration = try Program.run(shelf, [])
    #expect(configuration.code == 78 && configuration.text.contains("plugins.conf:2:1"))
    let missing = try Program.run(shelf, ["--config", shelf.directory + "/none"])
    #expect(missing.code == 78 && missing.text.contains("there is no such file"))
  }
}
