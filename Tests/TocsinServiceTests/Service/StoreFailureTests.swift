import Foundation
import Glibc
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine
@testable import TocsinService

/// Runs a body with a shelf on a small file system of its own, for the threads it starts too.
private func onTmpfs(_ body: @escaping @Sendable (Shelf) throws -> Void) {
  let shelf = Shelf()
  PrivateMounts.run { [unowned shelf] in
    #expect(PrivateMounts.tmpfs(shelf.directory, size: "256k"))
    #expect(throws: Never.self) { try body(shelf) }
  }
  // The last to let go of it removes the directory, which needs a thread without the mount.
  withExtendedLifetime(shelf) {}
}

private func fill(_ shelf: Shelf) {
  let descriptor = open(shelf.directory + "/fill", O_WRONLY | O_CREAT, 0o600)
  let block = [UInt8](repeating: 1, count: 4096)
  while write(descriptor, block, block.count) > 0 {}
  #expect(errno == ENOSPC)
  close(descriptor)
}

private func free(_ shelf: Shelf) {
  unlink(shelf.directory + "/fill")
}

@Suite(
  "The service on a full disk",
  .serialized,
  .timeLimit(.minutes(10)),
  .enabled(if: PrivateMounts.isPossible, "needs to mount file systems")
)
struct StoreFailureTests {
  /// Long enough not to find room in the log's last page.
  private static func long(_ number: Int, seconds: Double = 600) -> [String: Any] {
    timerKeys(number, seconds: seconds, title: "\(number) " + String(repeating: "x", count: 12_000))
  }

  @Test("takes a new alarm back that it could not store, and says so")
  func refused() {
    onTmpfs { shelf in
      let running = try RunningService(.file(shelf.path)) { $0.storeRetry = .milliseconds(1) }
      let wire = running.connect()
      let subscriber = running.connect()
      wire.ask("schedule", timerKeys(1))
      fill(shelf)
      subscriber.ask("subscribe")
      #expect(subscriber.object()["type"] as? String == "sync")
      let error = wire.ask("schedule", Self.long(2))
      #expect(error["code"] as? String == "storage")
      let message = try #require(error["message"] as? String)
      #expect(message.hasPrefix("not accepted: "))
      wire.write(Wire.request("list"))
      #expect(titles(wire.answer("q")) == ["Tea"])
      #expect(subscriber.object()["type"] as? String == "countdown")
      let cleared = subscriber.object()
      #expect(cleared["type"] as? String == "cleared")
      #expect(cleared["reason"] as? String == "refused")
      #expect(running.on { $0.warnings[.storeWrite] } != nil)
      free(shelf)
      #expect(wire.ask("schedule", timerKeys(3))["type"] as? String == "ok")
      #expect(running.on { $0.warnings[.storeWrite] } == nil)
      running.end()
      let again = try RunningService(.file(shelf.path))
      again.connect().write(Wire.request("list"))
      #expect(again.on { $0.table.count } == 2)
    }
  }

  @Test("silences at once what it cannot store as stopped, and stores it later by itself")
  func stop() {
    onTmpfs { shelf in
      let running = try RunningService(.file(shelf.path)) { $0.storeRetry = .milliseconds(1) }
      let wire = running.connect()
      for number in 1...9 { wire.ask("schedule", timerKeys(number, seconds: 60)) }
      running.pass(.seconds(60))
      // The answer is behind the records of the alerts.
      wire.ask("history")
      fill(shelf)
      var error: [String: Any] = [:]
      var stopped = 0
      // A commit or more may find room in the log's last page.
      while stopped < 9, error["code"] == nil {
        stopped += 1
        error = wire.ask("stop", ["alarm": id(stopped)])
        #expect(running.on { $0.table.alertingCount } == 9 - stopped)
      }
      #expect(error["code"] as? String == "storage")
      let message = try #require(error["message"] as? String)
      #expect(message.hasPrefix("done, but"))
      let status = wire.ask("status")["status"] as? [String: Any]
      #expect(warnings(status).contains("make room on that file system"))
      free(shelf)
      #expect(running.log.wait(for: "the store takes changes again"))
      #expect(running.on { $0.warnings[.storeWrite] } == nil)
      running.end()
      let again = try RunningService(.file(shelf.path))
      #expect(again.on { $0.table.count } == 9 - stopped)
    }
  }

