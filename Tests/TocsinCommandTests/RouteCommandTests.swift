import Foundation
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinCommand

private let wake = status(0x2000_0000, "Wake up")

private let steps = [
  RouteStep(
    at: instant("2027-01-08T05:50:00Z"),
    kind: .alert,
    sinks: ["popup", "bedside.led"],
    volumeLimit: 0.3,
    why: "route wakeup"
  ),
  RouteStep(
    at: instant("2027-01-08T05:50:00.250Z"),
    kind: .fallback,
    sinks: ["bedside.buzzer"],
    why: "nothing audible has confirmed"
  ),
  RouteStep(at: instant("2027-01-08T23:10:00Z"), kind: .missed, sinks: [], why: "nobody answered"),
]

/// A daemon that knows the alarm "Wake up" and answers every route with the same steps.
private func daemon() throws -> FakeDaemon {
  try FakeDaemon { request, client in
    let id = request.id
    switch request.body {
    case .show("Wake up"):
      client.send(Reply.alarm(id: id, wake))
      client.send(Reply.ok(id: id, Reply.Outcome(count: 1)))
    case .show("Twice"):
      client.send(Reply.error(id: id, ServiceError(.ambiguous, "two alarms are called Twice")))
    case .show:
      client.send(Reply.error(id: id, ServiceError(.notFound, "there is none")))
    case .route:
      for step in steps { client.send(Reply.step(id: id, step)) }
      client.send(Reply.ok(id: id, Reply.Outcome(count: steps.count)))
    default:
      client.send(Reply.error(id: id, ServiceError(.busy, "too much at once")))
    }
  }
}

@Suite("tocsin route test", .timeLimit(.minutes(10)))
struct RouteCommandTests {
  private let page = Page()

  private func run(_ words: String..., at daemon: FakeDaemon, terminal: Bool = false) -> Int32 {
    page.run(
      ["route", "test"] + words,
      environment: ["TOCSIN_SOCKET": daemon.path, "NO_COLOR": "1"],
      terminal: terminal,
      width: 100
    )
  }

  private func questions(_ daemon: FakeDaemon) -> [RouteQuestion] {
    daemon.requests.compactMap { if case .route(let asked) = $0.body { asked } else { nil } }
  }

