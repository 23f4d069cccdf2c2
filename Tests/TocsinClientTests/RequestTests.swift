import Foundation
import Glibc
import Testing
import TocsinClient
import TocsinModel
import TocsinTime

private let uuid = "1b4e28ba-2fa1-4d2a-883f-0016d3cca427"
private let alert = """
  {"type":"alert","seq":7,"occurrence":"\(uuid):1:0","alarm":"\(uuid)","title":"Tea",\
  "kind":"timer","state":"alerting","due":"2027-01-01T00:00:00.000Z"}

  """

@Suite("Requests and answers", .timeLimit(.minutes(10)))
struct RequestTests {
  @Test("an answer is its items in order, then ok")
  func items() throws {
    let server = try ScriptedServer { peer in
      let request = peer.request()
      let id = request["id"] as? String ?? ""
      let type = request["type"] as? String ?? ""
      for sink in ["lamp", "bell"] {
        peer.send(
          """
          {"type":"sink","id":"\(id)","sink":{"sink":"\(sink)","state":"ready","restarts":0,"dropped":0}}

          """
        )
      }
      peer.send(
        "{\"type\":\"ok\",\"id\":\"\(id)\",\"count\":2,\"warning\":\"\(type)\",\"new\":1}\n"
      )
    }
    let connection = try Connection(to: server.path)
    var names: [String] = []
    let outcome = try connection.request(.sinks) { reply in
      if case .sink(_, let status) = reply { names.append(status.sink) }
    }
    #expect(names == ["lamp", "bell"])
    #expect(outcome.count == 2)
    #expect(outcome.warning == "sinks")
    server.finish()
  }

  @Test("steps and silences are parts of an answer, not events")
  func routing() throws {
    let server = try ScriptedServer { peer in
      let id = peer.request()["id"] as? String ?? ""
      let time = "2027-01-08T05:50:00.000Z"
      peer.send(
        """
        {"type":"step","id":"\(id)","step":{"at":"\(time)","kind":"alert","sinks":[],"why":"x"}}
        {"type":"silence","id":"\(id)","silence":{"number":2,"match":"all","since":"\(time)",\
        "until":"\(time)","source":"cli"}}
        {"type":"ok","id":"\(id)"}

        """
      )
    }
    let connection = try Connection(to: server.path)
    var parts: [String] = []
    try connection.request(.route(RouteQuestion())) { reply in
      switch reply {
      case .step(_, let step): parts.append(step.why)
      case .silence(_, let silence): parts.append(silence.match)
      default: break
      }
    }
    #expect(parts == ["x", "all"])
    server.finish()
  }

  @Test("lines may arrive byte by byte, or many at once")
  func framing() throws {
    let server = try ScriptedServer { peer in
      let id = peer.request()["id"] as? String ?? ""
      for byte in Array("{\"type\":\"ok\",\"id\":\"\(id)\",\"count\":1}\n".utf8) {
        peer.send([byte])
      }
      let next = peer.request()["id"] as? String ?? ""
      peer.send(
        "\n" + alert + "{\"type\":\"ping\"}\n{\"type\":\"ok\",\"id\":\"\(next)\",\"count\":2}\n"
      )
    }
    let connection = try Connection(to: server.path)
    #expect(try connection.request(.next).count == 1)
    #expect(try connection.request(.next).count == 2)
    server.finish()
  }

