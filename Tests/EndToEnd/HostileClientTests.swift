import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel
import TocsinTime

/// Clients that do not keep the rules: whatever they do, another is answered and an alarm rings.
@Suite(.timeLimit(.minutes(10)))
struct HostileClientTests {
  struct Line: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    var code: String

    init(_ name: String, _ text: String, _ code: String) {
      testDescription = name
      bytes = Array(text.utf8) + [10]
      self.code = code
    }

    init(_ name: String, bytes: [UInt8], _ code: String) {
      testDescription = name
      self.bytes = bytes + [10]
      self.code = code
    }
  }

  static let lines = [
    Line("not JSON", "hello", "badRequest"),
    Line("half of an object", "{\"type\":\"list\",\"id\":\"1\"", "badRequest"),
    Line("an array", "[1,2]", "badRequest"),
    Line(
      "not UTF-8",
      bytes: Array("{\"type\":\"show\",\"id\":\"1\",\"alarm\":\"".utf8)
        + [0xC3, 0x28, 0xFF] + Array("\"}".utf8),
      "badRequest"
    ),
    Line("NULs", bytes: [UInt8](repeating: 0, count: 100), "badRequest"),
    Line("deep nesting", String(repeating: "[", count: 60_000), "badRequest"),
    Line("an unknown request", "{\"type\":\"explode\",\"id\":\"1\"}", "unknownRequest"),
    Line("no type", "{\"id\":\"1\"}", "badRequest"),
    Line("an id that is a number", "{\"type\":\"list\",\"id\":1}", "badRequest"),
    Line("a wrong type", "{\"type\":\"list\",\"id\":\"1\",\"limit\":\"many\"}", "badRequest"),
    Line(
      "a title that is a number",
      "{\"type\":\"schedule\",\"id\":\"1\",\"alarm\":{\"id\":"
        + "\"00000000-0000-0000-0000-00000000000a\",\"title\":7,\"countdown\":{\"preAlert\":9}}}",
      "badRequest"
    ),
    Line(
      "a length beyond all numbers",
      "{\"type\":\"schedule\",\"id\":\"1\",\"alarm\":{\"id\":"
        + "\"00000000-0000-0000-0000-00000000000a\",\"title\":\"x\","
        + "\"countdown\":{\"preAlert\":1e999}}}",
      "badRequest"
    ),
    Line(
      "a negative length",
      "{\"type\":\"schedule\",\"id\":\"1\",\"alarm\":{\"id\":"
        + "\"00000000-0000-0000-0000-00000000000a\",\"title\":\"x\","
        + "\"countdown\":{\"preAlert\":-5}}}",
      "invalid"
    ),
    Line(
      "an hour that is none",
      "{\"type\":\"schedule\",\"id\":\"1\",\"alarm\":{\"id\":"
        + "\"00000000-0000-0000-0000-00000000000a\",\"title\":\"x\","
        + "\"schedule\":{\"time\":\"25:00\"}}}",
      "badRequest"
    ),
    Line(
      "a program's name that fills a line",
      "{\"type\":\"join\",\"id\":\"1\",\"application\":\"" + String(repeating: "x", count: 60_000)
        + "\"}",
      "invalid"
    ),
    Line(
      "a program's name of 64 KiB",
      "{\"type\":\"join\",\"id\":\"1\",\"application\":\"" + String(repeating: "x", count: 65_536)
        + "\"}",
      "tooLarge"
    ),
    Line(
      "an intent that nobody owes",
      "{\"type\":\"performed\",\"id\":\"1\",\"number\":7}",
      "notFound"
    ),
    Line("10 MB in one line", String(repeating: "x", count: 10_000_000), "tooLarge"),
  ]

  @Test(
    "a line that cannot be meant gets one error, and the next line is answered",
    arguments: lines
  )
  func line(_ line: Line) async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      let client = try RawClient(place.socket)
      try client.send(line.bytes)
      let error = try client.lines.line()
      #expect(error?.contains("\"type\":\"error\"") == true)
      #expect(error?.contains("\"code\":\"\(line.code)\"") == true, "\(error ?? "nothing")")
      try client.send(Array("{\"type\":\"list\",\"id\":\"after\"}\n".utf8))
      // One error only: the next that comes is the answer.
      let answer = try client.lines.line() ?? ""
      #expect(answer.contains("\"type\":\"ok\"") && answer.contains("\"id\":\"after\""))
      #expect(daemon.isRunning)
    }
  }

  @Test("while clients misbehave in every way at once, another is answered and an alarm rings")
  func together() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(output: .pipe)
      let events = try EventStream(place)
      let good = try place.connect()
      try good.request(.schedule(timer(0.7, "Egg")))
      let half = try RawClient(place.socket)
      try half.send(Array("{\"type\":\"li".utf8))
      let long = try RawClient(place.socket)
      try? long.send([UInt8](repeating: 120, count: 3_000_000))
      // Asks a lot and reads nothing.
      let deaf = try RawClient(place.socket, sendLimit: 1)
      for _ in 0..<2_000 {
        guard (try? deaf.send(Array("{\"type\":\"history\",\"id\":\"1\"}\n".utf8))) != nil else {
          break
        }
      }
      // Gone between question and answer.
      for _ in 0..<20 {
        let gone = try RawClient(place.socket)
        try gone.send(Array("{\"type\":\"list\",\"id\":\"1\"}\n".utf8))
      }
      #expect(try good.request(.status).status?.alarms == 1)
      #expect(try events.presentation(.alerting).title == "Egg")
      #expect(try daemon.output.line(with: "\"alerting\"").contains("Egg"))
      // The line that does not go on is given up after 5 s, and until then harms nobody.
      let end = try half.lines.line()
      #expect(end?.contains("\"code\":\"badRequest\"") == true)
      #expect(try half.lines.line() == nil)
      #expect(try good.request(.status).status?.alerting == 1)
    }
  }

  @Test("a thousand connections: the daemon answers those it has, and others once they are gone")
  func connections() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(output: .pipe)
      let good = try place.connect()
      try good.request(.schedule(timer(0.5, "Egg")))
      var crowd: [RawClient] = []
      for _ in 0..<1_000 {
        guard let one = try? RawClient(place.socket) else { break }
        crowd.append(one)
      }
      // From one process at most 16 are served, the others hear why not.
      let refused = try crowd.suffix(from: 20).prefix(30).compactMap { try $0.lines.line() }
      #expect(refused.count == 30)
      #expect(refused.allSatisfy { $0.contains("\"code\":\"busy\"") })
      #expect(try good.request(.status).status?.alarms == 1)
      // Another process is not shut out.
      try place.done("timer", "1h", "Roast")
      #expect(try daemon.output.line(with: "\"alerting\"").contains("Egg"))
      crowd = []
      try good.request(.intent(Intent(.stop, .named("Egg"))))
      // The daemon sees each of them go in its turn; until then its answer is to try again.
      var alarms: [AlarmStatus]?
      while alarms == nil {
        do {
          alarms = try place.alarms()
        } catch ClientError.service(let refusal) where refusal.code == .busy {
          continue
        }
      }
      #expect(alarms?.count == 1)
    }
  }

  @Test("a client that never reads its events is let go, and the others get every one")
  func deafSubscriber() async throws {
    try await waiting {
      let place = try Place()
      let daemon = try place.daemon()
      let deaf = try RawClient(place.socket)
      try deaf.send(Array("{\"type\":\"subscribe\",\"id\":\"1\"}\n".utf8))
      let events = try EventStream(place)
      let good = try place.connect()
      #expect(try events.sync().isEmpty)
      try good.request(.schedule(timer(3_600, String(repeating: "long ", count: 200))))
      _ = try events.next()
      for number in 1...2_500 {
        try good.request(.intent(Intent(number % 2 == 1 ? .pause : .resume, .only)))
        guard case .present(let shown) = try events.next() else { throw Failure("no event") }
        #expect(shown.state == (number % 2 == 1 ? .paused : .countdown))
      }
      // What was sent before it was let go, and then the end.
      let rest = try deaf.lines.rest()
      #expect(rest.utf8.count < 2_500 * 1_200)
      #expect(daemon.isRunning)
    }
  }

  /// Asks for that many alarms of one instant; false if it was over before all of them were accepted.
  private func schedule(_ count: Int, at instant: Instant, with client: Connection) throws -> Bool {
    var (unanswered, refused) = (0, 0)
    func take() throws {
      switch try client.receive(within: patience) {
      case .reply(.ok): unanswered -= 1
      case .reply(.error(_, let error)) where error.code == .past:
        unanswered -= 1
        refused += 1
      case .reply(.error(_, let error)): throw Failure(error.message)
      case nil: throw Failure("no answer")
      default: break
      }
    }
    for number in 0..<count {
      try client.send(
        .schedule(Alarm(id: newID(), title: "\(number)", schedule: .fixed(instant)))
      )
      unanswered += 1
      // Who asks much must read too.
      while unanswered > 100 { try take() }
    }
    while unanswered > 0 { try take() }
    return refused == 0
  }

  @Test("a thousand alarms of one instant all ring within seconds, for whoever reads")
  func manyAtOnce() async throws {
    try await waiting {
      let place = try Place(Place.console)
      // A file takes all that is printed, however slowly this test reads.
      let path = try place.script("printed", "")
      let file = open(path, O_WRONLY | O_CLOEXEC)
      let daemon = try place.daemon(output: .descriptor(file))
      close(file)
      let good = try place.connect()
      // Once more and later, if the machine was too slow to ask for all of them in time.
      var lead: Duration = .milliseconds(1_500)
      while try !schedule(1_000, at: now() + lead, with: good) {
        _ = try? good.request(.intent(Intent(.cancel, .all)))
        lead = lead * 3
      }
      let events = try EventStream(place)
      var rung: Set<String> = []
      while rung.count < 1_000 { rung.insert(try events.presentation(.alerting).title) }
      #expect(try good.request(.status).status?.alerting == 1_000)
      try place.done("stop", "--all")
      #expect(try good.request(.status).status?.alerting == 0)
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode() == 0)
      var printed: Set<String> = []
      for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
        switch try JSONLine.decode(SinkMessage.self, from: Array(line.utf8)) {
        case .present(let shown): printed.insert(shown.title)
        case .sync(let all): printed.formUnion(all.map(\.title))
        default: break
        }
      }
      #expect(printed.count == 1_000)
    }
  }
}
