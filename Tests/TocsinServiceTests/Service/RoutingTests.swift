import Foundation
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine
@testable import TocsinService

@Suite("The service and its routes")
struct RoutingTests {
  private func configuration(_ routes: String) throws -> Configuration {
    let sinks = ["speaker", "popup", "bedside"].map {
      "[plugin \($0)]\nrun = none\nenabled = no\n"
    }
    let text = sinks.joined() + routes
    return try Configuration([Configuration.Source(name: "plugins.conf", text: text)])
  }

  private func running(_ routes: String = "") throws -> RunningService {
    let configuration = try configuration(routes)
    return try RunningService { $0.configuration = configuration }
  }

  private static let wakeup = """
    [route wakeup]
    match = event:alert
    to = speaker, bedside.led
    fallback = bedside.buzzer after 5s
    """

  private func ring(_ running: RunningService, _ client: Wire) {
    client.ask("schedule", timerKeys(1, seconds: 60))
    running.pass(.seconds(60))
  }

  private func history(_ client: Wire) -> [String] {
    client.write(Wire.request("history"))
    return client.answer("q").compactMap { $0["entry"] as? [String: Any] }.map { entry in
      ["event", "source", "detail"].compactMap { entry[$0] as? String }.joined(separator: " ")
    }.reversed()
  }

