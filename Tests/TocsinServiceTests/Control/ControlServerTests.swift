import Foundation
import Glibc
import Synchronization
import Testing
import TocsinModel

@testable import TocsinService

/// A server on a thread of its own that answers a few words.
///
/// `echo…` is said again at once; `hold…` waits for `free`, which answers the oldest that is held;
/// `big N` is answered by N bytes, `pieces N` by a source of N pieces of ten bytes.
private final class Desk: @unchecked Sendable {
  // Unchecked is safe because the server is touched on the reactor's thread alone, and `heard` locked.
  let reactor: Reactor
  let heard = Lines()
  let made = Mutex(0)
  private var server: ControlServer?
  private var held: [(ControlClient, String)] = []
  private var thread: ReactorThread?

  /// Whoever wants lines to be there before the first is read starts it later.
  init(
    _ socket: ControlSocket? = nil,
    group: gid_t? = nil,
    isStarted: Bool = true,
    _ change: (inout ControlLimits) -> Void = { _ in }
  ) throws {
    reactor = try Reactor()
    var limits = ControlLimits()
    change(&limits)
    server = try ControlServer(
      socket: socket,
      group: group,
      limits: limits,
      reactor: reactor
    ) { [unowned self] client, piece in hear(client, piece) }
    if isStarted { try start() }
  }

  func start() throws {
    thread = try ReactorThread(reactor)
  }

  func end() {
    guard thread != nil else { return }
    on { $0.server?.close() }
    thread?.stop()
    thread = nil
  }

  @discardableResult
  func on<Result: Sendable>(_ body: @escaping @Sendable (Desk) -> Result) -> Result? {
    let box = Lock<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    reactor.post { [self] in
      let result = body(self)
      box.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    return box.withLock { $0 }
  }

  func add(_ peer: Peer? = nil) -> Wire {
    let (mine, theirs) = Wire.pair()
    if thread == nil {
      server?.add(owning: theirs, from: peer)
    } else {
      on { $0.server?.add(owning: theirs, from: peer) }
    }
    return mine
  }

  func free() {
    on { desk in
      let (client, text) = desk.held.removeFirst()
      client.send(Array("freed \(text)\n".utf8))
      client.end()
    }
  }

  func stopListening() {
    on { $0.server?.stopListening() }
  }

  var clientCount: Int { on { $0.server?.clients.count ?? 0 } ?? 0 }

  private func hear(_ client: ControlClient, _ piece: RequestBuffer.Piece) {
    guard case .line(let bytes) = piece else { return heard.add("too long") }
    let text = String(decoding: bytes, as: UTF8.self)
    heard.add(text)
    let number = text.split(separator: " ").last.flatMap { Int($0) } ?? 0
    client.begin()
    if text.hasPrefix("hold") {
      held.append((client, text))
    } else if text.hasPrefix("pieces") {
      var left = number
      client.send {
        guard left > 0 else {
          if left == 0 { client.end() }
          return nil
        }
        left -= 1
        self.made.withLock { $0 += 1 }
        return Array("123456789\n".utf8)
      }
    } else {
      let answer = text.hasPrefix("big") ? String(repeating: "x", count: number) : text
      client.send(Array("\(answer)\n".utf8))
      client.end()
    }
  }
}

@Suite("The control server", .timeLimit(.minutes(10)))
struct ControlServerTests {
  @Test("hears lines and sends answers, however they are cut")
  func echo() throws {
    let desk = try Desk()
    defer { desk.end() }
    let wire = desk.add()
    wire.write("echo 1\nec")
    #expect(wire.line() == "echo 1")
    wire.write("ho 2\n\necho 3\n")
    #expect(wire.line() == "echo 2")
    #expect(wire.line() == "echo 3")
  }

  @Test("tells of a line that is too long once, and goes on")
  func tooLong() throws {
    let desk = try Desk()
    defer { desk.end() }
    let wire = desk.add()
    wire.write(String(repeating: "x", count: JSONLine.limit * 2) + "\necho\n")
    #expect(wire.line() == "echo")
    #expect(desk.heard.all == ["too long", "echo"])
  }

