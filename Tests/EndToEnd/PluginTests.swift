import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// Plugins that die, hang or are not read.
@Suite(.timeLimit(.minutes(10)))
struct PluginTests {
  @Test("a console that dies is started again, and is told all that is presented")
  func restarted() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(output: .pipe)
      let connection = try place.connect()
      #expect(try isEmptySync(daemon.output.line()))
      try connection.request(.schedule(timer(0.01, "Egg")))
      let alert = try daemon.output.line(with: "\"alerting\"")
      let first = try #require(try sink("console", connection).pid)
      kill(first, SIGKILL)
      let sync = try daemon.output.line(with: "\"sync\"")
      #expect(sync.contains("Egg"))
      let occurrence = try #require(
        alert.range(of: #""occurrence":"[^"]*""#, options: .regularExpression)
      )
      #expect(sync.contains(alert[occurrence]))
      let again = try sink("console", connection)
      #expect(again.pid != first && again.restarts == 1)
      try place.done("stop")
      _ = try daemon.output.line(with: "\"stopped\"")
    }
  }

  @Test("a daemon whose output is closed works on")
  func closedOutput() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(output: .closed)
      try ringAndStop(place)
      #expect(daemon.isRunning)
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode() == 0)
    }
  }

  @Test("a daemon whose output nobody reads any more works on")
  func brokenPipe() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let ends = try pipeEnds()
      let daemon = try place.daemon(output: .descriptor(ends.write))
      close(ends.write)
      close(ends.read)
      try ringAndStop(place)
      #expect(daemon.isRunning)
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode() == 0)
    }
  }

  @Test("tocsind | head -1 ends head, not the daemon")
  func head() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let command = "\(try Program.find("tocsind")) | head -1"
      let shell = try place.start(["sh", "-c", command])
      try shell.errors.wait(for: "listens on")
      #expect(try shell.output.line()?.contains("sync") == true)
      try ringAndStop(place)
      try ringAndStop(place)
      let pid = try #require(try place.connect().request(.status).status?.pid)
      kill(pid, SIGTERM)
      #expect(try shell.exitCode() == 0)
    }
  }

  @Test("a full pipe that nobody reads delays nothing, and its reader is right again later")
  func fullPipe() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let ends = try pipeEnds()
      let daemon = try place.daemon(output: .descriptor(ends.write))
      close(ends.write)
      let output = LineReader(ends.read)
      let connection = try place.connect()
      try connection.request(.schedule(timer(3_600, String(repeating: "long ", count: 1_000))))
      for number in 1...200 {
        try connection.request(.intent(Intent(number % 2 == 1 ? .pause : .resume, .only)))
      }
      try connection.request(.intent(Intent(.cancel, .all)))
      try ringAndStop(place)
      try connection.request(.schedule(timer(3_600, "After")))
      _ = try output.line(with: "After")
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode(within: .seconds(5)) == 0)
    }
  }

  @Test("a plugin that hangs delays neither the console nor the end, and is started again")
  func hanging() async throws {
    try await waiting {
      let place = try Place()
      // Says that it is ready, and then nothing, not even to SIGTERM.
      let script = try place.script(
        "hang",
        """
        #!/bin/sh
        echo $$ >> "$0.pids"
        trap '' TERM INT HUP
        read -r hello
        echo '{"type":"ready","name":"hang","version":"1","capabilities":["sound"],"audible":true}'
        sleep 60 < /dev/null > /dev/null 2>&1
        """
      )
      try place.configure(
        Place.console + "[plugin hang]\nrun = \(script)\nreceipt-timeout = 1s\n"
      )
      let daemon = try place.daemon(output: .pipe)
      let connection = try place.connect()
      try connection.request(.schedule(timer(0.01, "Egg")))
      let shown = try presentation(in: daemon.output.line(with: "\"alerting\""))
      #expect(try #require(shown.late) < 1)
      // It does not confirm, so it is ended, with what it started.
      try daemon.errors.wait(for: "hang: did not answer in time")
      while try sink("hang", connection).restarts == 0 {
        _ = try daemon.errors.line(with: "hang")
      }
      let pids = try String(contentsOfFile: "\(script).pids", encoding: .utf8)
      let first = try #require(pids.split(separator: "\n").first.flatMap { pid_t($0) })
      #expect(kill(first, 0) != 0)
      try place.done("stop")
      _ = try daemon.output.line(with: "\"stopped\"")
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode(within: .seconds(2)) == 0)
    }
  }

  @Test("a plugin in another language presents, confirms and answers")
  func otherLanguage() async throws {
    try await waiting {
      let place = try Place()
      let script = try place.script(
        "button",
        """
        #!/bin/sh
        while read -r line; do
          case $line in
          *'"type":"hello"'*)
            echo "$line" | grep -q '"colour":"red"' || exit 1
            echo '{"type":"ready","name":"button","version":"1","capabilities":["buttons"],"audible":false}' ;;
          *'"type":"alert"'*)
            seq=$(echo "$line" | sed 's/.*"seq":\\([0-9]*\\).*/\\1/')
            echo "{\\"type\\":\\"presented\\",\\"seq\\":$seq}"
            echo '{"type":"intent","action":"stop","target":"alerting"}' ;;
          *'"type":"bye"'*) exit 0 ;;
          esac
        done
        """
      )
      try place.configure(Place.console + "[plugin button]\nrun = \(script)\ncolour = red\n")
      let daemon = try place.daemon(output: .pipe)
      try place.done("timer", "10ms", "Egg")
      let cleared = try daemon.output.line(with: "\"cleared\"")
      #expect(cleared.contains("\"source\":\"button\""))
      let history = try place.done("history", "--json")
      #expect(history.contains("\"presented\"") && history.contains("\"source\":\"button\""))
    }
  }

  @Test("a program that is missing or ends at once is told of, and costs nobody anything")
  func broken() async throws {
    try await waiting {
      let place = try Place(
        Place.console + "[plugin gone]\nrun = no-such-program\n[plugin brief]\nrun = /bin/false\n"
      )
      let daemon = try place.daemon(output: .pipe)
      try place.done("timer", "10ms", "Egg")
      _ = try daemon.output.line(with: "\"alerting\"")
      let sinks = try place.done("sinks", "--json")
      #expect(sinks.contains("no-such-program"))
      try place.done("stop")
    }
  }

  @Test("a client may attach as a sink, and is told what rings already")
  func attached() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      try place.done("timer", "10ms", "Egg")
      let watcher = try EventStream(place)
      let alert = try watcher.presentation(.alerting)
      let client = try place.connect()
      try client.request(.subscribe)
      let ready = SinkReport.Ready(
        name: "lamp",
        version: "1",
        capabilities: ["light"],
        audible: false
      )
      try client.report(.ready(ready))
      guard case .event(.sync(let shown)) = try client.receive(within: patience) else {
        throw Failure("no sync")
      }
      #expect(shown.map(\.occurrence) == [alert.occurrence])
      try client.report(.presented(seq: shown[0].seq))
      try client.report(.intent(Intent(.stop, .occurrence(alert.occurrence))))
      #expect(try watcher.cleared().source == "lamp")
      #expect(try place.done("history", "--json").contains("\"source\":\"lamp\""))
      #expect(daemon.isRunning)
    }
  }

  @Test("a stop from three sides is one end with one source, and leaves the next alarm alone")
  func threeStops() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      let events = try EventStream(place)
      let clients = try (0..<3).map { _ in try place.connect() }
      try clients[0].request(.schedule(timer(0.01, "A")))
      let ringing = try events.presentation(.alerting)
      try clients[0].request(.schedule(timer(0.01, "B")))
      let other = try events.presentation(.alerting)
      for client in clients {
        try client.send(.intent(Intent(.stop, .occurrence(ringing.occurrence))))
      }
      var codes: [ServiceError.Code?] = []
      for client in clients {
        answer: while let incoming = try client.receive(within: patience) {
          switch incoming {
          case .reply(.ok): codes.append(nil)
          case .reply(.error(_, let error)): codes.append(error.code)
          default: continue
          }
          break answer
        }
      }
      #expect(codes.filter { $0 == nil }.count == 1)
      #expect(codes.filter { $0 == .stale }.count == 2)
      #expect(try events.cleared().occurrence == ringing.occurrence)
      #expect(try place.alarms().map(\.occurrence) == [other.occurrence])
      #expect(daemon.isRunning)
    }
  }

  private func sink(_ name: String, _ connection: Connection) throws -> SinkStatus {
    var found: SinkStatus?
    try connection.request(.sinks, within: patience) { reply in
      if case .sink(_, let sink) = reply, sink.sink == name { found = sink }
    }
    return try #require(found)
  }

  private func ringAndStop(_ place: Place) throws {
    let events = try EventStream(place)
    let connection = try place.connect()
    try connection.request(.schedule(timer(0.01, "Egg")))
    let alert = try events.presentation(.alerting)
    try connection.request(.intent(Intent(.stop, .occurrence(alert.occurrence))))
    #expect(try events.cleared().reason == .stopped)
  }
}