  @Test("ask the fallback when the sound fails, and tell why in the record and in show")
  func fallback() throws {
    let running = try running(Self.wakeup)
    let speaker = AttachedSink(running, "speaker", audible: true)
    let popup = AttachedSink(running, "popup")
    let bedside = AttachedSink(
      running,
      "bedside",
      audible: true,
      parts: ["led": false, "buzzer": true]
    )
    let client = running.connect()
    ring(running, client)
    #expect(bedside.next("alert")["parts"] as? [String] == ["led"])
    bedside.confirm()
    speaker.next("alert")
    speaker.fail("there is no card")
    #expect(bedside.next("alert")["parts"] as? [String] == ["buzzer", "led"])
    bedside.confirm()
    // It showed the countdown and has no part in the alert.
    #expect(popup.types(upTo: "cleared").contains("alert") == false)
    #expect(popup.last["reason"] as? String == "rerouted")
    #expect(
      history(client).dropFirst() == [
        "fired", "presented bedside led",
        "failed speaker there is no card",
        "fallback bedside.buzzer, because nothing audible is confirmed: "
          + "speaker failed: there is no card ([route wakeup])",
      ]
    )
    client.write(Wire.request("show", ["alarm": id(1)]))
    let alarm = client.answer("q").first?["alarm"] as? [String: Any]
    let receipts = alarm?["receipts"] as? [[String: Any]] ?? []
    #expect(receipts.map { $0["sink"] as? String } == ["speaker", "bedside"])
    #expect(receipts.map { $0["result"] as? String } == ["failed", "presented"])
    #expect(receipts.last?["audible"] as? Bool == true)
  }

  @Test("report a ring that nobody confirms: in the log, the status, and at every sink")
  func unheard() throws {
    let running = try running(Self.wakeup)
    let popup = AttachedSink(running, "popup")
    let speaker = AttachedSink(running, "speaker", audible: true)
    let client = running.connect()
    ring(running, client)
    speaker.next("alert")
    running.pass(.seconds(5))
    running.pass(.seconds(5))
    let notice = popup.next("notice")
    #expect(notice["level"] as? String == "critical")
    #expect((notice["text"] as? String ?? "").contains("Tea rings and nobody has confirmed it"))
    #expect(popup.next("alert")["title"] as? String == "Tea")
    #expect(running.log.wait(for: "critical: an alarm rings and nobody has confirmed it"))
    #expect(!running.log.all.contains { $0.contains("Tea") })
    let status = client.ask("status")["status"] as? [String: Any]
    #expect(warnings(status).contains("an alarm rings and nobody has confirmed it"))
    speaker.confirm()
    let calm = client.ask("status")["status"] as? [String: Any]
    #expect(!warnings(calm).contains("nobody has confirmed"))
  }

  @Test("tell those who watch what became of an alert at each sink")
  func receiptEvents() throws {
    let running = try running()
    let speaker = AttachedSink(running, "speaker", audible: true)
    let watcher = running.connect()
    watcher.ask("subscribe")
    ring(running, running.connect())
    speaker.next("alert")
    speaker.confirm()
    var event = watcher.object()
    while !event.isEmpty, event["type"] as? String != "receipt" { event = watcher.object() }
    #expect(event["sink"] as? String == "speaker")
    #expect(event["result"] as? String == "presented")
    #expect(event["audible"] as? Bool == true)
    #expect(event["alarm"] as? String == id(1))
  }

  @Test("let a silence hold back alerts until it ends, and say so")
  func silence() throws {
    let running = try running()
    let speaker = AttachedSink(running, "speaker", audible: true)
    let client = running.connect()
    client.write(Wire.request("silence", ["match": "label:x", "duration": 120]))
    let answer = client.answer("q")
    let silence = answer.first?["silence"] as? [String: Any]
    #expect(silence?["match"] as? String == "label:x")
    #expect(silence?["number"] as? Int == 1)
    #expect(silence?["until"] as? String == "2040-03-01T12:02:00.000Z")
    var keys = timerKeys(1, seconds: 60)
    var alarm = keys["alarm"] as? [String: Any] ?? [:]
    alarm["labels"] = ["x"]
    keys["alarm"] = alarm
    client.ask("schedule", keys)
    running.pass(.seconds(60))
    let status = client.ask("status")["status"] as? [String: Any]
    #expect((status?["silences"] as? [Any])?.count == 1)
    #expect(speaker.types(upTo: "cleared").contains("alert") == false)
    running.pass(.seconds(60))
    #expect(speaker.next("notice")["text"] as? String == "The silence of label:x is over")
    #expect(speaker.next("alert")["title"] as? String == "Tea")
    #expect(history(client).contains { $0.hasPrefix("withheld silenced by") })
    #expect(client.ask("silences")["count"] as? Int == 0)
  }

  @Test(
    "refuse what cannot be meant",
    arguments: [
      ("silence", #"{"match":"lable:x","duration":60}"#, "did you mean label?"),
      ("silence", #"{"match":"","duration":60}"#, "write what to silence, or all"),
      ("silence", #"{"match":"event:paused","duration":60}"#, "leave event: out"),
      ("silence", #"{"match":"all","duration":0}"#, "from 1 s to 366 days"),
      ("silence", #"{"match":"all","duration":1e300}"#, "from 1 s to 366 days"),
      ("unsilence", #"{"number":7}"#, "there is no silence 7"),
      ("disableSink", #"{"sink":"speeker"}"#, "did you mean speaker?"),
      ("route", #"{"alarm":"nothing of the kind"}"#, "no alarm"),
    ]
  )
  func refusals(type: String, keys: String, remedy: String) throws {
    let running = try running()
    let client = running.connect()
    client.write(#"{"type":"\#(type)","id":"q","# + keys.dropFirst() + "\n")
    let answer = client.answer("q").last ?? [:]
    #expect(answer["type"] as? String == "error")
    #expect((answer["message"] as? String ?? "").contains(remedy), "\(answer)")
  }

  @Test("say where an alarm would go, step by step")
  func question() throws {
    let running = try running(Self.wakeup + "\nescalate = popup after 3min\n")
    let sinks = [
      AttachedSink(running, "speaker", audible: true), AttachedSink(running, "popup"),
      AttachedSink(running, "bedside", parts: ["led": false, "buzzer": true]),
    ]
    let client = running.connect()
    client.write(Wire.request("route", ["title": "Wake up", "at": "2040-03-02T06:50:00.000Z"]))
    let steps = client.answer("q").compactMap { $0["step"] as? [String: Any] }
    #expect(
      steps.map { step in
        let names = (step["sinks"] as? [String] ?? []).joined(separator: "+")
        return "\(step["kind"] ?? "") \((step["at"] as? String ?? "").dropFirst(11)) \(names)"
      } == [
        "alert 06:50:00.000Z speaker+bedside.led", "fallback 06:50:05.000Z bedside.buzzer",
        "report 06:50:10.000Z speaker+popup+bedside", "escalate 06:53:00.000Z popup",
        "snooze 07:00:00.000Z ",
      ]
    )
    #expect((steps[0]["why"] as? String ?? "").contains("[route wakeup] fits: event:alert"))
    #expect(sinks.count == 3)
  }

  @Test("switch a sink off until the daemon ends, and say so in the status")
  func switchedOff() throws {
    let running = try running()
    let client = running.connect()
    client.write(Wire.request("disableSink", ["sink": "speaker"]))
    let answer = client.answer("q")
    #expect((answer.first?["sink"] as? [String: Any])?["state"] as? String == "off")
    let status = client.ask("status")["status"] as? [String: Any]
    #expect(warnings(status).contains("speaker is switched off until the daemon ends"))
    #expect(!warnings(status).contains("popup"))
  }

  @Test("follow other routes after a reload, and forget a sink that left")
  func reload() throws {
    let first = try configuration("[route r]\nmatch = event:alert\nto = speaker\n")
    let second = try configuration("[route r]\nmatch = event:alert\nto = popup\n")
    let running = try RunningService {
      $0.configuration = first
      $0.reload = { () throws(ConfigurationError) in second }
    }
    var speaker: AttachedSink? = AttachedSink(running, "speaker", audible: true)
    let popup = AttachedSink(running, "popup")
    let client = running.connect()
    #expect(client.ask("reload")["type"] as? String == "ok")
    ring(running, client)
    popup.next("alert")
    #expect(speaker?.types(upTo: "cleared").contains("alert") == false)
    speaker = nil
    client.ask("stop")
    client.ask("schedule", timerKeys(2, seconds: 60))
    let attached = client.sinks()?.filter { $0["state"] as? String == "attached" }
    #expect(attached?.map { $0["sink"] as? String } == ["popup"])
  }
}
