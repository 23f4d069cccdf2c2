import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinModel

@testable import TocsinApplication

/// Something at a socket that lets a program in, answers a few of its requests, and breaks off.
private final class FickleService: Sendable {
  /// The types of the first request of each connection.
  let beginnings = Notes()
  private let listener: Int32
  private let breaks: Int

  /// - Parameters:
  ///   - path: where to listen.
  ///   - breaks: how many connections break; the next one is a good one.
  /// - Throws: `Failure` if it cannot listen there.
  init(at path: String, breaks: Int) throws {
    self.breaks = breaks
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    listener = socket(AF_UNIX, Int32(type), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
    }
    guard code == 0, listen(listener, 8) == 0 else { throw Failure("cannot listen at \(path)") }
    Thread { [self] in
      for round in 0...breaks { serve(accept(listener, nil, nil), breaksOff: round < breaks) }
      close(listener)
    }.start()
  }

  private func serve(_ descriptor: Int32, breaksOff: Bool) {
    defer { close(descriptor) }
    let lines = ProcessTesting.LineReader(dup(descriptor))
    var count = 0
    while let line = try? lines.line(),
      let request = try? JSONLine.decode(Request.self, from: Array(line.utf8))
    {
      if count == 0 { beginnings.add(StateBench.type(of: request.body)) }
      count += 1
      var outcome = Reply.Outcome()
      if case .status = request.body { outcome.status = StateBench.status(embedded: nil) }
      guard let reply = try? JSONLine.encode(Reply.ok(id: request.id, outcome)) else { return }
      _ = send(descriptor, reply, reply.count, Int32(MSG_NOSIGNAL))
      // In the middle of many, with more on their way.
      if breaksOff, count == 20 { return }
    }
  }
}

@Suite("A service that breaks off again and again", .timeLimit(.minutes(10)))
struct FickleServiceTests {
  @Test("Each connection begins with the program's name, and every call is answered once")
  func beginnings() async throws {
    let ground = try Ground()
    let service = try FickleService(at: ground.socket, breaks: 5)
    let link = ground.link()
    let answered = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<400 {
        group.addTask {
          await failure(ofAwaited: { _ = try await link.answer(to: .reload) }) == nil
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(answered == 400)
    #expect(service.beginnings.all == Array(repeating: "join", count: 6))
    try await onThread { link.close() }
  }
}