  @Test("events that come between are kept, in order, for who wants them")
  func events() throws {
    let server = try ScriptedServer { peer in
      let id = peer.request()["id"] as? String ?? ""
      peer.send("{\"type\":\"sync\",\"presentations\":[]}\n" + alert)
      peer.send("{\"type\":\"ok\",\"id\":\"\(id)\"}\n{\"type\":\"tomorrow\",\"id\":\"1\"}\n")
      peer.send("{\"type\":\"ok\",\"alarm\":\"no id\"}\n")
    }
    let connection = try Connection(to: server.path)
    try connection.request(.subscribe)
    var events: [SinkMessage] = []
    while events.count < 4, case .event(let event) = try connection.receive(within: .seconds(10)) {
      events.append(event)
    }
    #expect(events.count == 4)
    #expect(events.first == .sync([]))
    if case .present(let shown) = events[1] {
      #expect(shown.title == "Tea")
      #expect(shown.state == .alerting)
    } else {
      Issue.record("the alert became \(events[1])")
    }
    #expect(Array(events[2...]) == [.unknown("tomorrow"), .unknown("ok")])
    server.finish()
    #expect(throws: ClientError.lost(path: server.path)) {
      try connection.receive(within: .seconds(10))
    }
  }

  @Test("why it was refused is told even if the daemon closed before it was asked")
  func refusedAtOnce() throws {
    let server = try ScriptedServer { peer in
      peer.send("{\"type\":\"error\",\"id\":\"\",\"code\":\"permission\",\"message\":\"no\"}\n")
    }
    let connection = try Connection(to: server.path)
    server.finish()
    #expect(throws: ClientError.service(ServiceError(.permission, "no"))) {
      try connection.request(.next)
    }
    #expect(throws: ClientError.lost(path: server.path)) { try connection.request(.next) }
  }

  @Test("a refusal is an error with its code and sentence")
  func refusal() throws {
    let server = try ScriptedServer { peer in
      let id = peer.request()["id"] as? String ?? ""
      peer.send(
        "{\"type\":\"error\",\"id\":\"\(id)\",\"code\":\"wrongState\",\"message\":\"Tea rings\"}\n"
      )
    }
    let connection = try Connection(to: server.path)
    #expect(throws: ClientError.service(ServiceError(.wrongState, "Tea rings"))) {
      try connection.request(.intent(Intent(.pause, .only)))
    }
    server.finish()
  }

  @Test("a daemon that does not answer is given up on, and its late answer is not the next one's")
  func silence() throws {
    let server = try ScriptedServer { peer in
      let first = peer.request()["id"] as? String ?? ""
      let second = peer.request()["id"] as? String ?? ""
      #expect(first != second)
      peer.send("{\"type\":\"ok\",\"id\":\"\(first)\",\"count\":1}\n")
      peer.send("{\"type\":\"ok\",\"id\":\"\(second)\",\"count\":2}\n")
    }
    let connection = try Connection(to: server.path)
    #expect(
      throws: ClientError.timeout(path: server.path, operation: "answer", seconds: 0.02)
    ) {
      try connection.request(.status, within: .milliseconds(20))
    }
    #expect(try connection.request(.status).count == 2)
    server.finish()
  }

  @Test("a connection that ends before the answer is lost, and no signal kills the client")
  func lost() throws {
    let server = try ScriptedServer { _ = $0.request() }
    let connection = try Connection(to: server.path)
    #expect(throws: ClientError.lost(path: server.path)) { try connection.request(.status) }
    server.finish()
    // Writing to what is closed would raise SIGPIPE.
    #expect(throws: ClientError.lost(path: server.path)) { try connection.request(.status) }
    connection.close()
    #expect(connection.fileDescriptor == -1)
    #expect(throws: ClientError.lost(path: server.path)) { try connection.send(.status) }
  }

  @Test(
    "what is not the protocol is told as such",
    arguments: [
      "hello\n", "[]\n", "{}\n", "{\"type\":\"alert\"}\n", "{\"type\":\"ok\",\"id\":1}\n",
      "\u{0}\n", String(repeating: "x", count: 70_000),
    ]
  )
  func junk(line: String) throws {
    let server = try ScriptedServer { peer in
      _ = peer.request()
      peer.send(line)
    }
    let connection = try Connection(to: server.path)
    let thrown = failure(ClientError.self) { _ = try connection.request(.status) }
    guard case .protocol(let path, let what) = thrown else {
      Issue.record("not told as a fault of the protocol: \(String(describing: thrown))")
      return
    }
    #expect(path == server.path)
    #expect(!what.isEmpty)
    server.finish()
  }

  @Test("a line over the limit is not sent, one just below it arrives whole through a small buffer")
  func limit() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    var size: Int32 = 2_048
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    let connection = Connection(adopting: ends[0], path: "pair")
    var alarm = Alarm(id: AlarmID(high: 1, low: 2), title: "")
    alarm.title = String(repeating: "x", count: JSONLine.limit)
    let thrown = failure(ClientError.self) { _ = try connection.send(.schedule(alarm)) }
    guard case .tooLarge(let bytes) = thrown else {
      Issue.record("sent, or refused as \(String(describing: thrown))")
      return
    }
    alarm.title.removeLast(bytes - JSONLine.limit)
    let peer = Peer(ends[1])
    let length = LockedBox(0)
    let done = DispatchSemaphore(value: 0)
    let wrapped = LockedBox(peer)
    Thread.detachNewThread {
      length.value = wrapped.value.line()?.utf8.count ?? 0
      done.signal()
    }
    try connection.send(.schedule(alarm))
    done.wait()
    #expect(length.value == JSONLine.limit - 1)
    Glibc.close(ends[1])
  }

  @Test("a peer that does not read is given up on")
  func stuck() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { Glibc.close(ends[1]) }
    let connection = Connection(adopting: ends[0], path: "pair")
    let alarm = Alarm(
      id: AlarmID(high: 1, low: 2),
      title: String(repeating: "x", count: 16_384)
    )
    let thrown = failure(ClientError.self) {
      for _ in 0..<1_000 { try connection.send(.schedule(alarm), within: .milliseconds(20)) }
    }
    #expect(
      thrown == .timeout(path: "pair", operation: "take the request", seconds: 0.02)
    )
  }
}

/// A value handed from thread to thread.
///
/// Safe because the semaphore orders every access.
final class LockedBox<Value>: @unchecked Sendable {
  var value: Value
  init(_ value: Value) { self.value = value }
}
