import Glibc
import SinkKit
import SinkTesting
import Testing
import TocsinModel

@testable import ALSASink

@Suite("Devices that fail")
struct DeviceFaultTests {
  private func two(_ settings: [String: String] = [:]) throws -> Bench {
    try Bench(settings.merging(["device": "best, second"]) { $1 })
  }

  private func lines(_ receipts: [String]) -> [String] { receipts.filter { $0.contains(":") } }

  // MARK: Opening

  @Test("A device that others hold for a moment is tried four times a second, without a word")
  func busyForAMoment() throws {
    let bench = try two()
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
    let bench = try two()
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
    let bench = try two()
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
    let bench = try two()
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
    let bench = try two()
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
    let bench = try two()
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
    let bench = try two()
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

  // MARK: While it sounds

  @Test("Unplugged while it rings: the next sounds within a second, as loud as it had become")
  func unplugged() throws {
    let bench = try two(["fade-in": "10s"])
    bench.cards["best"].faults.unplugged = .milliseconds(5_002)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(4_000)
    bench.cards["best"].usually = .fails(ENODEV)
    bench.advance(4_000)
    #expect(bench.cards["second"].sample(at: .milliseconds(5_200)) != nil)
    #expect(bench.cards["second"].attempts.count == 1)
    let level = try #require(bench.cards["second"].sample(at: .milliseconds(6_002)))
    #expect(abs(Int(level) - 3_170) < 40, "\(level)")
    #expect(lines(bench.receipts()).count == 1)
  }

  @Test("A better device that is plugged in again is taken, at once if it is announced")
  func pluggedIn() throws {
    let bench = try two()
    bench.cards["best"].faults.unplugged = .seconds(2)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    bench.cards["best"].usually = .fails(ENODEV)
    bench.advance(3_000)
    #expect(bench.cards.isWatched)
    bench.cards["best"].usually = .works
    bench.cards["best"].faults.unplugged = nil
    bench.cards.announce()
    bench.advance(200)
    #expect(bench.cards.open.map(\.device) == ["best"])
    // Nothing is missing between the two.
    for time in stride(from: 2_300, to: 4_200, by: 5) {
      let heard = ["best", "second"].compactMap {
        bench.cards[$0].sample(at: .milliseconds(time))
      }
      #expect(!heard.isEmpty, "at \(time) ms")
    }
    #expect(!bench.cards.isWatched)
  }

  @Test("Without an announcement it is found within five seconds")
  func slowRetry() throws {
    let bench = try two()
    bench.cards["best"].usually = .fails(ENODEV)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    bench.cards["best"].usually = .works
    bench.advance(5_000)
    #expect(bench.cards.open.map(\.device) == ["best"])
  }

  @Test("A card that says EAGAIN for ever and RUNNING is given up after a second")
  func stalled() throws {
    let bench = try two()
    bench.cards["best"].faults.stalled = .milliseconds(3_002)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(4_000)
    bench.cards["best"].faults.stalled = .zero
    bench.advance(60_000)
    let start = try #require(bench.cards["second"].pcm?.record.first?.start)
    #expect(start > .seconds(3) && start <= .milliseconds(4_200))
    let wakes = bench.cards["best"].pcms.reduce(0) { $0 + $1.wakes }
    #expect(wakes < 100, "\(wakes)")
    #expect(lines(bench.receipts()).count <= 3)
    #expect(bench.cards.open.map(\.device).contains("second"))
  }

  @Test("A card on which nothing ever moves is not believed")
  func neverMoves() throws {
    let bench = try two()
    bench.cards["best"].faults.stalled = .zero
    bench.receive(Sample.alert(seq: 1))
    bench.advance(900)
    #expect(bench.receipts().isEmpty)
    bench.advance(300)
    #expect(bench.receipts().last == "presented 1")
    #expect(bench.cards["second"].sample(at: .milliseconds(1_100)) == 20_000)
  }

  @Test("After an underrun it goes on on the same device")
  func underrun() throws {
    let bench = try Bench()
    bench.device.faults.xrun = .milliseconds(2_000)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(4_000)
    let pcm = try #require(bench.device.pcm)
    #expect(pcm.prepares == 1 && pcm.record.count == 2)
    #expect(bench.device.sample(at: .milliseconds(2_200)) == 20_000)
    #expect(bench.receipts() == ["presented 1"])
  }

  @Test("An underrun that cannot be recovered from is the end of that device")
  func broken() throws {
    let bench = try two()
    bench.cards["best"].faults.xrun = .milliseconds(2_000)
    bench.cards["best"].faults.isBroken = true
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    bench.cards["best"].usually = .fails(EIO)
    bench.advance(2_000)
    #expect(bench.cards["second"].sample(at: .milliseconds(2_300)) == 20_000)
    #expect(lines(bench.receipts()).count == 1)
  }

  @Test("A device that runs dry again and again does not keep the machine busy, and is given up")
  func alwaysDry() throws {
    let bench = try two()
    bench.cards["best"].faults.isAlwaysDry = true
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_500)
    #expect(bench.cards["best"].pcms[0].prepares < 60)
    #expect(bench.cards["best"].pcms[0].isClosed)
    #expect(bench.cards["second"].sample(at: .milliseconds(1_400)) == 20_000)
  }

  @Test("A fade that nobody could hear has not begun")
  func unheardFade() throws {
    let bench = try two(["fade-in": "10s"])
    bench.cards["best"].faults.stalled = .zero
    bench.receive(Sample.alert(seq: 1))
    bench.advance(2_000)
    let second = try #require(bench.cards["second"].pcm?.record.first)
    #expect(second.start > .seconds(1) && second.samples.first == 200)
  }

  @Test("After the machine slept it waits for the card")
  func suspended() throws {
    let bench = try Bench()
    bench.device.faults.suspended = (.milliseconds(2_000), .milliseconds(2_400))
    bench.receive(Sample.alert(seq: 1))
    bench.advance(4_000)
    #expect(bench.device.attempts.count == 1)
    #expect(bench.device.sample(at: .milliseconds(2_300)) == nil)
    #expect(bench.device.sample(at: .milliseconds(2_500)) == 20_000)
  }

  @Test("Short writes make no difference")
  func shortWrites() throws {
    let bench = try Bench(["sound": "count"])
    bench.supply.set("count", .ready(Bench.counting(30_000)))
    bench.device.faults.mostWritten = 100
    bench.receive(Sample.alert(seq: 1))
    bench.advance(3_002)
    let samples = try #require(bench.device.pcm?.record.first?.samples)
    #expect(samples.count == 3 * 48_000)
    #expect(samples.indices.allSatisfy { samples[$0] == Int16($0 % 30_000 + 1) })
  }

  @Test("A device that takes any number of frames at once gets no more than time allows")
  func unpaced() throws {
    let bench = try Bench()
    bench.device.faults.isUnpaced = true
    bench.receive(Sample.alert(seq: 1))
    bench.advance(10_000)
    let pcm = try #require(bench.device.pcm)
    #expect(pcm.written > 480_000 && pcm.written < 480_000 * 106 / 100 + 9_600)
    #expect(pcm.wakes < 700, "\(pcm.wakes)")
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
    let bench = try two()
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
