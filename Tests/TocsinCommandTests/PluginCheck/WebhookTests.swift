import Foundation
import ProcessTesting
import Testing
import TocsinModel

@testable import TocsinCommand

/// A web server on a port of its own: it writes what is posted to it, and does what it is told.
private final class PushServer {
  let program: Program
  let url: String

  private static let script = """
    import http.server, json, sys, threading
    status, replies, gate = [200], [], threading.Condition()
    def tell(request):
        if "quiet" not in sys.argv: print(json.dumps(request), flush=True)
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            tell({"path": self.path, "body": json.loads(body)})
            with gate:
                gate.wait_for(lambda: status[0])
            self.send_response(status[0])
            self.send_header("Content-Length", "0")
            self.end_headers()
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            tell({"path": self.path})
            while True:
                with gate:
                    gate.wait_for(lambda: replies)
                    line = replies.pop(0)
                self.wfile.write(line.encode())
                self.wfile.flush()
        def log_message(self, *words): pass
    server = http.server.ThreadingHTTPServer(("localhost", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    for line in sys.stdin:
        with gate:
            if line.startswith("status "): status[0] = int(line.split()[1])
            else: replies.append(line)
            gate.notify_all()
    """

  /// Starts it; it answers 200, and tells of no request if nobody reads that.
  init(isQuiet: Bool = false) throws {
    program = try Program(
      ["python3", "-c", Self.script] + (isQuiet ? ["quiet"] : []),
      environment: ["PATH": "/usr/bin:/bin"],
      input: .pipe
    )
    let port = try program.output.line() ?? ""
    url = "http://localhost:\(port)"
  }

  /// Answers with this status from now on; 0 lets them wait.
  func answer(_ status: Int) throws { try program.write("status \(status)\n") }

  /// Sends a line to whoever listens.
  func reply(_ line: String) throws { try program.write(line + "\n") }

  /// The next request: where it went, and what was posted if it was that.
  func request() throws -> (path: String, body: [String: Any]) {
    let line = try program.output.line() ?? ""
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return (object?["path"] as? String ?? "", object?["body"] as? [String: Any] ?? [:])
  }
}

@Suite(
  "webhook.py",
  .enabled(if: Program.exists("python3"), "needs python3"),
  .timeLimit(.minutes(10))
)
struct WebhookTests {
  private let path = ExamplePlugin.path("webhook.py")

  @Test("keeps the protocol with a server, with one that refuses, and with none")
  func isChecked() throws {
    let server = try PushServer(isQuiet: true)
    for words in [
      ["--set", "url=\(server.url)"], ["--set", "url=\(server.url)", "--set", "topic=bell"],
      ["--set", "url=http://localhost:1"], [],
    ] {
      let result = try CheckedPlugin.check(["--timeout", "30s"] + words + [path])
      #expect(result.code == 0, "\(result.out)\(result.err)")
      #expect(result.lines("note").count == (words.isEmpty || words[1].hasSuffix(":1") ? 2 : 1))
    }
  }

  @Test("pushes an alert with its buttons, confirms it then, and gives back what was pressed")
  func ntfy() throws {
    let server = try PushServer()
    let plugin = try ExamplePlugin([path], settings: ["url": server.url, "topic": "bell"])
    #expect(try server.request().path == "/bell-reply/json")
    let seq = try plugin.present(1, title: "Tea \"green\" 🍵")
    let push = try server.request()
    #expect(push.path == "/")
    #expect(push.body["topic"] as? String == "bell")
    #expect(push.body["message"] as? String == "Tea \"green\" 🍵")
    let actions = try #require(push.body["actions"] as? [[String: Any]])
    let name = plugin.name(1)
    #expect(actions.map { $0["body"] as? String } == ["stop \(name)", "snooze \(name)"])
    #expect(actions.map { $0["url"] as? String }.allSatisfy { $0 == "\(server.url)/bell-reply" })
    #expect(try plugin.report() == .presented(seq: seq))

    // What nobody may ask for, and what is no answer, is passed over.
    for message in ["cancel \(name)", "stop \(plugin.name(2))", "stop", ""] {
      try server.reply("{\"event\":\"message\",\"message\":\"\(message)\"}")
    }
    try server.reply("{\"event\":\"keepalive\"}")
    try server.reply("{\"event\":\"message\",\"message\":\"snooze \(name)\"}")
    let occurrence = try #require(OccurrenceID(name))
    #expect(try plugin.report() == .intent(Intent(.snooze, .occurrence(occurrence))))
    let over = try plugin.clear(1)
    #expect(try plugin.report() == .presented(seq: over))
    #expect(try plugin.end() == 0)
  }

  @Test("says failed while the server refuses, and confirms when it takes the push at last")
  func retries() throws {
    let server = try PushServer()
    try server.answer(503)
    let plugin = try ExamplePlugin([path], settings: ["url": server.url])
    let seq = try plugin.present(1)
    _ = try server.request()
    guard case .failed(let failed) = try plugin.report() else {
      Issue.record("it did not fail")
      return
    }
    #expect(failed.seq == seq)
    #expect(failed.retry == true)
    #expect(failed.reason.contains("503"), "\(failed.reason)")
    try server.answer(200)
    #expect(try server.request().body["seq"] as? UInt64 == seq)
    #expect(try plugin.report() == .presented(seq: seq))
  }

  @Test("answers ping while the server keeps it waiting, and pushes only the newest state then")
  func newest() throws {
    let server = try PushServer()
    try server.answer(0)
    let plugin = try ExamplePlugin([path], settings: ["url": server.url])
    let first = try plugin.present(1)
    #expect(try server.request().body["seq"] as? UInt64 == first)
    for state in [.alerting, .countdown, .paused] as [AlarmState] { try plugin.present(2, state) }
    let last = try plugin.present(2)
    try plugin.program.write(RouterLines.ping.bytes)
    #expect(try plugin.report() == .pong)
    try server.answer(200)
    #expect(try plugin.report() == .presented(seq: first))
    #expect(try server.request().body["seq"] as? UInt64 == last)
    #expect(try plugin.report() == .presented(seq: last))
    // What it has pushed already a sync does not push again.
    var router = plugin.lines
    let fresh = router.presentation(3, .alerting)
    var known = router.presentation(2, .alerting)
    known.seq = last
    try plugin.program.write(RouterLines.sync([known, fresh]).bytes)
    #expect(try plugin.report() == .presented(seq: last))
    #expect(try server.request().body["seq"] as? UInt64 == fresh.seq)
  }

  @Test("refuses a key it does not know")
  func settings() throws {
    let result = try CheckedPlugin.check(["--set", "tpoic=bell", path])
    #expect(result.code == 1)
    #expect(
      result.out.contains(
        "its settings are wrong, after \"unknown key tpoic, there are url, topic, reply\""
      )
    )
  }
}
