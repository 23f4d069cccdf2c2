import Glibc
import SinkKit
import SinkTesting
import Testing
import TocsinModel

@testable import ALSASink

@Suite("Devices that fail while they sound")
struct SoundingFaultTests {
  private func lines(_ receipts: [String]) -> [String] { receipts.filter { $0.contains(":") } }

  @Test("Unplugged while it rings: the next sounds within a second, as loud as it had become")
  func unplugged() throws {
    let bench = try Bench.two(["fade-in": "10s"])
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
    let bench = try Bench.two()
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
    let bench = try Bench.two()
    bench.cards["best"].usually = .fails(ENODEV)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    bench.cards["best"].usually = .works
    bench.advance(5_000)
    #expect(bench.cards.open.map(\.device) == ["best"])
  }

  @Test("A card that says EAGAIN for ever and RUNNING is given up after a second")
  func stalled() throws {
    let bench = try Bench.two()
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
    let bench = try Bench.two()
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
    let bench = try Bench.two()
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
    let bench = try Bench.two()
    bench.cards["best"].faults.isAlwaysDry = true
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_500)
    #expect(bench.cards["best"].pcms[0].prepares < 60)
    #expect(bench.cards["best"].pcms[0].isClosed)
    #expect(bench.cards["second"].sample(at: .milliseconds(1_400)) == 20_000)
  }

  @Test("A fade that nobody could hear has not begun")
  func unheardFade() throws {
    let bench = try Bench.two(["fade-in": "10s"])
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
}
