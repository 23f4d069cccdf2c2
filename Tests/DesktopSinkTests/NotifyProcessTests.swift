import Glibc
import ProcessTesting
import SinkKit
import SinkTesting
import Testing

@testable import DesktopSink

@Suite(
  .serialized,
  .timeLimit(.minutes(10)),
  .enabled(
    if: ScriptedServer.isPossible,
    "needs dbus-daemon, and python3 with python3-dbus and python3-gi"
  )
)
struct NotifyProcessTests {
  private func intent(_ action: AlarmAction) -> SinkReport {
    .intent(Intent(action, .occurrence(Sample.occurrence())))
  }

  @Test("An alert is a critical notification that never expires, with the alarm's buttons")
  func alert() throws {
    let bus = try PrivateBus()
    let server = try ScriptedServer(on: bus)
    let desktop = try SpawnedSink.desktop(bus.environment)
    let title = "<b>&amp; \u{1F469}\u{200D}\u{1F680} -x"
    try desktop.send(.sync([]), .present(Sample.ringing(seq: 7, title: title, late: 240)))
    let shown = try server.next()
    #expect(shown.event == "notify")
    #expect(shown.replaces == 0)
    #expect(shown.icon == "alarm-symbolic")
    #expect(shown.summary == title)
    #expect(shown.body == "07:00 (4 min late)")
    #expect(shown.actions == ["stop", "Stop", "snooze", "Snooze"])
    #expect(shown.timeout == 0)
    // libnotify 0.8.4 and later give the icon as a hint too.
    #expect([nil, "alarm-symbolic"].contains(shown.hints?["image-path"]))
    #expect(
      shown.hints?.filter { $0.key != "image-path" } == [
        "urgency": 2, "category": "x-tocsin.alarm", "desktop-entry": "tocsin", "resident": 1,
        "suppress-sound": 1,
      ]
    )
    #expect(try desktop.answer() == .presented(seq: 7))

    // Another program's notification, then ours.
    try server.press("stop", 99)
    try server.press("snooze", shown.id ?? 0)
    #expect(try desktop.answer() == intent(.snooze))

    try desktop.send(.present(Sample.counting(seq: 8, total: 1e6, snooze: true)))
    let counting = try server.next()
    #expect(counting.replaces == shown.id)
    #expect(counting.hints?["urgency"] == 0)
    #expect(counting.hints?["transient"] == 1)
    #expect(counting.hints?["value"] != nil)
    #expect(counting.actions == ["pause", "Pause", "stop", "Stop"])
    #expect(try desktop.answer() == .presented(seq: 8))

