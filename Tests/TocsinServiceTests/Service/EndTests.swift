import Foundation
import Glibc
import Testing
import TocsinModel

@testable import TocsinEngine
@testable import TocsinService

@Suite("The service, told to end,", .timeLimit(.minutes(10)))
struct ServiceEndTests {
  @Test("answers whose change is on its way to the disk, refuses the rest, and closes")
  func answers() throws {
    let shelf = Shelf()
    let running = try RunningService(.file(shelf.path)) { $0.socket = shelf.directory + "/s" }
    let wire = running.connect()
    wire.ask("schedule", timerKeys(1))
    let other = try #require(Wire.connect(to: shelf.directory + "/s"))
    #expect(other.ask("next")["count"] as? Int == 1)
    running.withStoreHeld {
      wire.write(Wire.request("schedule", timerKeys(2), id: "a"))
      wire.write(Wire.request("next", id: "b"))
      #expect(wire.answer("b").count == 2)
      let service = running.service
      // Plugins take their time to end; until then the loop turns. Here they end at once.
      running.on { service in
        service.plugins = nil
        service.isStopping = true
      }
      #expect(other.ask("schedule", timerKeys(3))["code"] as? String == "busy")
      running.on { $0.isStopping = false }
      running.reactor.post { service.assumeIsolated { $0.stop() } }
    }
    #expect(wire.answer("a").last?["type"] as? String == "ok")
    #expect(wire.line() == nil)
    #expect(other.line() == nil)
    running.join()
    #expect(Wire.connect(to: shelf.directory + "/s") == nil)
    #expect(try RunningService(.file(shelf.path)).on { $0.table.count } == 2)
  }

  @Test("ends once, however often it is told, and lets go of everything")
  func once() throws {
    weak var service: AlarmService?
    weak var reactor: Reactor?
    let ends = Lines()
    do {
      let running = try RunningService()
      (service, reactor) = (running.service, running.reactor)
      let wire = running.connect()
      wire.ask("subscribe")
      wire.ask("schedule", timerKeys(1, seconds: 1))
      // A long answer nobody reads, a line that does not end, an alert nobody stops.
      for number in 2..<60 {
        wire.ask("schedule", timerKeys(number, title: String(repeating: "x", count: 8_000)))
      }
      running.pass(.seconds(1))
      wire.write(Wire.request("list") + "{")
      #expect(running.connect().ask("next")["type"] as? String == "ok")
      running.on { service in
        service.whenStopped { ends.add("stopped") }
        service.stop()
        service.stop()
        service.stop()
      }
      running.join()
      withExtendedLifetime(wire) {}
    }
    #expect(ends.all == ["stopped"])
    #expect(service == nil)
    #expect(reactor == nil)
  }

  @Test("lets nothing come due and reads no configuration any more")
  func quiet() throws {
    let running = try RunningService()
    let wire = running.connect()
    wire.ask("schedule", timerKeys(1, seconds: 60))
    running.on { service in
      service.stop()
      #expect(service.reactor.wallDeadline == nil && service.reactor.bootDeadline == nil)
      service.received(SIGHUP)
      service.run(.tick)
      #expect(service.reactor.wallDeadline == nil && service.reactor.bootDeadline == nil)
      #expect(service.retryTimer == nil && service.clockTimer == nil && service.watcher == nil)
      let (mine, theirs) = Wire.pair()
      service.adopt(theirs)
      #expect(mine.line() == nil)
    }
    #expect(!running.log.all.contains { $0.contains("was read again") })
    running.join()
    #expect(wire.line() == nil)
  }

  @Test("stores the changes of several clients in one go, and answers each")
  func groupCommit() throws {
    let shelf = Shelf()
    let running = try RunningService(.file(shelf.path))
    let wires = (0..<4).map { _ in running.connect() }
    wires[0].ask("schedule", timerKeys(100))
    let before = running.on { $0.store.figures }
    running.withStoreHeld {
      for (number, wire) in wires.enumerated() {
        wire.write(Wire.request("schedule", timerKeys(number), id: "a"))
        wire.write(Wire.request("next", id: "b"))
        #expect(wire.answer("b").count == 2)
      }
      #expect(running.on { $0.waiting.count } == 4)
    }
    for wire in wires { #expect(wire.answer("a").last?["type"] as? String == "ok") }
    let after = running.on { $0.store.figures }
    #expect(after.commits - before.commits == 4)
    #expect(after.transactions - before.transactions == 1)
    #expect(running.on { $0.waiting.isEmpty && $0.unsure.isEmpty })
  }

  @Test("forgets who asked and left")
  func leftBehind() throws {
    let running = try RunningService(.memory)
    let first = running.connect()
    first.ask("schedule", timerKeys(1))
    running.withStoreHeld {
      var wire: Wire? = running.connect()
      wire?.write(Wire.request("schedule", timerKeys(2)))
      wire?.write(Wire.request("history") + Wire.request("backup", ["path": "/nowhere/x"]))
      wire = nil
      // Handled one after the other: by now the other is gone, and its requests are under way.
      while running.on({ $0.control?.clients.count }) != 1 { first.ask("next") }
      #expect(running.on { $0.waiting.count } == 3)
    }
    #expect(first.ask("history")["type"] as? String == "ok")
    #expect(running.on { $0.waiting.isEmpty })
    #expect(running.on { $0.table.count } == 2)
  }
}
