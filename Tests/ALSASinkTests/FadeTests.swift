import Glibc
import SinkKit
import SinkTesting
import Testing
import TocsinModel

@testable import ALSASink

@Suite("Volume and fade")
struct FadeTests {
  /// How loud something was heard, in decibels below the sound itself.
  private func level(_ device: FakeCards.Device, at milliseconds: Int) throws -> Double {
    let sample = try #require(device.sample(at: .milliseconds(milliseconds)))
    return 20 * log10(Double(sample) / 20_000)
  }

  @Test("Half the volume is 10 dB less, a quarter 20 dB")
  func law() {
    #expect(Loudness.decibels(1) == 0)
    #expect(Loudness.decibels(0.5) == -10)
    #expect(Loudness.decibels(0.25) == -20)
    #expect(abs(Loudness.decibels(0.1) + 33.22) < 0.01)
    #expect(Loudness.factor(decibels: Loudness.decibels(0)) == 0)
    #expect(abs(Loudness.factor(decibels: -20) - 0.1) < 1e-12)
  }

  @Test("The volume is the settings', or the alarm's own")
  func volume() throws {
    let bench = try Bench(["volume": "50%"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    #expect(bench.device.sample(at: .milliseconds(500)) == 6_325)
    bench.receive(Sample.alert(seq: 2, 2, fired: 1).with(volume: 0.25))
    bench.advance(1_000)
    #expect(bench.device.sample(at: .milliseconds(1_500)) == 2_000)
  }

  @Test("A fade begins 40 dB below the volume in its first frame and grows evenly to it")
  func fade() throws {
    let bench = try Bench(["fade-in": "60s", "volume": "80%"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(70_000)
    let samples = try #require(bench.device.pcm?.record.first?.samples)
    let full = 20_000 * pow(10, Loudness.decibels(0.8) / 20)
    #expect(samples.first == Int16((full / 100).rounded()))
    for (seconds, below) in [(0.01, 40.0), (15, 30), (30, 20), (45, 10), (60, 0), (67, 0)] {
      let heard = Double(samples[Int(seconds * 48_000)])
      #expect(abs(20 * log10(heard / full) + below) < 0.05, "\(seconds) s")
    }
    #expect(samples.allSatisfy { $0 <= Int16(full.rounded()) })
    #expect(zip(samples, samples.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("How deep a fade begins can be chosen")
  func depth() throws {
    let bench = try Bench(["fade-in": "10s", "fade-from": "20dB"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(6_000)
    #expect(bench.device.sample(at: .milliseconds(2)) == 2_000)
    let heard = try level(bench.device, at: 5_002)
    #expect(abs(heard + 10) < 0.05)
  }

  @Test("A fade begins where the lead-in ends")
  func leadIn() throws {
    let bench = try Bench(["fade-in": "10s", "lead-in": "2s"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(13_000)
    #expect(bench.device.sample(at: .milliseconds(2_003)) == 200)
    #expect(bench.device.sample(at: .milliseconds(12_003)) == 20_000)
  }

  @Test("Timers do not fade, unless they say so themselves")
  func timers() throws {
    let bench = try Bench(["fade-in": "60s"])
    bench.receive(Sample.alert(seq: 1, kind: .timer))
    bench.advance(100)
    #expect(bench.device.sample(at: .milliseconds(3)) == 20_000)
    bench.clear(Sample.cleared(seq: 2))
    bench.receive(Sample.alert(seq: 3, kind: .timer).with(fade: 4))
    bench.advance(3_000)
    #expect(bench.device.sample(at: .milliseconds(103)) == 200)
    let heard = try level(bench.device, at: 2_102)
    #expect(abs(heard + 20) < 0.1)
  }

  @Test("An alarm's own fade counts, also none")
  func own() throws {
    let bench = try Bench(["fade-in": "60s"])
    bench.receive(Sample.alert(seq: 1).with(fade: 0))
    bench.advance(100)
    #expect(bench.device.sample(at: .milliseconds(3)) == 20_000)
  }

  @Test("A stop within a fade is silence, and the next alarm has a fade of its own")
  func stop() throws {
    let bench = try Bench(["fade-in": "60s"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(5_000)
    bench.clear(Sample.cleared(seq: 2))
    bench.advance(3_000)
    #expect(bench.device.pcms[0].end == .milliseconds(5_000))
    bench.receive(Sample.alert(seq: 3, 2, fired: 8))
    bench.advance(31_000)
    #expect(bench.device.sample(at: .milliseconds(8_003)) == 200)
    let heard = try level(bench.device, at: 38_002)
    #expect(abs(heard + 20) < 0.05)
  }

  @Test("After a snooze it fades again")
  func snooze() throws {
    let bench = try Bench(["fade-in": "10s"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(20_000)
    bench.receive(Sample.snoozed(seq: 2))
    bench.advance(540_000)
    bench.receive(Sample.alert(seq: 3, fired: 560))
    bench.advance(1_000)
    #expect(bench.device.sample(at: .milliseconds(560_003)) == 200)
  }

  @Test("A new volume in the middle is taken at once and without a new beginning")
  func changed() throws {
    let bench = try Bench(["fade-in": "10s"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(5_000)
    bench.receive(Sample.alert(seq: 2).with(volume: 0.5))
    bench.advance(1_000)
    #expect(bench.receipts() == ["presented 1", "presented 2"])
    // What is in the buffer is still heard as it was.
    let heard = try level(bench.device, at: 5_502)
    #expect(abs(heard + 28) < 0.2)
    #expect(bench.device.pcm?.record.count == 1)
  }

  @Test("A route's limit is the loudest it may be, whatever the alarm or the settings say")
  func limit() throws {
    let bench = try Bench(["volume": "80%"])
    bench.receive(Sample.alert(seq: 1).with(limit: 0.5))
    bench.advance(1_000)
    #expect(bench.device.sample(at: .milliseconds(500)) == 6_325)
    bench.receive(Sample.alert(seq: 2, 2, fired: 1).with(volume: 0.25).with(limit: 0.5))
    bench.advance(1_000)
    #expect(bench.device.sample(at: .milliseconds(1_500)) == 2_000)
    bench.receive(Sample.alert(seq: 3, 3, fired: 2).with(volume: 1).with(limit: 0.25))
    bench.advance(1_000)
    #expect(bench.device.sample(at: .milliseconds(2_500)) == 2_000)
  }

  @Test("A limit of nothing is silence by intent")
  func limitOfNothing() throws {
    let bench = try Bench()
    bench.receive(Sample.alert(seq: 1).with(limit: 0))
    bench.advance(1_000)
    #expect(bench.receipts() == ["presented 1"] && bench.device.attempts.isEmpty)
  }

  @Test("A fade under a limit grows to the limit, and never above it")
  func limitedFade() throws {
    let bench = try Bench(["fade-in": "10s"])
    bench.receive(Sample.alert(seq: 1).with(limit: 0.5))
    bench.advance(15_000)
    let samples = try #require(bench.device.pcm?.record.first?.samples)
    #expect(samples.first == 63 && samples.last == 6_325)
    #expect(samples.allSatisfy { $0 <= 6_325 })
    let heard = try level(bench.device, at: 5_002)
    #expect(abs(heard + 30) < 0.1)
  }

  @Test("A limit that is lifted while it rings makes it louder, without a new beginning")
  func lifted() throws {
    let bench = try Bench(["sound": "count", "fade-in": "2s"])
    bench.supply.set("count", .ready(Bench.counting(30_000)))
    bench.receive(Sample.alert(seq: 1).with(limit: 0.25))
    bench.advance(5_000)
    bench.receive(Sample.alert(seq: 2))
    bench.advance(3_000)
    #expect(bench.receipts() == ["presented 1", "presented 2"])
    #expect(bench.device.attempts.count == 1 && bench.device.pcm?.record.count == 1)
    let samples = try #require(bench.device.pcm?.record.first?.samples)
    func follows(_ range: Range<Int>, _ factor: Double) -> Bool {
      range.allSatisfy { index in
        let value = Double(index % 30_000 + 1) * factor
        return abs(Double(samples[index]) - value) <= 0.5
      }
    }
    #expect(follows(3 * 48_000..<5 * 48_000, 0.1))
    #expect(follows(6 * 48_000..<7 * 48_000, 1))
  }
}
