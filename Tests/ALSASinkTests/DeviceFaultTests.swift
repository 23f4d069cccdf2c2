import Glibc
import SinkKit
import SinkTesting
import Testing
import TocsinModel

@testable import ALSASink

@Suite("Devices that fail")
struct DeviceFaultTests {
  // MARK: Opening

  @Test("A device that others hold for a moment is tried four times a second, without a word")
  func busyForAMoment() throws {
    let bench = try Bench.two()
    bench.cards["best"].script = [.fails(EBUSY), .fails(EBUSY)]
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    let attempts = bench.cards["best"].attempts
    #expect(attempts.count == 3)
    #expect(zip(attempts, attempts.dropFirst()).allSatisfy { $1 - $0 <= .milliseconds(255) })
    #expect(bench.cards["second"].attempts.isEmpty)
    #expect(bench.receipts() == ["presented 1"])
  }

  @Test("One device alone that others hold three times sounds within two seconds")
  func busyAlone() throws {
    let bench = try Bench()
    bench.device.script = [.fails(EBUSY), .fails(EBUSY), .fails(EBUSY)]
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    #expect(bench.receipts().last == "presented 1")
    #expect(bench.device.sample(at: .milliseconds(900)) == 20_000)
  }

  @Test("A device that others hold for ever: the next sounds within a second, and it is tried on")
  func busyForEver() throws {
    let bench = try Bench.two()
    bench.cards["best"].usually = .fails(EBUSY)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(60_000)
    #expect(bench.cards["second"].sample(at: .milliseconds(800)) == 20_000)
    let attempts = bench.cards["best"].attempts
    #expect(attempts.count > 200 && attempts.count <= 241)
    let told = bench.receipts()
    #expect(told.contains("presented 1") && told.count == 2)
    bench.cards["best"].usually = .works
    bench.advance(1_000)
    #expect(bench.cards["best"].sample(at: .milliseconds(60_900)) == 20_000)
    #expect(bench.cards.open.map(\.device) == ["best"])
    #expect(bench.receipts() == ["info: best plays again"])
  }

  @Test("A missing device is passed over at once", arguments: [ENOENT, ENODEV, EACCES, EINVAL])
  func missing(code: CInt) throws {
    let bench = try Bench.two()
    bench.cards["best"].usually = .fails(code)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(60_000)
    #expect(bench.cards["second"].sample(at: .milliseconds(10)) == 20_000)
    #expect(bench.cards["best"].attempts.count <= 13)
    let told = bench.receipts()
    #expect(told.count == 2 && told.contains("presented 1"))
    #expect(told.first?.contains("best") == true)
  }

