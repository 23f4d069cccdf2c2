import Glibc
import SinkKit
import SinkTesting
import Testing
import TocsinModel

@testable import ALSASink
@testable import Sounds

@Suite("Sounds that are late or missing")
struct SoundTests {
  @Test("All that may have to sound is prepared: the settings' sound and those of countdowns")
  func prepared() throws {
    let bench = try Bench()
    #expect(bench.supply.wanted == ["flat"])
    bench.receive(Sample.snoozed(seq: 1, sound: "bell"))
    bench.receive(Sample.alert(seq: 2, 2, sound: "none"))
    #expect(bench.supply.wanted == ["bell", "flat"])
    bench.clear(Sample.cleared(seq: 3))
    #expect(bench.supply.wanted == ["flat"])
  }

  @Test("A sound that cannot be played: the tone at once, and one warning that says why")
  func missing() throws {
    let bench = try Bench(["sound": "/media/usb/x.wav"])
    let error = SoundError(.unreadable(ENOENT), "/media/usb/x.wav")
    bench.supply.set("/media/usb/x.wav", .failed(error))
    #expect(bench.receipts() == ["warning: \(error); the built-in tone takes its place"])
    #expect(error.description.contains("/media/usb/x.wav is not there"))
    bench.receive(Sample.alert(seq: 1))
    bench.advance(100)
    #expect(bench.device.sample(at: .milliseconds(3)) == 10_000)
    #expect(bench.receipts() == ["presented 1"])
    // It may have come meanwhile: that is looked for, and then it is changed to.
    #expect(bench.supply.calls == ["refresh /media/usb/x.wav"])
    bench.supply.set("/media/usb/x.wav", .ready(Bench.flat(-9_000)))
    bench.advance(500)
    #expect(bench.device.sample(at: .milliseconds(500)) == -9_000)
  }

  @Test("What plays plays on when its file changes")
  func changed() throws {
    let bench = try Bench()
    bench.receive(Sample.alert(seq: 1))
    bench.advance(1_000)
    bench.supply.set("flat", .ready(Bench.flat(-9_000)))
    bench.advance(1_000)
    #expect(bench.device.sample(at: .milliseconds(1_900)) == 20_000)
    #expect(bench.supply.calls == ["began flat", "refresh flat"])
  }

  @Test("A sound that is still being read: the tone after half a second, and then the sound")
  func slow() throws {
    let bench = try Bench(["sound": "slow", "fade-in": "10s"])
    bench.receive(Sample.alert(seq: 1))
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
    bench.receive(Sample.alert(seq: 1))
    bench.advance(100)
    bench.supply.set("bad", .failed(SoundError(.empty, "bad")))
    bench.advance(50)
    #expect(bench.device.sample(at: .milliseconds(110)) == 10_000)
  }

  @Test("Tone and sound of one rate follow each other without a gap")
  func gapless() throws {
    let bench = try Bench(["sound": "slow"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(2_000)
    bench.supply.set("slow", .ready(Bench.flat(-20_000)))
    bench.advance(2_000)
    #expect(bench.device.pcm?.record.count == 1)
    #expect(bench.device.sample(at: .milliseconds(2_300)) == -20_000)
  }

  @Test("A stop while the sound is waited for is the end of it")
  func stopped() throws {
    let bench = try Bench(["sound": "slow"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(200)
    bench.clear(Sample.cleared(seq: 2))
    bench.advance(5_000)
    bench.supply.set("slow", .ready(Bench.flat(-20_000)))
    bench.advance(5_000)
    #expect(bench.device.pcms.allSatisfy { $0.record.isEmpty })
    #expect(bench.manual.nextWake == nil)
  }
}