  @Test("an alarm that exists is meant first, by its identity")
  func existing() throws {
    let daemon = try daemon()
    #expect(run("Wake", "up", "--at", "2027-01-08T06:50", at: daemon, terminal: true) == 0)
    #expect(
      page.out
        == """
        Wake up: Fri 8 Jan 2027 06:50
        TIME                     WHAT      SINKS               VOLUME       WHY
        06:50:00                 alert     popup, bedside.led  at most 30%  route wakeup
        06:50:00.250             fallback  bedside.buzzer                   nothing audible has confirmed
        Sat 9 Jan 2027 00:10:00  missed                                     nobody answered

        """
    )
    #expect(page.err.isEmpty)
    var expected = RouteQuestion()
    expected.alarm = "\(wake.alarm.id)"
    expected.at = instant("2027-01-08T05:50:00Z")
    #expect(questions(daemon) == [expected])
  }

  @Test("another name makes one up, which is said")
  func madeUp() throws {
    let daemon = try daemon()
    #expect(run("Milk", at: daemon, terminal: true) == 0)
    #expect(page.out.hasPrefix("Milk (made up): Fri 8 Jan 2027 06:50\n"))
    #expect(page.err == "tocsin: no alarm is called \"Milk\", so one of that title is made up\n")
    #expect(run(at: daemon, terminal: true) == 0)
    #expect(page.out.hasPrefix("Alarm (made up): "))
    #expect(page.err.isEmpty)
    var milk = RouteQuestion()
    milk.title = "Milk"
    var nameless = RouteQuestion()
    nameless.title = ""
    #expect(questions(daemon) == [milk, nameless])
    #expect(run("Twice", at: daemon) == 1)
    #expect(page.err == "tocsin: two alarms are called Twice\n")
  }

  @Test("what an option says of an alarm makes one up, even if one has the name")
  func described() throws {
    let daemon = try daemon()
    let code = run(
      "Wake up",
      "--kind",
      "timer",
      "--label",
      "work",
      "--label",
      "a b",
      "--priority",
      "-3",
      "--sound",
      "none",
      at: daemon
    )
    #expect(code == 0)
    var expected = RouteQuestion()
    expected.title = "Wake up"
    expected.kind = .timer
    expected.labels = ["work", "a b"]
    expected.priority = -3
    expected.sound = "none"
    #expect(questions(daemon) == [expected])
    #expect(run("x", "--kind", "egg", at: daemon) == 64)
    #expect(run("x", "--priority", "high", at: daemon) == 64)
  }

  @Test(
    "a time is an instant, a date and a time here, a clock, or a span",
    arguments: [
      ("2027-01-08T05:50:00Z", "2027-01-08T05:50:00Z"),
      ("2027-01-08T06:50+01:00", "2027-01-08T05:50:00Z"),
      ("2027-01-08T06:50", "2027-01-08T05:50:00Z"),
      ("2027-01-08 06:50:30", "2027-01-08T05:50:30Z"),
      ("2026-06-08T06:50", "2026-06-08T04:50:00Z"),
      ("2026-06-08T06:50:00Z", "2026-06-08T06:50:00Z"),
      ("7:30", "2026-12-01T06:30:00Z"), ("weekdays 6:00, 7:30", "2026-12-01T05:00:00Z"),
      ("in 10m", "2026-11-30T22:28:00Z"),
    ]
  )
  func times(text: String, expected: String) throws {
    let daemon = try daemon()
    #expect(run("x", "--at", text, at: daemon) == 0, "\(page.err)")
    #expect(questions(daemon).map(\.at) == [instant(expected)])
  }

  @Test("a time that is none is told as that", arguments: ["soon", "25:00", "2027-02-30T06:00"])
  func noTime(text: String) throws {
    let daemon = try daemon()
    #expect(run("x", "--at", text, at: daemon) == 65)
    #expect(questions(daemon).isEmpty)
  }

  @Test("in a pipe: tabs, instants in UTC, nothing else; and as a document")
  func pipe() throws {
    let daemon = try daemon()
    #expect(run("Wake up", at: daemon) == 0)
    #expect(
      page.out == """
        2027-01-08T05:50:00.000Z\talert\tpopup,bedside.led\t30%\troute wakeup
        2027-01-08T05:50:00.250Z\tfallback\tbedside.buzzer\t\tnothing audible has confirmed
        2027-01-08T23:10:00.000Z\tmissed\t\t\tnobody answered

        """
    )
    #expect(run("Wake up", "--json", at: daemon) == 0)
    #expect(
      page.out.hasPrefix(
        "{\"schema\":1,\"title\":\"Wake up\",\"alarm\":\"\(wake.alarm.id)\",\"steps\":[{\"at\":"
      )
    )
    #expect(page.out.contains("\"kind\":\"fallback\",\"sinks\":[\"bedside.buzzer\"],\"why\":"))
    #expect(run("Milk", "--json", at: daemon) == 0)
    #expect(page.out.hasPrefix("{\"schema\":1,\"title\":\"Milk\",\"steps\":["))
  }

  @Test("without a daemon a plugins.conf with errors is told")
  func configuration() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tocsin-\(UUID().uuidString)")
    let configuration = folder.appendingPathComponent("tocsin")
    try FileManager.default.createDirectory(
      at: configuration,
      withIntermediateDirectories: true
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    try "[route r]\nto = nowhere\n".write(
      to: configuration.appendingPathComponent("plugins.conf"),
      atomically: true,
      encoding: .utf8
    )
    let code = page.run(
      ["route", "test", "x"],
      environment: ["XDG_CONFIG_HOME": folder.path, "XDG_STATE_HOME": folder.path]
    )
    #expect(code == 78)
    #expect(page.err.contains("plugins.conf:2:6: to: there is no [plugin nowhere]"), "\(page.err)")
  }
}
