import Testing
import TocsinModel

@testable import TocsinCommand

private let popup = SinkStatus(
  sink: "popup",
  state: "off",
  pid: nil,
  ready: nil,
  restarts: 0,
  dropped: 0,
  reason: nil
)

/// A daemon with the sinks popup and Tea, and the alarms Tea and Milk.
private func daemon() throws -> FakeDaemon {
  try FakeDaemon { request, client in
    let id = request.id
    switch request.body {
    case .sinks:
      var tea = popup
      tea.sink = "Tea"
      for sink in [popup, tea] { client.send(Reply.sink(id: id, sink)) }
    case .sink("lamp", _):
      return client.send(Reply.error(id: id, ServiceError(.notFound, "no sink is called lamp")))
    case .sink(let name, _):
      var sink = popup
      sink.sink = name
      client.send(Reply.sink(id: id, sink))
    case .show("Tea"), .show("Milk"):
      client.send(Reply.alarm(id: id, status(1, "Tea")))
    case .show:
      return client.send(Reply.error(id: id, ServiceError(.notFound, "no such alarm")))
    case .intent(let intent):
      if intent.target == .named("Eggs") {
        return client.send(Reply.error(id: id, ServiceError(.notFound, "no alarm is called Eggs")))
      }
      client.send(Reply.alarm(id: id, status(1, "Tea")))
    default: break
    }
    client.send(Reply.ok(id: id, Reply.Outcome(count: 1)))
  }
}

@Suite("tocsin enable and disable", .timeLimit(.minutes(10)))
struct SwitchTests {
  private let page = Page()

  private func run(_ words: String..., at daemon: FakeDaemon) -> Int32 {
    page.run(words, environment: ["TOCSIN_SOCKET": daemon.path])
  }

  /// What was changed, such as "disable Tea" or "enable sink popup".
  private func changes(_ daemon: FakeDaemon) -> [String] {
    daemon.requests.compactMap { request in
      switch request.body {
      case .sink(let name, let isEnabled): "\(isEnabled ? "enable" : "disable") sink \(name)"
      case .intent(let intent):
        if case .named(let name) = intent.target { "\(intent.action) \(name)" } else { "other" }
      default: nil
      }
    }
  }

  @Test("a sink is meant where no alarm has its name, until the daemon ends")
  func sink() throws {
    let daemon = try daemon()
    #expect(run("disable", "popup", at: daemon) == 0)
    #expect(page.out == "popup: disabled until the daemon ends\n")
    #expect(run("enable", "popup", "--json", at: daemon) == 0)
    #expect(page.out.hasPrefix("{\"schema\":1,\"sinks\":[{\"sink\":\"popup\",\"state\":\"off\""))
    #expect(changes(daemon) == ["disable sink popup", "enable sink popup"])
  }

  @Test("an alarm is meant where no sink has its name, and where there is neither")
  func alarm() throws {
    let daemon = try daemon()
    #expect(run("disable", "Milk", at: daemon) == 0)
    #expect(page.out == "Tea: disabled\n")
    #expect(run("enable", "Eggs", at: daemon) == 1)
    #expect(page.err == "tocsin: no alarm is called Eggs\n")
    #expect(changes(daemon) == ["disable Milk", "enable Eggs"])
    #expect(run("enable", at: daemon) == 0)
    #expect(run("enable", "--all", at: daemon) == 0)
  }

  @Test("where both have it, the options decide")
  func both() throws {
    let daemon = try daemon()
    #expect(run("disable", "Tea", at: daemon) == 64)
    #expect(
      page.err == "tocsin: both an alarm and a sink are called \"Tea\"; add --alarm or --sink\n"
    )
    #expect(changes(daemon).isEmpty)
    #expect(run("disable", "Tea", "--sink", at: daemon) == 0)
    #expect(run("disable", "Tea", "--alarm", at: daemon) == 0)
    #expect(changes(daemon) == ["disable sink Tea", "disable Tea"])
    #expect(run("disable", "Tea", "--alarm", "--sink", at: daemon) == 64)
    #expect(run("disable", "--sink", at: daemon) == 64)
    #expect(run("disable", "--sink", "--all", "popup", at: daemon) == 64)
  }

  @Test("one that fails keeps no other from being done, and gives the exit code")
  func partly() throws {
    let daemon = try daemon()
    #expect(run("disable", "popup", "Milk", at: daemon) == 0)
    #expect(page.out == "popup: disabled until the daemon ends\nTea: disabled\n")
    #expect(run("disable", "lamp", "--sink", at: daemon) == 1)
    #expect(page.err == "tocsin: no sink is called lamp\n")
    #expect(run("disable", "popup", "Eggs", at: daemon) == 1)
    #expect(changes(daemon).suffix(2) == ["disable sink popup", "disable Eggs"])
  }
}
