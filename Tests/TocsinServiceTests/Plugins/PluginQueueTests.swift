import Glibc
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinService

@Suite("What plugins have not read", .timeLimit(.minutes(10)))
struct PluginQueueTests {
  @Test(
    "that do not read while 1,000 events come get the newest of each, and no alert after its stop"
  )
  func notReading() throws {
    let bench = try PluginBench()
    let gate = try bench.gate()
    let slow = try bench.script(
      "slow",
      "read -r sync; echo '{\"type\":\"log\",\"message\":\"waiting\"}'; read -r x < \(gate.path)\n\(obedient)"
    )
    let quick = try bench.script("quick", obedient)
    bench.start([slow, quick])
    try bench.run("both ready") {
      bench.readyCount("quick") == 1 && bench.logs.contains("slow: waiting")
    }
    // Enough for a pipe of 64 KiB to be full several times over.
    for seq in 1...1_000 as ClosedRange<UInt64> {
      bench.supervisor?.send(.present(alert(Int(seq % 20), seq: seq)))
    }
    for number in 1..<20 {
      bench.supervisor?.send(cleared(number, seq: UInt64(1_000 + number)))
    }
    try bench.run("quick's receipts") {
      bench.count("quick") { $0 == .presented(seq: 1_019) } == 1
    }
    gate.open()
    try bench.run("the newest") {
      bench.count("slow") { $0 == .presented(seq: 1_000) } == 1
    }
    let seqs = bench.reports.compactMap { entry -> UInt64? in
      if entry.sink == "slow", case .presented(let seq) = entry.report { seq } else { nil }
    }
    #expect(seqs.count < 1_000)
    for number in 1..<20 {
      let stop = try #require(seqs.firstIndex(of: UInt64(1_000 + number)))
      #expect(!seqs[stop...].contains { $0 <= 1_000 && $0 % 20 == number })
    }
    #expect(bench.statuses.map(\.dropped) == [0, 0])
    try bench.finish()
  }

  @Test("that lag behind the limit get one sync instead of what was given up")
  func lagging() throws {
    let bench = try PluginBench()
    let gate = try bench.gate()
    let slow = try bench.script(
      "slow",
      "read -r sync; echo '{\"type\":\"log\",\"message\":\"waiting\"}'; read -r x < \(gate.path)\n\(obedient)"
    )
    bench.start([slow])
    try bench.run("waiting") { bench.logs.contains("slow: waiting") }
    var presentation = alert(0, seq: 0)
    presentation.title = String(repeating: "x", count: 16_000)
    for number in 0..<800 {
      presentation.seq = UInt64(number + 1)
      presentation.occurrence = occurrence(number)
      bench.supervisor?.send(.present(presentation))
    }
    #expect(bench.statuses[0].dropped > 200)
    gate.open()
    try bench.run("sync") { bench.logs.contains("slow: sync") }
    try bench.finish()
  }

  @Test("get what is told once also if it came before they were ready")
  func notices() throws {
    let bench = try PluginBench()
    let lamp = try bench.script("lamp", obedient)
    bench.start([lamp])
    bench.supervisor?.send(
      .missed(
        SinkMessage.Missed(
          seq: 5,
          occurrence: occurrence(1),
          title: "Tea",
          due: Instant(seconds: 0),
          reason: .late
        )
      )
    )
    try bench.run("receipt") { bench.confirmed == [5] }
    try bench.finish()
  }

  @Test("get all that is presented when it does not fit into one line")
  func longSync() throws {
    let bench = try PluginBench()
    bench.presentations = (0..<300).map {
      var presentation = alert($0, seq: UInt64($0 + 1))
      presentation.title = String(repeating: "y", count: 500)
      return presentation
    }
    let lamp = try bench.script("lamp", obedient)
    bench.start([lamp])
    try bench.run("all") { bench.confirmed.last == 300 }
    let batch = SyncBatch(bench.presentations)
    #expect(batch.sync.count <= JSONLine.limit)
    #expect(bench.confirmed.count == batch.rest.count)
    try bench.finish()
  }
}