  @Test("takes back what was stored since of an alarm it refused")
  func touched() {
    onTmpfs { shelf in
      let running = try RunningService(.file(shelf.path)) { $0.storeRetry = .milliseconds(1) }
      let wire = running.connect()
      wire.ask("schedule", timerKeys(1))
      fill(shelf)
      running.withStoreHeld {
        wire.write(Wire.request("schedule", Self.long(2, seconds: 60), id: "a"))
        wire.write(Wire.request("status", id: "b"))
        #expect(wire.answer("b").count == 1)
        // It rings before the disk has said anything.
        running.pass(.seconds(60))
        #expect(running.on { $0.table.alertingCount } == 1)
      }
      #expect(wire.answer("a").last?["code"] as? String == "storage")
      #expect(running.on { $0.table.count } == 1)
      free(shelf)
      #expect(running.log.wait(for: "the store takes changes again"))
      running.end()
      let again = try RunningService(.file(shelf.path))
      #expect(again.on { $0.table.count } == 1)
      #expect(again.on { $0.table.alertingCount } == 0)
    }
  }

  @Test("keeps what happened to others when it refuses an alarm")
  func others() {
    onTmpfs { shelf in
      let clocks = HandClocks()
      let running = try RunningService(.file(shelf.path), clocks: clocks) {
        $0.storeRetry = .milliseconds(1)
      }
      let wire = running.connect()
      wire.ask("schedule", timerKeys(1, seconds: 60))
      fill(shelf)
      // The first comes due in the same moment as the second is asked for.
      clocks.pass(.seconds(60))
      #expect(wire.ask("schedule", Self.long(2))["code"] as? String == "storage")
      #expect(running.on { $0.table.alertingCount } == 1)
      free(shelf)
      #expect(running.log.wait(for: "the store takes changes again"))
      wire.write(Wire.request("history"))
      let entries = wire.answer("q").compactMap { $0["entry"] as? [String: Any] }
      #expect(entries.map { $0["event"] as? String } == ["fired", "scheduled"])
    }
  }

  @Test("ends and lets go of everything while changes still wait to be stored")
  func endWithRetry() {
    onTmpfs { shelf in
      weak var service: AlarmService?
      weak var reactor: Reactor?
      do {
        let running = try RunningService(.file(shelf.path))
        (service, reactor) = (running.service, running.reactor)
        let wire = running.connect()
        wire.ask("schedule", timerKeys(1))
        fill(shelf)
        var answer: [String: Any] = [:]
        while answer["code"] == nil {
          answer = wire.ask(
            "update",
            timerKeys(1, title: String(repeating: "y", count: 12_000))
          )
        }
        #expect(running.on { $0.retryTimer } != nil)
        running.end()
        #expect(wire.line() == nil)
      }
      #expect(service == nil)
      #expect(reactor == nil)
    }
  }

  @Test("hands an intent over that it could not store, and stores it when there is room")
  func intents() {
    onTmpfs { shelf in
      let clocks = HandClocks()
      let running = try RunningService(.file(shelf.path), clocks: clocks) {
        $0.storeRetry = .milliseconds(1)
      }
      let program = JoinedProgram(running, "pills", perform: true)
      let call: [String: Any] = [
        "type": "Taken", "parameters": String(repeating: "x", count: 20_000),
      ]
      var alarm = timerKeys(1)["alarm"] as? [String: Any] ?? [:]
      alarm["intents"] = ["stop": call]
      #expect(program.wire.ask("schedule", ["alarm": alarm])["type"] as? String == "ok")
      fill(shelf)
      let answer = running.connect().ask("stop", ["alarm": "Tea"])
      #expect(answer["code"] as? String == "storage")
      let handed = program.wire.object()
      #expect(handed["type"] as? String == "perform")
      free(shelf)
      #expect(running.log.wait(for: "the store takes changes again"))
      running.end()
      let again = try RunningService(.file(shelf.path), clocks: clocks)
      let next = JoinedProgram(again, "pills", perform: true).wire.object()
      #expect(next["number"] as? UInt64 == handed["number"] as? UInt64)
    }
  }
}
