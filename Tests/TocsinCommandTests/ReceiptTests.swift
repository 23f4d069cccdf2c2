import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinCommand

private let occurrence = OccurrenceID(alarm: id(1), origin: Instant(seconds: 1), serial: 0)

private let ringing = status(1, "Wake", .alerting) {
  $0.due = instant("2026-11-30T22:17:00Z")
  $0.receipts = [
    AlertReceipt(
      sink: "speaker",
      result: .failed,
      at: instant("2026-11-30T22:17:01Z"),
      audible: true,
      detail: "no such\tcard"
    ),
    AlertReceipt(
      sink: "bedside",
      parts: ["led", "buzzer"],
      result: .presented,
      at: instant("2026-11-30T22:17:06Z"),
      audible: true
    ),
    AlertReceipt(sink: "popup", audible: false),
    AlertReceipt(
      sink: "push",
      result: .timedOut,
      at: instant("2026-11-30T22:17:05Z"),
      audible: false
    ),
  ]
}

private func entry(
  _ time: String,
  _ event: HistoryEntry.Event,
  _ source: String? = nil,
  _ detail: String? = nil
) -> HistoryEntry {
  HistoryEntry(
    at: instant("2026-11-30T\(time)Z"),
    alarm: id(2),
    occurrence: nil,
    title: "Tea",
    event: event,
    source: source,
    detail: detail
  )
}

/// Two rings of the alarm "Tea", the newest first.
private let record = [
  entry("06:00:05", .fallback, "bedside.buzzer", "nothing audible has confirmed"),
  entry("06:00:02", .failed, "speaker", "no such card"), entry("06:00:01", .presented, "popup"),
  entry("06:00:00", .fired), entry("05:00:01", .presented, "old"), entry("05:00:00", .fired),
]

private func service(unheard: Int?) -> ServiceStatus {
  var status = ServiceStatus(
    version: "1",
    pid: 7,
    alarms: 2,
    alerting: 1,
    limit: 10,
    next: nil,
    zone: "Europe/Berlin",
    clockTrusted: true,
    wakesFromSuspend: true,
    store: "/s",
    warnings: ["Wake rings and nothing has confirmed it"]
  )
  status.unheard = unheard
  status.silences = [
    Silence(
      number: 2,
      match: "label:x",
      since: instant("2026-11-30T22:00:00Z"),
      until: instant("2026-11-30T23:18:00Z"),
      source: "cli"
    )
  ]
  return status
}

private func sink(_ name: String, _ state: String, _ ready: SinkReport.Ready?) -> SinkStatus {
  SinkStatus(
    sink: name,
    state: state,
    pid: ready.map { _ in 42 },
    ready: ready,
    restarts: 0,
    dropped: 0,
    reason: nil
  )
}

/// A daemon that tells of the above; `watch` gets a notice and receipts.
private func daemon(unheard: Int? = nil) throws -> FakeDaemon {
  try FakeDaemon { request, client in
    let id = request.id
    switch request.body {
    case .show("Wake"): client.send(Reply.alarm(id: id, ringing))
    case .show: client.send(Reply.alarm(id: id, status(2, "Tea")))
    case .history: for entry in record { client.send(Reply.entry(id: id, entry)) }
    case .status:
      return client.send(Reply.ok(id: id, Reply.Outcome(status: service(unheard: unheard))))
    case .sinks:
      let parts = [
        SinkReport.Ready.Part(name: "led", capabilities: ["light"], audible: false),
        SinkReport.Ready.Part(name: "buzzer", capabilities: ["sound"], audible: true),
      ]
      let ready = SinkReport.Ready(
        name: "tocsin-gpio",
        version: "1",
        capabilities: ["light", "buttons"],
        audible: false,
        parts: parts
      )
      client.send(Reply.sink(id: id, sink("bedside", "ready", ready)))
      client.send(Reply.sink(id: id, sink("popup", "off", nil)))
    case .subscribe:
      client.send(Reply.ok(id: id, Reply.Outcome()))
      client.send(SinkMessage.sync([]))
      client.send(
        SinkMessage.present(
          Presentation(
            seq: 1,
            occurrence: occurrence,
            title: "Wake",
            kind: .alarm,
            state: .alerting,
            due: instant("2026-11-30T22:17:00Z")
          )
        )
      )
      for receipt in ringing.receipts ?? [] {
        client.send(
          SinkMessage.receipt(SinkMessage.Receipt(seq: 1, occurrence: occurrence, receipt: receipt))
        )
      }
      client.send(
        SinkMessage.notice(SinkMessage.Notice(seq: 2, level: .critical, text: "not\u{1b}heard"))
      )
      return client.send(SinkMessage.bye)
    default: break
    }
    client.send(Reply.ok(id: id, Reply.Outcome(count: 1)))
  }
}

@Suite("What became of alerts", .timeLimit(.minutes(10)))
struct ReceiptTests {
  private let page = Page()

  private func run(_ words: String..., at daemon: FakeDaemon, terminal: Bool = false) -> Int32 {
    page.run(
      words,
      environment: ["TOCSIN_SOCKET": daemon.path, "NO_COLOR": "1"],
      terminal: terminal
    )
  }

