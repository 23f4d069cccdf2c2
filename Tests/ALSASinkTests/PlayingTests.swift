import SinkKit
import SinkTesting
import Testing
import TocsinModel
import TocsinTime

@testable import ALSASink

@Suite("What is heard")
struct PlayingTests {
  @Test("Nothing is open or due before something rings and after it ends")
  func idle() throws {
    let bench = try Bench()
    #expect(bench.manual.nextWake == nil)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    #expect(bench.cards.open.count == 1 && !bench.cards.isResting)
    bench.clear(Sample.cleared(seq: 2))
    #expect(bench.cards.open.isEmpty && bench.cards.isResting)
    #expect(bench.manual.nextWake == nil)
    #expect(!bench.cards.isWatched)
  }

  @Test("An alarm is confirmed when frames have moved, not before")
  func confirmed() throws {
    let bench = try Bench()
    bench.receive(Sample.alert(seq: 1))
    #expect(bench.receipts().isEmpty)
    bench.advance(2)
    #expect(bench.receipts().isEmpty)
    bench.advance(20)
    #expect(bench.receipts() == ["presented 1"])
    bench.advance(5_000)
    #expect(bench.receipts().isEmpty)
  }

  @Test("The sound is looped without a gap, from one open to one close")
  func loop() throws {
    let bench = try Bench(["sound": "count"])
    bench.supply.set("count", .ready(Bench.counting(30_000)))
    bench.receive(Sample.alert(seq: 1))
    bench.advance(60_002)
    bench.clear(Sample.cleared(seq: 2))
    #expect(bench.device.attempts.count == 1)
    let heard = try #require(bench.device.pcm?.heard)
    #expect(heard.count == 1)
    let samples = try #require(heard.first?.samples)
    #expect(samples.count == 60 * 48_000)
    let wrong = samples.indices.filter { samples[$0] != Int16($0 % 30_000 + 1) }
    #expect(wrong.isEmpty, "\(wrong.first ?? 0)")
  }

  @Test("A stop silences at once, and nothing follows")
  func stop() throws {
    let bench = try Bench()
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_234)
    bench.clear(Sample.cleared(seq: 2))
    #expect(bench.receipts() == ["presented 1", "presented 2"])
    bench.advance(10_000)
    #expect(bench.device.pcm?.end == .milliseconds(1_234))
    #expect(bench.device.pcm?.isClosed == true)
  }

  @Test("A snooze and a pause silence at once", arguments: [AlarmState.countdown, .paused])
  func snooze(state: AlarmState) throws {
    let bench = try Bench()
    bench.receive(Sample.alert(seq: 1))
    bench.advance(500)
    var snoozed = Sample.snoozed(seq: 2)
    snoozed.state = state
    bench.receive(snoozed)
    bench.advance(2_000)
    #expect(bench.receipts() == ["presented 1", "presented 2"])
    #expect(bench.device.pcm?.end == .milliseconds(500))
    #expect(bench.cards.open.isEmpty)
  }

  @Test("The end of the sink silences, closes and puts the mixer back")
  func end() throws {
    let bench = try Bench()
    bench.receive(Sample.alert(seq: 1))
    bench.advance(500)
    bench.manual.end()
    #expect(bench.device.pcm?.end == .milliseconds(500))
    #expect(bench.cards.open.isEmpty && bench.cards.isFinished)
    #expect(bench.mixer.calls.suffix(2) == ["restore", "finish"])
  }

  @Test("While it rings the host is woken ten times a second, and once to see that all is well")
  func wakes() throws {
    let bench = try Bench()
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    let pcm = try #require(bench.device.pcm)
    let before = pcm.wakes
    bench.advance(10_000)
    #expect(pcm.wakes - before <= 101)
  }

  @Test("The first frames are silent for as long as the settings say, once for each open")
  func leadIn() throws {
    let bench = try Bench(["lead-in": "1500ms"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(3_000)
    #expect(bench.device.sample(at: .milliseconds(2)) == 0)
    #expect(bench.device.sample(at: .milliseconds(1_501)) == 0)
    #expect(bench.device.sample(at: .milliseconds(1_503)) == 20_000)
    // Another alarm takes over: the device is awake.
    bench.receive(Sample.alert(seq: 2, 2, fired: 3))
    bench.advance(100)
    #expect(bench.device.sample(at: .milliseconds(3_001)) == 20_000)
    #expect(bench.device.attempts.count == 1)
  }

  @Test("A short beep with silence around it needs one open")
  func beeps() throws {
    let bench = try Bench(["sound": "beep", "lead-in": "1500ms"])
    var beep = Bench.flat(9_000)
    for index in 9_600..<48_000 { beep.samples[index] = 0 }
    bench.supply.set("beep", .ready(beep))
    bench.receive(Sample.alert(seq: 1))
    bench.advance(30_000)
    #expect(bench.device.attempts.count == 1)
    #expect(bench.device.pcm?.record.count == 1)
    #expect(bench.device.sample(at: .milliseconds(20_600)) == 9_000)
    #expect(bench.device.sample(at: .milliseconds(20_750)) == 0)
  }

  @Test("Both channels of a stereo sound keep their places")
  func stereo() throws {
    let bench = try Bench(["sound": "stereo"])
    var sound = Bench.flat(5_000, rate: 44_100, channels: 2)
    for index in stride(from: 1, to: sound.samples.count, by: 2) { sound.samples[index] = -7_000 }
    bench.supply.set("stereo", .ready(sound))
    bench.device.faults.mostWritten = 333
    bench.receive(Sample.alert(seq: 1))
    bench.advance(3_000)
    let record = try #require(bench.device.pcm?.record.first)
    #expect(record.format == PCMFormat(rate: 44_100, channels: 2))
    #expect(record.samples.count == 2 * (44_100 * 2_998 / 1_000))
    let wrong = record.samples.indices.filter {
      record.samples[$0] != ($0 % 2 == 0 ? 5_000 : -7_000)
    }
    #expect(wrong.isEmpty)
  }
}