    try desktop.send(.cleared(Sample.cleared(seq: 9)))
    let closed = try server.next()
    #expect(closed.event == "close")
    #expect(closed.id == shown.id)
    #expect(try desktop.answer() == .presented(seq: 9))
    try desktop.send(.bye)
    #expect(try desktop.answer() == nil)
    #expect(try desktop.exitCode() == 0)
  }

  @Test("A server without buttons is sent none, and one that reads markup is sent escapes")
  func plain() throws {
    let bus = try PrivateBus()
    let server = try ScriptedServer(on: bus, ["body", "body-markup"])
    let desktop = try SpawnedSink.desktop(bus.environment)
    try desktop.send(
      .present(Sample.ringing(seq: 1)),
      .missed(Sample.missed(seq: 2, of: 1, title: "<3"))
    )
    let alert = try server.next()
    #expect(alert.actions == [])
    #expect(alert.body?.hasSuffix("\nTo stop it: tocsin stop") == true)
    #expect(try server.next().body?.contains("&lt;3") == true)
    #expect(try desktop.answer() == .presented(seq: 1))
    #expect(try desktop.answer() == .presented(seq: 2))
  }

  @Test("A critical notice stays, another expires as the server likes; both have no buttons")
  func notices() throws {
    let bus = try PrivateBus()
    let server = try ScriptedServer(on: bus)
    let desktop = try SpawnedSink.desktop(bus.environment)
    try desktop.send(.notice(Sample.notice(seq: 1, .critical, "nobody heard it", title: "Pills")))
    let critical = try server.next()
    #expect(critical.summary == "Pills" && critical.body == "nobody heard it")
    #expect(critical.timeout == 0 && critical.actions == [])
    #expect(critical.hints?["urgency"] == 2 && critical.hints?["category"] == "x-tocsin.notice")
    #expect(try desktop.answer() == .presented(seq: 1))
    try desktop.send(.notice(Sample.notice(seq: 2, .info, "the silence is over")))
    let info = try server.next()
    #expect(info.replaces == 0 && info.timeout == -1 && info.hints?["urgency"] == 1)
    #expect(try desktop.answer() == .presented(seq: 2))
    // Expired, and so forgotten: the next one stands alone.
    try server.close(info.id ?? 0, 1)
    try desktop.send(.notice(Sample.notice(seq: 3, .info, "all is well")))
    #expect(try server.next().body?.contains("all is well") == true)
    #expect(try desktop.answer() == .presented(seq: 3))
  }

  @Test("A pop-up that expires while its alarm rings is shown again")
  func expired() throws {
    let bus = try PrivateBus()
    let server = try ScriptedServer(on: bus)
    let desktop = try SpawnedSink.desktop(bus.environment)
    try desktop.send(.present(Sample.ringing(seq: 1)))
    let first = try server.next()
    try server.close(first.id ?? 0, 1)
    let second = try server.next()
    #expect(second.event == "notify")
    #expect(second.replaces == 0)
    try server.press("stop", first.id ?? 0)
    try server.press("snooze", second.id ?? 0)
    #expect(try desktop.answer() == .presented(seq: 1))
    #expect(try desktop.answer() == intent(.snooze))
  }

  @Test("A server that comes later shows what rings, and so does the next one, whose ids are new")
  func restart() throws {
    let bus = try PrivateBus()
    let desktop = try SpawnedSink.desktop(bus.environment)
    try desktop.send(.present(Sample.ringing(seq: 1)))
    #expect(try desktop.failureForNow().seq == 1)
    for round in 0..<3 {
      let server = try ScriptedServer(on: bus)
      let shown = try server.next()
      #expect(shown.summary == "Pills")
      #expect(shown.replaces == 0)
      #expect(try desktop.answer() == .presented(seq: 1))
      if round == 2 {
        try server.press("stop", shown.id ?? 0)
        #expect(try desktop.answer() == intent(.stop))
      } else {
        try server.crash()
        #expect(try desktop.failureForNow().seq == 1)
      }
    }
  }

  @Test("While the server does not answer, the sink does, and shows the newest state in the end")
  func hangs() throws {
    let bus = try PrivateBus()
    let server = try ScriptedServer(on: bus)
    let desktop = try SpawnedSink.desktop(bus.environment)
    try server.behave("hang")
    try desktop.send(.present(Sample.ringing(seq: 1)))
    #expect(try server.next().event == "held")
    try desktop.send(.ping, .present(Sample.ringing(seq: 2, snoozes: 1)), .ping)
    #expect(try desktop.answer() == .pong)
    #expect(try desktop.answer() == .pong)
    try server.behave("resume")
    #expect(try server.next().body == "07:00")
    #expect(try server.next().body == "07:00, snoozed once")
    #expect(try desktop.answer() == .presented(seq: 1))
    #expect(try desktop.answer() == .presented(seq: 2))
  }

  @Test("At the end of a process whose server hangs the process ends all the same")
  func hangsAtTheEnd() throws {
    let bus = try PrivateBus()
    let server = try ScriptedServer(on: bus)
    let desktop = try SpawnedSink.desktop(bus.environment)
    try server.behave("hang")
    try desktop.send(.present(Sample.ringing(seq: 1)))
    #expect(try server.next().event == "held")
    desktop.signal(SIGTERM)
    #expect(try desktop.answer() == nil)
    #expect(try desktop.exitCode() == 0)
  }

  @Test("A refusal is a failure for now, and the alarms after it are shown")
  func refuses() throws {
    let bus = try PrivateBus()
    let server = try ScriptedServer(on: bus)
    let desktop = try SpawnedSink.desktop(bus.environment)
    try server.behave("refuse")
    try desktop.send(.present(Sample.ringing(seq: 1)))
    #expect(try desktop.failureForNow().reason == "the notification server refused: not now")
    try server.behave("work")
    try desktop.send(.present(Sample.ringing(seq: 2, 1)))
    #expect(try desktop.answer() == .presented(seq: 2))
  }

  @Test("A signal takes all pop-ups away", arguments: [SIGTERM, SIGINT, SIGHUP])
  func ends(signal: CInt) throws {
    let bus = try PrivateBus()
    let server = try ScriptedServer(on: bus)
    let desktop = try SpawnedSink.desktop(bus.environment)
    try desktop.send(.present(Sample.ringing(seq: 1)), .missed(Sample.missed(seq: 2, of: 1)))
    let shown = [try server.next().id, try server.next().id]
    #expect(try desktop.answer() == .presented(seq: 1))
    #expect(try desktop.answer() == .presented(seq: 2))
    desktop.signal(signal)
    let closed = [try server.next(), try server.next()]
    #expect(closed.map(\.event) == ["close", "close"])
    #expect(Set(closed.map(\.id)) == Set(shown))
    #expect(try desktop.exitCode() == 0)
  }

  @Test("The end of the bus is not the end of the sink, which uses the next one")
  func busEnds() throws {
    let bus = try PrivateBus()
    let first = try ScriptedServer(on: bus)
    let desktop = try SpawnedSink.desktop(bus.environment)
    try desktop.send(.present(Sample.ringing(seq: 1)))
    _ = try first.next()
    #expect(try desktop.answer() == .presented(seq: 1))
    try bus.stop()
    #expect(try desktop.failureForNow().seq == 1)
    try desktop.send(.ping)
    #expect(try desktop.answer() == .pong)
    try bus.start()
    let second = try ScriptedServer(on: bus)
    try desktop.send(.present(Sample.ringing(seq: 2, 1, title: "Bus")))
    let titles = [try second.next().summary, try second.next().summary]
    #expect(Set(titles) == ["Pills", "Bus"])
    #expect(try desktop.answer() == .presented(seq: 1))
    #expect(try desktop.answer() == .presented(seq: 2))
  }

  @Test(
    "Where there is no bus an event is answered as failed for now, and all else goes on",
    arguments: [
      nil, "", "unix:", "rubbish", "unix:path=/nowhere/bus", "unix:path=DEAF", "unix:path=DEAD",
    ]
  )
  func noBus(address: String?) throws {
    let bus = try PrivateBus()
    // One that accepts and says nothing, and one whose owner is gone.
    let deaf = try DeafSocket("\(bus.directory)/deaf")
    _ = try DeafSocket("\(bus.directory)/dead")
    var environment = ["DISPLAY": ":4711", "PATH": "/usr/bin:/bin"]
    environment["DBUS_SESSION_BUS_ADDRESS"] =
      address.map {
        switch $0 {
        case "unix:path=DEAF": "unix:path=\(bus.directory)/deaf"
        case "unix:path=DEAD": "unix:path=\(bus.directory)/dead"
        default: $0
        }
      }
    let desktop = try SpawnedSink.desktop(environment)
    try desktop.send(.present(Sample.ringing(seq: 1)), .ping)
    var reports = [try desktop.answer(), try desktop.answer()]
    #expect(reports.contains(.pong))
    reports.removeAll { $0 == .pong }
    guard case .failed(let failed)?? = reports.first else {
      Issue.record("\(reports)")
      return
    }
    #expect(failed.retry == true)
    #expect(failed.reason.contains("session bus"))
    try desktop.send(.cleared(Sample.cleared(seq: 2)), .bye)
    #expect(try desktop.answer() == .presented(seq: 2))
    #expect(try desktop.exitCode() == 0)
    _ = deaf
  }
}

/// A socket on which nobody ever says anything.
private final class DeafSocket {
  private let descriptor: CInt

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(descriptor, 5) == 0 else {
      throw Failure("no socket at \(path)")
    }
  }

  deinit { close(descriptor) }
}