  @Test("show tells what each sink made of an alert while it rings")
  func whileRinging() throws {
    let daemon = try daemon()
    #expect(run("show", "Wake", at: daemon) == 0)
    #expect(
      page.out.hasSuffix(
        """
        State                           ringing since 23:17
        At speaker                      failed 23:17:01, audible: no such card
        At bedside.led, bedside.buzzer  presented 23:17:06, audible
        At popup                        not confirmed yet
        At push                         no answer in time 23:17:05

        """
      ),
      "\(page.out)"
    )
    #expect(run("show", "Wake", "--json", at: daemon) == 0)
    #expect(page.out.contains("\"receipts\":[{\"sink\":\"speaker\",\"result\":\"failed\""))
    #expect(!page.out.contains("lastRing"))
    #expect(!daemon.requests.contains { if case .history = $0.body { true } else { false } })
  }

  @Test("and of its last ring when it does not")
  func lastRing() throws {
    let daemon = try daemon()
    #expect(run("show", "Tea", at: daemon) == 0)
    #expect(
      page.out.hasSuffix(
        """
        State      scheduled
        Last ring  07:00
                   presented by popup 07:00:01
                   failed at speaker 07:00:02: no such card
                   fallback to bedside.buzzer 07:00:05: nothing audible has confirmed

        """
      ),
      "\(page.out)"
    )
    #expect(run("show", "Tea", "--json", at: daemon) == 0)
    #expect(page.out.contains("\"lastRing\":[{\"at\":\"2026-11-30T06:00:00.000Z\""))
    #expect(!page.out.contains("\"old\""))
    guard case .history(let filter) = daemon.requests.last?.body else {
      Issue.record("the record was not asked for")
      return
    }
    #expect(filter.alarm == id(2))
    #expect(filter.events?.contains(.timedOut) == true)
  }

  @Test("the record shows what failed in red")
  func history() throws {
    let daemon = try daemon()
    #expect(
      page.run(
        ["history", "--color=always"],
        environment: ["TOCSIN_SOCKET": daemon.path],
        terminal: true
      ) == 0
    )
    #expect(page.out.contains("\u{1b}[31mfailed\u{1b}[0m"))
    #expect(page.out.contains("\u{1b}[33mfallback\u{1b}[0m"))
    #expect(AlarmRows.style(.unheard) == .red)
    #expect(AlarmRows.style(.timedOut) == .red)
    #expect(AlarmRows.style(.presented) == .plain)
  }

  @Test("status is 5 while an alarm rings that no sink has confirmed")
  func unheard() throws {
    for (count, code) in [(nil, 0), (0, 0), (1, 5)] as [(Int?, Int32)] {
      let daemon = try daemon(unheard: count)
      #expect(run("status", at: daemon) == code)
      #expect(page.out.contains("Warning   Wake rings and nothing has confirmed it\n"))
      #expect(page.out.contains("confirmed by no sink") == (code == 5))
      #expect(
        page.out.contains("Silenced  label:x until Tue 1 Dec 00:18 (in 1 h), by cli, number 2\n"),
        "\(page.out)"
      )
      #expect(run("status", "--json", at: daemon) == code)
      #expect(page.out.contains("\"unheard\":1") == (count == 1))
      #expect(page.out.contains("\"silences\":[{\"number\":2"))
    }
  }

  @Test("sinks tells their parts, who can be heard, and who is off")
  func sinks() throws {
    let daemon = try daemon()
    #expect(run("sinks", at: daemon, terminal: true) == 0)
    #expect(
      page.out == """
        SINK     STATE  CAPABILITIES   AUDIBLE  PARTS       PID  RESTARTS  DROPPED  REASON
        bedside  ready  light,buttons  yes      led,buzzer  42   0         0
        popup    off                                             0         0

        """
    )
    #expect(run("sinks", "--json", at: daemon) == 0)
    #expect(
      page.out.contains(
        "\"parts\":[{\"name\":\"led\",\"capabilities\":[\"light\"],\"audible\":false}"
      )
    )
  }

  @Test("watch prints notices and receipts, and hands them on with --json")
  func watch() throws {
    let daemon = try daemon()
    let result = try Program.run(
      ["tocsin", "watch", "--color=always"],
      environment: ["TOCSIN_SOCKET": daemon.path]
    )
    #expect(result.code == 69)
    let red = "\u{1b}[31m"
    let off = "\u{1b}[0m"
    #expect(result.out.contains("  \(red)FAILED\(off)    Wake by speaker: no such card\n"))
    #expect(result.out.contains("PRESENTED\(off) Wake by bedside.led, bedside.buzzer\n"))
    #expect(result.out.contains("  \(red)CRITICAL\(off)  not?heard\n"), "\(result.out)")
    #expect(run("watch", "--json", at: daemon) == 69)
    #expect(page.out.contains("{\"type\":\"notice\",\"seq\":2,\"level\":\"critical\","))
    #expect(page.out.contains("{\"type\":\"receipt\",\"seq\":1,"))
  }

  @Test("who waits for one alarm sees notices above the live line, and no receipts")
  func following() throws {
    let daemon = try FakeDaemon { request, client in
      client.send(Reply.ok(id: request.id, Reply.Outcome(count: 1)))
      guard case .schedule = request.body else { return }
      let receipt = AlertReceipt(sink: "speaker", result: .failed, audible: true)
      client.send(
        SinkMessage.receipt(SinkMessage.Receipt(seq: 1, occurrence: occurrence, receipt: receipt))
      )
      client.send(SinkMessage.notice(SinkMessage.Notice(seq: 2, level: .warning, text: "mind it")))
      client.send(SinkMessage.bye)
    }
    let result = try Program.run(
      ["tocsin", "timer", "10m", "Tea", "--follow"],
      environment: ["TOCSIN_SOCKET": daemon.path, "TZ": "Europe/Berlin"]
    )
    #expect(result.out.contains("  WARNING   mind it\n"), "\(result.out)")
    #expect(!result.out.contains("speaker"))
  }
}