  @Test("lets go of a client that does not read what piles up")
  func outputLimit() throws {
    let desk = try Desk(isStarted: false) { $0.output = 100_000 }
    let wire = desk.add()
    let other = desk.add()
    wire.write(String(repeating: "big 60000\n", count: 20))
    other.write("echo\n")
    try desk.start()
    defer { desk.end() }
    #expect(other.line() == "echo")
    #expect(desk.clientCount == 1)
    // It reads what the kernel has, and then the end.
    var count = 0
    while wire.line() != nil { count += 1 }
    #expect(count < 20)
  }

  @Test("makes no more of a long answer than a chunk ahead, and one chunk a turn")
  func chunks() throws {
    let desk = try Desk(isStarted: false) { $0.chunk = 100 }
    let wire = desk.add()
    let other = desk.add()
    wire.write("pieces 1000\n")
    other.write("echo\n")
    try desk.start()
    defer { desk.end() }
    #expect(other.line() == "echo")
    let atFirst = desk.on { desk in desk.made.withLock { $0 } } ?? 0
    #expect(atFirst < 1_000)
    var count = 0
    while count < 1_000, wire.line() != nil { count += 1 }
    #expect(count == 1_000)
    #expect(desk.made.withLock { $0 } == 1_000)
  }

  @Test("waits with a long answer for a client that does not read it")
  func unreadSource() throws {
    let desk = try Desk()
    defer { desk.end() }
    let wire = desk.add()
    wire.write("pieces 1000000\n")
    let other = desk.add()
    for _ in 0..<200 {
      other.write("echo\n")
      #expect(other.line() == "echo")
    }
    // The kernel's buffers and a chunk are full; the rest is not made.
    #expect(desk.made.withLock { $0 } < 200_000)
    #expect(desk.clientCount == 2)
    withExtendedLifetime(wire) {}
  }

  @Test("handles no more requests of a client than may be open, and goes on when one is answered")
  func openLimit() throws {
    let desk = try Desk { $0.open = 3 }
    defer { desk.end() }
    let wire = desk.add()
    wire.write("hold 1\nhold 2\nhold 3\nhold 4\necho 5\n")
    #expect(desk.heard.wait(for: "hold 3"))
    let other = desk.add()
    other.write("echo\n")
    #expect(other.line() == "echo")
    #expect(desk.heard.all == ["hold 1", "hold 2", "hold 3", "echo"])
    desk.free()
    #expect(wire.line() == "freed hold 1")
    #expect(desk.heard.wait(for: "hold 4"))
    #expect(!desk.heard.all.contains("echo 5"))
    desk.free()
    #expect(wire.line() == "freed hold 2")
    #expect(wire.line() == "echo 5")
  }

