import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// The daemon as a process: start, work, end, and what stands in its way.
@Suite(.timeLimit(.minutes(10)))
struct DaemonTests {
  @Test("what is scheduled by the command rings, is listed, watched and stopped")
  func ordinaryDay() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(output: .pipe)
      let watch = try place.start(["tocsin", "watch", "--json"])
      #expect(try isEmptySync(watch.output.line()))
      // A sink that is late is told the newest state only.
      #expect(try isEmptySync(daemon.output.line()))
      #expect(try place.done("timer", "500ms", "A").hasPrefix("A: 500 ms, rings at "))
      try place.done("alarm", "7:30", "Wake up", "--on", "weekdays")
      let list = try place.done("list", "--json")
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: Any]
      )
      #expect(document["schema"] as? Int == 1)
      let alarms = try #require(document["alarms"] as? [[String: Any]])
      #expect(Set(alarms.map { $0["title"] as? String }) == ["A", "Wake up"])
      for stream in [watch.output, daemon.output] {
        #expect(try stream.line(with: "\"title\":\"A\"").contains("\"type\":\"countdown\""))
        #expect(try stream.line(with: "\"title\":\"A\"").contains("\"type\":\"alert\""))
      }
      #expect(try place.done("stop") == "A: stopped\n")
      for stream in [watch.output, daemon.output] {
        let cleared = try stream.line(with: "\"cleared\"")
        #expect(
          cleared.contains("\"reason\":\"stopped\"") && cleared.contains("\"source\":\"tocsin\"")
        )
      }
      #expect(try place.tocsin("stop").code == 1)
      let next = try place.done("next", "--json")
      #expect(next.contains("\"title\":\"Wake up\"") && next.contains("\"schema\":1"))
    }
  }

  @Test("a restart keeps alarms, and a countdown's instant to the millisecond")
  func restart() async throws {
    try await waiting {
      let place = try Place()
      var daemon = try place.daemon()
      try place.done("alarm", "7:30", "Wake up", "--on", "weekdays")
      try place.done("timer", "1h", "Roast")
      var before = try place.alarms()
      for signal in [SIGTERM, SIGKILL, SIGINT] {
        daemon.signal(signal)
        #expect(try daemon.exitCode() == (signal == SIGKILL ? -SIGKILL : 0))
        daemon = try place.daemon()
        let after = try place.alarms()
        #expect(after.map(\.next) == before.map(\.next))
        #expect(after.map(\.alarm) == before.map(\.alarm))
        #expect(after.map(\.occurrence) == before.map(\.occurrence))
        before = after
      }
    }
  }

  @Test("SIGTERM withdraws what rings, ends with 0 within 2 s and takes the socket away")
  func termination() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(output: .pipe)
      let events = try EventStream(place)
      try place.connect().request(.schedule(timer(0.01)))
      _ = try events.presentation(.alerting)
      _ = try daemon.output.line(with: "\"alert\"")
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode(within: .seconds(2)) == 0)
      // The console is gone too: nobody holds the pipe open.
      _ = try daemon.output.rest()
      #expect(access(place.socket, F_OK) != 0)
      #expect(throws: ClientError.noDaemon(paths: [place.socket])) { try place.connect() }
      #expect(try place.tocsin("stop").code == 69)
    }
  }

  @Test("a console that is told to end by the terminal's Ctrl-C does not keep the daemon")
  func interruptedGroup() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(output: .pipe)
      daemon.signal(SIGINT, toGroup: true)
      #expect(try daemon.exitCode(within: .seconds(2)) == 0)
    }
  }

  @Test("SIGHUP reads plugins.conf again, and a bad one changes nothing")
  func reload() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(output: .pipe)
      let connection = try place.connect()
      try connection.request(.schedule(timer(3_600, "Roast")))
      _ = try daemon.output.line(with: "Roast")
      let pid = try consolePID(connection)
      let bad = "[plugin console]\nrun = tocsin-console\nstdout = perhaps\n[daemon]\nsnoze = 5min\n"
      try place.configure(bad)
      daemon.signal(SIGHUP)
      _ = try daemon.errors.line(with: "plugins.conf:3:")
      #expect(try daemon.errors.line().map { $0.contains("did you mean snooze") } == true)
      let refused = try place.tocsin("reload")
      #expect(refused.code == 78)
      #expect(refused.err.contains(":3:") && refused.err.contains(":5:"))
      #expect(try place.done("status").contains("plugins.conf"))
      #expect(try consolePID(connection) == pid)
      unlink(place.configuration)
      try FileManager.default.createDirectory(
        atPath: place.configuration,
        withIntermediateDirectories: true
      )
      #expect(try place.tocsin("reload").code == 78)
      rmdir(place.configuration)
      #expect(try consolePID(connection) == pid)
      try place.configure("[daemon]\nsnooze = 1min\nalarm-limit = 2\n" + Place.console)
      daemon.signal(SIGHUP)
      _ = try daemon.errors.line(with: "was read again")
      #expect(try consolePID(connection) == pid)
      #expect(try place.done("status").contains("1 of 2 at most"))
      #expect(!(try place.done("status").contains("plugins.conf")))
      try connection.request(.schedule(timer(3_600, "Two")))
      #expect(try place.tocsin("timer", "1h", "Three").code == 75)
      #expect(try place.alarms().count == 2)
    }
  }

  @Test("a plugins.conf with errors keeps the daemon from starting, with all of them")
  func badConfiguration() async throws {
    try await waiting {
      let place = try Place("[daemon]\nsnoze = 5min\nring-for = soon\n")
      let result = try place.run(["tocsind"])
      #expect(result.code == 78)
      #expect(result.err.contains(":2:1:") && result.err.contains(":3:"))
      #expect(try place.run(["tocsin", "config", "check"]).code == 78)
      #expect(try place.run(["tocsind", "--what"]).code == 64)
    }
  }

  @Test("a second daemon on the same store is refused with the first one's process")
  func secondDaemon() async throws {
    try await waiting {
      let place = try Place()
      let first = try place.daemon()
      let second = try place.run(["tocsind", "--socket", "\(place.directory)/other.sock"])
      #expect(second.code == 75)
      #expect(second.err.contains("process \(first.pid)"))
      #expect(access("\(place.directory)/other.sock", F_OK) != 0)
      let embedded = try place.run(
        ["tocsin", "timer", "1s", "x"],
        ["TOCSIN_SOCKET": "\(place.directory)/other.sock"]
      )
      #expect(embedded.code == 75)
      #expect(embedded.err.contains("process \(first.pid)"))
      #expect(try place.alarms().isEmpty)
    }
  }

  @Test("a second daemon on the same socket is refused, and the first stays reachable")
  func secondSocket() async throws {
    try await waiting {
      let place = try Place()
      let first = try place.daemon()
      let second = try place.run(["tocsind", "--store", "\(place.directory)/other.db"])
      #expect(second.code != 0)
      #expect(second.err.contains("process \(first.pid)") && second.err.contains(place.socket))
      #expect(try place.tocsin("status").code == 0)
    }
  }

  @Test("the socket, lock and store of a killed daemon are taken over")
  func takeover() async throws {
    try await waiting {
      let place = try Place()
      for _ in 0..<3 {
        let daemon = try place.daemon()
        #expect(try place.tocsin("status").code == 0)
        try daemon.crash()
        #expect(access(place.socket, F_OK) == 0)
      }
      // Nobody listens behind the socket that is left.
      #expect(try place.tocsin("stop").code == 69)
      let daemon = try place.daemon()
      #expect(try place.done("status").contains("process \(daemon.pid)"))
    }
  }

  @Test("a file or directory at the socket's path is left as it is")
  func foreignFile() async throws {
    try await waiting {
      let place = try Place()
      try "mine".write(toFile: place.socket, atomically: true, encoding: .utf8)
      let daemon = try place.run(["tocsind"])
      #expect(daemon.code == 69)
      #expect(daemon.err.contains(place.socket) && daemon.err.contains("no socket"))
      #expect(try String(contentsOfFile: place.socket, encoding: .utf8) == "mine")
      #expect(try place.tocsin("status").code != 0)
      #expect(try String(contentsOfFile: place.socket, encoding: .utf8) == "mine")
    }
  }

  @Test("a socket path that is too long is refused in words by daemon and command")
  func longPath() async throws {
    try await waiting {
      let place = try Place()
      place.environment["TOCSIN_SOCKET"] =
        place.directory + "/" + String(repeating: "x", count: 100)
      for words in [["tocsind"], ["tocsin", "status"], ["tocsin", "timer", "1s"]] {
        let result = try place.run(words)
        #expect(result.code != 0)
        #expect(result.err.contains("107") && result.err.contains("TOCSIN_SOCKET"))
      }
    }
  }

  @Test("started without any standard descriptor, it puts nothing of its own in their place")
  func noDescriptors() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let service = try NotificationSocket("\(place.directory)/run/notify")
      let daemon = try Program(
        ["tocsind"],
        environment: place.environment.merging(["NOTIFY_SOCKET": service.path]) { $1 },
        input: .closed,
        output: .closed,
        errors: .closed
      )
      try service.wait(for: "READY=1")
      try place.done("timer", "1h", "Roast")
      for number in 0...2 {
        let link = "/proc/\(daemon.pid)/fd/\(number)"
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
      }
      daemon.signal(SIGTERM)
      try service.wait(for: "STOPPING=1")
      #expect(try daemon.exitCode() == 0)
    }
  }

  @Test("a service manager that is gone, or never was, keeps no alarm from ringing")
  func noServiceManager() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon(
        output: .nothing,
        ["NOTIFY_SOCKET": "\(place.directory)/run/nobody", "WATCHDOG_USEC": "200000"]
      )
      let events = try EventStream(place)
      try place.connect().request(.schedule(timer(0.3)))
      _ = try events.presentation(.alerting)
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode() == 0)
    }
  }

  @Test("the socket and the store belong to the user alone")
  func modes() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      for (path, mode) in [(place.socket, 0o600), (place.store, 0o600)] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == mode)
      }
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode() == 0)
    }
  }

  private func consolePID(_ connection: Connection) throws -> Int32 {
    var pid: Int32?
    try connection.request(.sinks, within: patience) { reply in
      if case .sink(_, let sink) = reply, sink.sink == "console" { pid = sink.pid }
    }
    return try #require(pid)
  }
}
