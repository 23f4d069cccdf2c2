import SinkKit
import SinkTesting
import Testing
import TocsinModel

@testable import ALSASink

@Suite("Which alarm is heard")
struct ChoiceTests {
  private let settings: ALSASettings = {
    var settings = ALSASettings()
    settings.sound = "flat"
    return settings
  }()

  private func choose(_ presentations: Presentation...) -> UInt32? {
    Ring.choose(among: presentations, settings)?.occurrence.serial
  }

  @Test("The newest, and of two that began together the one presented last")
  func newest() {
    #expect(choose() == nil)
    let (old, new) = (Sample.alert(seq: 1, 1), Sample.alert(seq: 2, 2, fired: 1))
    #expect(choose(old, new) == 2)
    #expect(choose(new, old) == 2)
    #expect(choose(Sample.alert(seq: 1, 1), Sample.alert(seq: 2, 2)) == 2)
  }

  @Test("But first the highest priority")
  func priority() {
    let urgent = Sample.alert(seq: 1, 1).with(priority: 5)
    #expect(choose(urgent, Sample.alert(seq: 2, 2, fired: 9)) == 1)
    #expect(choose(urgent, Sample.alert(seq: 2, 2, fired: 9).with(priority: 5)) == 2)
    #expect(
      choose(Sample.alert(seq: 1, 1).with(priority: -1), Sample.alert(seq: 2, 2, fired: -5)) == 2
    )
  }

  @Test("What is silent by intent, counts down or is paused takes no part")
  func silent() {
    #expect(choose(Sample.snoozed(seq: 1)) == nil)
    #expect(choose(Sample.alert(seq: 1, 1, sound: "none")) == nil)
    #expect(choose(Sample.alert(seq: 1, 1).with(volume: 0)) == nil)
    #expect(choose(Sample.alert(seq: 1, 1), Sample.alert(seq: 2, 2, fired: 9, sound: "none")) == 1)
  }

  @Test("Silence by intent is confirmed at once and opens nothing")
  func confirmed() throws {
    let bench = try Bench(["sound": "none"])
    bench.receive(Sample.alert(seq: 1))
    bench.receive(Sample.alert(seq: 2, 2, sound: "flat").with(volume: 0))
    bench.receive(Sample.snoozed(seq: 3, 3))
    #expect(bench.receipts() == ["presented 1", "presented 2", "presented 3"])
    #expect(bench.device.attempts.isEmpty)
    #expect(bench.manual.nextWake == nil)
    #expect(!bench.manual.sink.descriptor.audible)
  }

  @Test("One after another on one device: the newer, and the older again from its beginning")
  func handOver() throws {
    let bench = try Bench(["fade-in": "10s"])
    bench.supply.set("b", .ready(Bench.flat(-15_000)))
    bench.receive(Sample.alert(seq: 1))
    bench.advance(20_000)
    bench.receive(Sample.alert(seq: 2, 2, fired: 20, sound: "b").with(fade: 0))
    bench.advance(5_000)
    bench.clear(Sample.cleared(seq: 3, of: 2))
    bench.advance(12_000)
    #expect(bench.receipts() == ["presented 1", "presented 2", "presented 3"])
    let device = bench.device
    #expect(device.sample(at: .milliseconds(19_999)) == 20_000)
    #expect(device.sample(at: .milliseconds(20_001)) == -15_000)
    #expect(device.sample(at: .milliseconds(24_999)) == -15_000)
    #expect(device.sample(at: .milliseconds(25_000)) == 200)
    #expect(device.sample(at: .milliseconds(36_000)) == 20_000)
    #expect(device.attempts.count == 1 && device.pcm?.heard.count == 2)
  }

  @Test("A sound of another rate needs no other open either")
  func otherRate() throws {
    let bench = try Bench()
    bench.supply.set("b", .ready(Bench.flat(5_000, rate: 22_050, channels: 2)))
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    bench.receive(Sample.alert(seq: 2, 2, fired: 1, sound: "b"))
    bench.advance(1_000)
    bench.clear(Sample.cleared(seq: 3, of: 2))
    bench.advance(1_000)
    #expect(bench.receipts() == ["presented 1", "presented 2", "presented 3"])
    #expect(bench.device.attempts.count == 1)
    #expect(bench.device.pcm?.record.map(\.format.rate) == [48_000, 22_050, 48_000])
    #expect(bench.device.sample(at: .milliseconds(1_500)) == 5_000)
    #expect(bench.device.sample(at: .milliseconds(2_500)) == 20_000)
  }

  @Test("An alarm behind the one that sounds is confirmed with it, and does not disturb it")
  func covered() throws {
    let bench = try Bench()
    bench.receive(Sample.alert(seq: 1, fired: 5))
    bench.receive(Sample.alert(seq: 2, 2, fired: 1))
    #expect(bench.receipts().isEmpty)
    bench.advance(100)
    #expect(bench.receipts() == ["presented 1", "presented 2"])
    bench.receive(Sample.alert(seq: 3, 3, fired: 2))
    #expect(bench.receipts() == ["presented 3"])
    bench.clear(Sample.cleared(seq: 4, of: 2))
    bench.advance(100)
    #expect(bench.device.pcm?.record.count == 1)
  }

  @Test("After a lost connection, what goes on goes on, and nothing is heard of the rest")
  func sync() throws {
    let bench = try Bench()
    bench.receive(Sample.alert(seq: 1))
    bench.receive(Sample.alert(seq: 2, 2, fired: 1))
    bench.advance(1_000)
    _ = bench.receipts()
    bench.manual.receive(.sync([Sample.alert(seq: 1), Sample.alert(seq: 2, 2, fired: 1)]))
    bench.advance(1_000)
    #expect(bench.receipts() == ["presented 1", "presented 2"])
    #expect(bench.device.pcm?.record.count == 1)
    bench.manual.receive(.sync([Sample.alert(seq: 1)]))
    bench.advance(1_000)
    #expect(bench.device.pcm?.record.count == 2)
    bench.manual.receive(.sync([]))
    #expect(bench.cards.open.isEmpty)
  }
}