  @Test("lets clients take turns")
  func turns() throws {
    let desk = try Desk(isStarted: false) { $0.turn = 2 }
    let wires = [desk.add(), desk.add()]
    for (number, wire) in wires.enumerated() {
      wire.write((0..<10).map { "echo \(number) \($0)\n" }.joined())
    }
    try desk.start()
    defer { desk.end() }
    for (number, wire) in wires.enumerated() {
      for line in 0..<10 { #expect(wire.line() == "echo \(number) \(line)") }
    }
    let order = desk.heard.all.map { $0.split(separator: " ")[1] }
    // Neither is through before the other has begun.
    #expect(order.prefix(10).contains("0") && order.prefix(10).contains("1"))
  }

  @Test("refuses a line that does not come to its end")
  func slowLine() throws {
    let desk = try Desk { $0.line = .milliseconds(1) }
    defer { desk.end() }
    let wire = desk.add()
    wire.write("ech")
    #expect(wire.object()["code"] as? String == "badRequest")
    #expect(wire.line() == nil)
  }

  @Test("does not blame a client for a line that it does not read itself")
  func waitingLine() throws {
    let desk = try Desk {
      $0.open = 1
      $0.line = .milliseconds(1)
    }
    defer { desk.end() }
    let wire = desk.add()
    wire.write("hold 1\nech")
    #expect(desk.heard.wait(for: "hold 1"))
    let passed = DispatchSemaphore(value: 0)
    desk.on { _ = $0.reactor.after(.milliseconds(30)) { passed.signal() } }
    passed.wait()
    wire.write("o 2\n")
    desk.free()
    #expect(wire.line() == "freed hold 1")
    #expect(wire.line() == "echo 2")
  }

  @Test("answers a client that has ended its half, and then closes")
  func halfClosed() throws {
    let desk = try Desk()
    defer { desk.end() }
    let wire = desk.add()
    wire.write("hold 1\npieces 100000\necho 3\n")
    wire.endInput()
    #expect(desk.heard.wait(for: "echo 3"))
    desk.free()
    var count = 0
    while wire.line() != nil { count += 1 }
    #expect(count == 100_002)
    #expect(desk.clientCount == 0)
  }

  @Test("handles what a client sent that is gone, and forgets it")
  func gone() throws {
    let desk = try Desk { $0.turn = 2 }
    defer { desk.end() }
    var wire: Wire? = desk.add()
    wire?.write((0..<10).map { "echo \($0)\n" }.joined())
    wire = nil
    #expect(desk.heard.wait(for: "echo 9"))
    // It is forgotten in one of the next turns.
    while desk.clientCount > 0 {}
  }

  @Test("lets the others have their turns while it handles what a client sent that is gone")
  func goneTurns() throws {
    let desk = try Desk(isStarted: false) { $0.turn = 2 }
    var gone: Wire? = desk.add()
    gone?.write((0..<100).map { "echo gone \($0)\n" }.joined())
    gone = nil
    let wire = desk.add()
    wire.write("echo here\n")
    try desk.start()
    defer { desk.end() }
    #expect(wire.line() == "echo here")
    #expect(desk.heard.wait(for: "echo gone 99"))
    let order = desk.heard.all
    #expect(order.firstIndex(of: "echo here") ?? 100 < 50)
  }

  @Test("keeps places for the owner, however many connections the group's members have")
  func places() throws {
    let owner = geteuid()
    let desk = try Desk(group: 4_242) { ($0.clients, $0.clientsOfOthers) = (3, 2) }
    defer { desk.end() }
    func isServed(_ pid: pid_t, uid: uid_t) -> (Wire, Bool) {
      let wire = desk.add(Peer(pid: pid, uid: uid, groups: [4_242]))
      wire.write("echo\n")
      return (wire, wire.line() == "echo")
    }
    let others = [isServed(1, uid: owner + 1), isServed(2, uid: owner + 2)]
    let areServed = others.map { $0.1 }
    #expect(areServed == [true, true])
    #expect(!isServed(3, uid: owner + 3).1)
    let own = isServed(4, uid: owner)
    #expect(own.1)
    withExtendedLifetime((others, own)) {}
  }

  @Test("takes so many clients of one process, so many in all, and only those who may")
  func clientLimits() throws {
    let owner = geteuid()
    let desk = try Desk(group: 4_242) {
      $0.clients = 5
      $0.clientsOfProcess = 3
    }
    defer { desk.end() }
    func code(_ pid: pid_t, uid: uid_t, groups: Set<gid_t> = []) -> (Wire, String?) {
      let wire = desk.add(Peer(pid: pid, uid: uid, groups: groups))
      wire.write("echo\n")
      let line = wire.line() ?? ""
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (wire, line == "echo" ? nil : object?["code"] as? String ?? line)
    }
    let first = (0..<3).map { _ in code(1, uid: owner) }
    #expect(first.allSatisfy { $0.1 == nil })
    #expect(code(1, uid: owner).1 == "busy")
    #expect(code(2, uid: owner + 1).1 == "permission")
    let more = [code(2, uid: owner), code(3, uid: owner + 1, groups: [4_242])]
    #expect(more.allSatisfy { $0.1 == nil })
    #expect(code(4, uid: owner).1 == "busy")
    #expect(desk.clientCount == 5)
    withExtendedLifetime((first, more)) {}
  }

  @Test("accepts at its socket until it stops listening, and keeps whom it has")
  func listening() throws {
    let shelf = Shelf()
    let path = shelf.directory + "/s"
    let desk = try Desk(try ControlSocket(path: path, group: nil))
    defer { desk.end() }
    let wire = try #require(Wire.connect(to: path))
    wire.write("echo 1\n")
    #expect(wire.line() == "echo 1")
    desk.stopListening()
    #expect(Wire.connect(to: path) == nil)
    wire.write("echo 2\n")
    #expect(wire.line() == "echo 2")
    desk.end()
    #expect(wire.line() == nil)
  }
}
