import SinkKit
import Sounds
import Testing
import TocsinModel

@testable import ALSASink

@Suite("Sounds that are late or missing")
struct SoundTests {
  @Test("All that may have to sound is prepared: the settings' sound and those of countdowns")
  func prepared() throws {
    let bench = try Bench()
    #expect(bench.supply.wanted == ["flat"])
    bench.receive(Sample.countdown(1, sound: "bell"))
    bench.receive(Sample.alert(2, alarm: 2, sound: "none"))
    #expect(bench.supply.wanted == ["bell", "flat"])
    bench.clear(Sample.cleared(3))
    #expect(bench.supply.wanted == ["flat"])
  }

  @Test("A sound that cannot be played: the tone at once, and one warning that says why")
  func missing() throws {
    let bench = try Bench(["sound": "/media/usb/x.wav"])
    bench.supply.set("/media/usb/x.wav", .failed("/media/usb/x.wav is not there"))
    let warning = "warning: /media/usb/x.wav is not there; the built-in tone takes its place"
    #expect(bench.receipts() == [warning])
    bench.receive(Sample.alert(1))
    bench.advance(100)
    #expect(bench.device.sample(at: .milliseconds(3)) == 10_000)
    #expect(bench.receipts() == ["presented 1"])
  }

  @Test("A sound that is still being read: the tone after half a second, and then the sound")
  func slow() throws {
    let bench = try Bench(["sound": "slow", "fade-in": "10s"])
    bench.receive(Sample.alert(1))
    bench.advance(490)
    #expect(bench.receipts().isEmpty)
    bench.advance(5_500)
    let told = bench.receipts()
    #expect(told.first?.contains("slow") == true && told.last == "presented 1" && told.count == 2)
    #expect(bench.device.sample(at: .milliseconds(510)) == 100)
    bench.supply.set("slow", .ready(Bench.flat(-20_000, rate: 44_100)))
    bench.advance(5_000)
    #expect(bench.device.attempts.count == 1)
    // The fade goes on where the tone has brought it.
    let level = try #require(bench.device.sample(at: .milliseconds(10_400)))
    #expect(level < -18_000)
    #expect(bench.device.sample(at: .milliseconds(10_700)) == -20_000)
  }

  @Test("A sound that becomes unreadable while it is waited for: the tone at once")
  func fails() throws {
    let bench = try Bench(["sound": "bad"])
    bench.receive(Sample.alert(1))
    bench.advance(100)
    bench.supply.set("bad", .failed("bad is empty"))
    bench.advance(50)
    #expect(bench.device.sample(at: .milliseconds(110)) == 10_000)
  }

  @Test("Tone and sound of one rate follow each other without a gap")
  func gapless() throws {
    let bench = try Bench(["sound": "slow"])
    bench.receive(Sample.alert(1))
    bench.advance(2_000)
    bench.supply.set("slow", .ready(Bench.flat(-20_000)))
    bench.advance(2_000)
    #expect(bench.device.pcm?.record.count == 1)
    #expect(bench.device.sample(at: .milliseconds(2_300)) == -20_000)
  }

  @Test("A stop while the sound is waited for is the end of it")
  func stopped() throws {
    let bench = try Bench(["sound": "slow"])
    bench.receive(Sample.alert(1))
    bench.advance(200)
    bench.clear(Sample.cleared(2))
    bench.advance(5_000)
    bench.supply.set("slow", .ready(Bench.flat(-20_000)))
    bench.advance(5_000)
    #expect(bench.device.pcms.allSatisfy { $0.record.isEmpty })
    #expect(bench.manual.nextWake == nil)
  }
}