  @Test("An open that hangs is passed over after a second; what comes of it later is welcome")
  func hangs() throws {
    let bench = try Bench.two()
    bench.cards["best"].script = [.takes(.seconds(30))]
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_100)
    #expect(bench.cards["second"].sample(at: .milliseconds(1_050)) == 20_000)
    #expect(bench.receipts().last == "presented 1")
    bench.advance(30_000)
    #expect(bench.cards["best"].attempts.count == 1)
    #expect(bench.cards.open.map(\.device) == ["best"])
  }

  @Test("An open that returns after the alarm was stopped is closed")
  func late() throws {
    let bench = try Bench()
    bench.device.script = [.takes(.seconds(30))]
    bench.receive(Sample.alert(seq: 1))
    bench.advance(5_000)
    bench.clear(Sample.cleared(seq: 2))
    bench.advance(30_000)
    #expect(bench.device.pcm?.isClosed == true)
    #expect(bench.device.pcm?.record.isEmpty == true)
    // And the next alarm opens it anew.
    bench.receive(Sample.alert(seq: 3))
    bench.advance(100)
    #expect(bench.receipts().last == "presented 3")
  }

  @Test("An open of a lesser device that returns while a better one sounds is closed")
  func lateLesser() throws {
    let bench = try Bench.two()
    bench.cards["best"].script = [.fails(ENOENT)]
    bench.cards["second"].script = [.takes(.milliseconds(700))]
    bench.receive(Sample.alert(seq: 1))
    bench.advance(3_000)
    #expect(bench.cards.open.map(\.device) == ["best"])
    #expect(bench.cards["second"].pcms.count == 1)
    #expect(bench.cards["second"].pcm?.record.isEmpty == true)
  }

  @Test("An alarm that follows while the device is still being opened takes it over")
  func quickSuccession() throws {
    let bench = try Bench()
    bench.device.script = [.takes(.milliseconds(500))]
    bench.receive(Sample.alert(seq: 1))
    bench.advance(100)
    bench.clear(Sample.cleared(seq: 2))
    bench.advance(100)
    bench.receive(Sample.alert(seq: 3, fired: 1))
    bench.advance(1_000)
    #expect(bench.device.attempts.count == 1)
    #expect(bench.receipts() == ["presented 2", "presented 3"])
  }

  @Test("While one device is waited for, one that is due does not keep the machine busy")
  func dueMeanwhile() throws {
    let bench = try Bench.two()
    bench.cards["best"].script = [.fails(ENOENT)]
    bench.cards["best"].usually = .hangs
    bench.cards["second"].script = [.fails(ENOENT)]
    bench.receive(Sample.alert(seq: 1))
    bench.advance(600)
    #expect(bench.manual.nextWake.map { $0 > bench.now } == true)
    bench.advance(1_000)
    #expect(bench.receipts().last == "presented 1")
  }

  @Test("An open that never returns costs one try, however often it rings")
  func never() throws {
    let bench = try Bench.two()
    bench.cards["best"].usually = .hangs
    for seq in 1...3 {
      bench.receive(Sample.alert(seq: UInt64(seq), fired: Double(seq)))
      bench.advance(5_000)
      bench.clear(Sample.cleared(seq: UInt64(seq + 10)))
      bench.advance(1_000)
    }
    #expect(bench.cards["best"].attempts.count == 1)
    #expect(bench.cards["second"].pcms.count == 3)
  }

  @Test("A card that comes after the start is found, by each alarm anew")
  func notReady() throws {
    let bench = try Bench()
    bench.device.usually = .fails(ENOENT)
    bench.advance(20_000)
    #expect(bench.device.attempts.isEmpty)
    bench.device.usually = .works
    bench.advance(40_000)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(100)
    #expect(bench.receipts() == ["presented 1"])
  }

  // MARK: All at once

  @Test("On all devices at once; one that fails stops no other")
  func all() throws {
    let bench = try Bench(["device": "a, b, c", "play-on": "all"])
    bench.cards["a"].usually = .fails(ENOENT)
    bench.cards["b"].usually = .hangs
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    #expect(bench.cards["c"].sample(at: .milliseconds(10)) == 20_000)
    bench.cards["a"].usually = .works
    bench.advance(5_000)
    #expect(Set(bench.cards.open.map(\.device)) == ["a", "c"])
    bench.clear(Sample.cleared(seq: 2))
    #expect(bench.cards.open.isEmpty)
  }

  // MARK: Silence

  @Test("If nothing moves it fails within four seconds, goes on trying, and says when it sounds")
  func silence() throws {
    let bench = try Bench.two()
    bench.cards["best"].usually = .fails(ENOENT)
    bench.cards["second"].usually = .fails(EBUSY)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(3_900)
    let told = bench.receipts()
    #expect(told.last == "failed 1 retry")
    bench.receive(Sample.alert(seq: 2, 2, fired: 4))
    #expect(bench.receipts() == ["failed 2 retry"])
    bench.advance(60_000)
    #expect(bench.receipts().isEmpty)
    bench.cards["second"].usually = .works
    bench.advance(300)
    #expect(
      bench.receipts().filter { $0.hasPrefix("presented") } == ["presented 1", "presented 2"]
    )
  }

  @Test(
    "If no device is there, that is told at once and by name, and when one comes it is heard",
    arguments: [ENOENT, EACCES, ECONNREFUSED]
  )
  func nothingThere(code: CInt) throws {
    let bench = try Bench.two()
    bench.cards["best"].usually = .fails(code)
    bench.cards["second"].usually = .fails(ENOENT)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(20)
    let failures = bench.manual.takeReports().compactMap { report in
      if case .failed(let failed) = report { failed } else { nil }
    }
    #expect(failures.map(\.seq) == [1] && failures.map(\.retry) == [true])
    let reason = try #require(failures.first?.reason)
    #expect(reason.contains("best: ") && reason.contains("second: there is no such device"))
    bench.advance(10_000)
    #expect(bench.receipts().isEmpty)
    bench.cards["second"].usually = .works
    bench.advance(300)
    #expect(bench.receipts().filter { !$0.contains(":") } == ["presented 1"])
  }

  @Test("An alarm that is silent by intent is confirmed where no device is there")
  func silentByIntent() throws {
    let bench = try Bench()
    bench.device.usually = .fails(ENOENT)
    bench.receive(Sample.alert(seq: 1, sound: "none"))
    #expect(bench.receipts() == ["presented 1"])
    bench.advance(10_000)
    #expect(bench.receipts().isEmpty && bench.device.attempts.isEmpty)
  }

  @Test("If it falls silent later, that is told as well")
  func silentLater() throws {
    let bench = try Bench()
    bench.device.faults.unplugged = .seconds(5)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(4_000)
    bench.device.usually = .fails(ENODEV)
    bench.advance(5_000)
    #expect(bench.receipts().filter { !$0.contains(":") } == ["presented 1", "failed 1 retry"])
    bench.device.usually = .works
    bench.device.faults.unplugged = nil
    bench.advance(1_000)
    #expect(bench.receipts().contains("presented 1"))
  }

  @Test("A device counted by number is used, with a warning")
  func number() throws {
    let host = try ManualSinkHost(now: Sample.seven, settings: ["device": "hw:1,0"]) {
      ALSASink(
        ALSASettings($0),
        host: $1,
        cards: FakeCards(host: $1),
        sounds: Bench.Supply(),
        mixer: Bench.Mixer()
      )
    }
    let warnings = host.takeReports().filter { if case .log = $0 { true } else { false } }
    #expect(warnings.count == 1)
  }
}
