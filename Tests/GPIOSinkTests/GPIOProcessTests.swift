import Glibc
import SinkTesting
import Testing

@testable import GPIOSink
@testable import SinkKit

@Suite("The real tocsin-gpio", .serialized, .timeLimit(.minutes(10))) struct GPIOProcessTests {
  /// A chip by a label that no machine has, so that this is the same everywhere.
  private static let settings = [
    "chip": "no-such-chip-anywhere", "led": "GPIO22", "button.snooze": "GPIO17",
    "button.snooze.press": "snooze",
  ]

  private func ready(_ process: SpawnedSink) throws {
    let ready = SinkReport.Ready(
      name: "tocsin-gpio",
      version: Version.text,
      capabilities: ["light", "buttons"],
      audible: false,
      parts: [SinkReport.Ready.Part(name: "led", capabilities: ["light"], audible: false)]
    )
    var reports: [SinkReport] = []
    for _ in 0..<2 { reports.append(try #require(try process.report())) }
    #expect(reports.last == .ready(ready))
    guard case .log(let log) = reports[0] else {
      Issue.record("no line in the log: \(reports[0])")
      return
    }
    #expect(log.level == "warning")
    #expect(log.message.hasPrefix("led (GPIO22), button.snooze (GPIO17): "))
    #expect(log.message.hasSuffix("; waiting for it"))
  }

  @Test("without its chip is ready, says so once, fails what it is to show, and waits")
  func noChip() throws {
    let process = try SpawnedSink("tocsin-gpio")
    try process.hello(Self.settings, as: "bedside")
    try ready(process)
    try process.send(.sync([]), .present(Sample.alert(seq: 7)))
    let report = try process.report()
    guard case .failed(let failed)? = report else {
      Issue.record("\(String(describing: report))")
      return
    }
    #expect(failed.seq == 7 && failed.retry == true)
    #expect(failed.reason.hasPrefix("led (GPIO22): "))
    try process.send(.ping, .cleared(Sample.cleared(seq: 8)))
    #expect(try process.report() == .pong)
    #expect(try process.report() == .presented(seq: 8))
    try process.send(.bye)
    #expect(try process.report() == nil)
    #expect(try process.exitCode() == 0)
  }

  @Test("ends with 0 on signals and when its input is closed", arguments: [SIGTERM, SIGINT, 0])
  func ends(signal: CInt) throws {
    let process = try SpawnedSink("tocsin-gpio")
    try process.hello(Self.settings, as: "bedside")
    try ready(process)
    if signal == 0 { process.program.close(0) } else { process.signal(signal) }
    #expect(try process.exitCode() == 0)
  }

  @Test("ends with 78 when its settings are wrong, each told in a line")
  func misconfigured() throws {
    let process = try SpawnedSink("tocsin-gpio")
    let settings = ["led": "22", "button.a": "GPIO17"]
    try process.hello(settings, as: "bedside")
    var lines: [String] = []
    while case .log(let log)? = try process.report() { lines.append(log.message) }
    #expect(
      lines == [
        "[plugin bedside] led = \"22\" is a number: write GPIO22, or say whose line with chip =",
        "[plugin bedside] button.a = \"GPIO17\" means nothing: write button.a.press = snooze",
      ]
    )
    #expect(try process.exitCode() == 78)
  }
}
