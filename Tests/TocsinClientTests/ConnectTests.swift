import Foundation
import Glibc
import Testing
import TocsinClient

@Suite("Connecting", .timeLimit(.minutes(10)))
struct ConnectTests {
  @Test("no file, a socket nobody listens at and a plain file all mean that no daemon runs")
  func nobodyThere() throws {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let stale = directory + "/stale"
    Glibc.close(try listening(at: stale, backlog: 1))
    let plain = directory + "/plain"
    try Data().write(to: URL(fileURLWithPath: plain))
    for path in [directory + "/missing", stale, plain, plain + "/below"] {
      #expect(throws: ClientError.noDaemon(paths: [path])) { try Connection(to: path) }
    }
    let paths = [stale, plain]
    #expect(throws: ClientError.noDaemon(paths: paths)) { try Connection.first(of: paths) }
    // Nothing was removed or written on the way.
    #expect(FileManager.default.fileExists(atPath: stale))
    #expect(FileManager.default.fileExists(atPath: plain))
  }

  @Test("the first path that answers is taken")
  func firstThatAnswers() throws {
    let server = try ScriptedServer { _ = $0.request() }
    let connection = try Connection.first(of: ["/nowhere/tocsin.sock", server.path])
    #expect(connection.path == server.path)
    connection.close()
    server.finish()
  }

  @Test("a daemon that accepts nobody is given up on")
  func fullQueue() throws {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/s.sock"
    let listener = try listening(at: path, backlog: 0)
    defer { Glibc.close(listener) }
    var waiting: [Connection] = []
    let thrown = failure(ClientError.self) {
      for _ in 0..<64 { waiting.append(try Connection(to: path, within: .milliseconds(20))) }
    }
    #expect(
      thrown == .timeout(path: path, operation: "accept a connection", seconds: 0.02)
    )
  }

  @Test(
    "a socket of somebody else is refused, not missing",
    .enabled(if: getuid() != 0, "root may use every socket")
  )
  func refused() throws {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/s.sock"
    let listener = try listening(at: path, backlog: 1)
    defer { Glibc.close(listener) }
    chmod(path, 0)
    #expect(throws: ClientError.refused(path: path, code: EACCES)) {
      try Connection.first(of: [path, "/nowhere/tocsin.sock"])
    }
  }

  @Test("each failure says the thing, the place and the remedy in one line")
  func sentences() {
    let failures: [(ClientError, [String])] = [
      (.noDaemon(paths: ["/a", "/b"]), ["/a or /b", "systemctl --user start tocsind"]),
      (.refused(path: "/a", code: EACCES), ["/a", "Permission denied"]),
      (.lost(path: "/a"), ["/a", "closed"]),
      (.timeout(path: "/a", operation: "answer", seconds: 10), ["/a", "answer within 10 s"]),
      (.timeout(path: "/a", operation: "answer", seconds: 0.5), ["0.5 s"]),
      (.tooLarge(bytes: 70_000), ["70000", "65536"]),
      (.protocol(path: "/a", what: "junk"), ["/a", "junk"]),
      (.system(operation: "read from", path: "/a", code: EIO), ["read from /a", "Input/output"]),
    ]
    for (failure, parts) in failures {
      let text = failure.description
      #expect(!text.contains("\n") && !text.hasSuffix("."))
      for part in parts { #expect(text.contains(part), "\(text)") }
    }
  }
}
