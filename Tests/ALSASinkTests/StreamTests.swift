import SinkKit
import SinkTesting
import Testing
import TocsinModel

@testable import ALSASink
@testable import Sounds

@Suite("Streams")
struct StreamTests {
  private let url = "http://example.org/radio"

  /// A bench whose alarms sound with a stream.
  private func bench(
    begins: Duration = .milliseconds(400),
    _ settings: [String: String] = [:]
  ) throws -> (Bench, FakeStream) {
    let bench = try Bench(settings.merging(["sound": url]) { $1 })
    let stream = FakeStream(-8_000, host: bench.manual.host, begins: begins)
    bench.supply.set(url, .stream)
    bench.supply.streams[url] = { stream }
    return (bench, stream)
  }

  @Test("A stream that arrives in time is heard, without the tone before it")
  func arrives() throws {
    let (bench, stream) = try bench()
    bench.receive(Sample.alert(seq: 1))
    bench.advance(10_000)
    #expect(bench.receipts() == ["presented 1"])
    let record = try #require(bench.device.pcm?.record)
    // Opened for the tone, since that was the likeliest then, and set up anew.
    #expect(record.count == 1 && record[0].format == PCMFormat(rate: 48_000, channels: 2))
    #expect(record[0].start < .milliseconds(1_000))
    #expect(record[0].samples.allSatisfy { $0 == -8_000 })
    // Another sound that becomes ready is no reason to open it anew.
    bench.supply.set("other", .ready(Bench.flat(1)))
    #expect(bench.supply.calls.filter { $0.hasPrefix("open") }.count == 1)
    bench.clear(Sample.cleared(seq: 2))
    #expect(stream.isStopped)
    #expect(bench.manual.nextWake == nil)
  }

  @Test("A stream that cannot be opened: the tone at once, and why")
  func refused() throws {
    let (bench, _) = try bench()
    bench.supply.streams = [:]
    bench.receive(Sample.alert(seq: 1))
    bench.advance(100)
    #expect(bench.device.sample(at: .milliseconds(5)) == 10_000)
    let told = bench.receipts()
    #expect(told.count == 2 && told[0].contains(url) && told[1] == "presented 1")
  }

  @Test("A stream that does not begin: the tone after two seconds, and the stream when it comes")
  func late() throws {
    let (bench, stream) = try bench(begins: .seconds(8), ["fade-in": "20s"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(2_100)
    #expect(bench.device.sample(at: .milliseconds(2_010)) != nil)
    #expect(bench.receipts().count == 2)
    bench.advance(10_000)
    // The fade has gone on.
    let heard = try #require(bench.device.sample(at: .milliseconds(12_000)))
    #expect(heard < -600 && heard > -1_000, "\(heard)")
    #expect(!stream.isStopped && bench.device.attempts.count == 1)
  }

  @Test("A stream that ends while it is heard: the tone at once, and why")
  func ends() throws {
    let (bench, stream) = try bench()
    stream.stops = .seconds(3)
    stream.ends = .seconds(3)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(6_000)
    let told = bench.receipts()
    #expect(told.count == 2 && told[0] == "presented 1" && told[1].contains("has ended"))
    #expect(bench.device.sample(at: .milliseconds(3_600)) == 10_000)
    #expect(bench.device.sample(at: .milliseconds(5_900)) == 10_000)
  }

  @Test("A stream that falls silent: the tone within two seconds; if it flows again, the stream")
  func dry() throws {
    let (bench, stream) = try bench()
    stream.stops = .seconds(5)
    bench.receive(Sample.alert(seq: 1))
    bench.advance(10_000)
    let toneBegins = (5_000..<10_000).first {
      bench.device.sample(at: .milliseconds($0)) == 10_000
    }
    #expect(toneBegins.map { $0 <= 7_500 } == true)
    stream.goOn()
    bench.advance(3_000)
    #expect(bench.device.sample(at: .milliseconds(12_500)) == -8_000)
    #expect(bench.device.attempts.count == 1)
    #expect(bench.receipts().count == 2)
  }

  @Test("Of a stream that arrives faster than it is heard, a second is read ahead")
  func burst() throws {
    let (bench, stream) = try bench()
    stream.burst = 10 * 48_000
    bench.receive(Sample.alert(seq: 1))
    bench.advance(5_000)
    #expect(stream.delivered < 7 * 48_000)
    bench.advance(10_000)
    let samples = try #require(bench.device.pcm?.record.first?.samples)
    #expect(samples.count > 14 * 2 * 48_000 && samples.allSatisfy { $0 == -8_000 })
  }

  @Test("All devices play the same stream, opened once")
  func all() throws {
    let (bench, _) = try bench(["device": "a, b", "play-on": "all"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(10_000)
    for name in ["a", "b"] {
      let samples = try #require(bench.cards[name].pcm?.record.first?.samples)
      #expect(samples.allSatisfy { $0 == -8_000 }, "\(name)")
    }
    #expect(bench.supply.calls.filter { $0.hasPrefix("open") }.count == 1)
  }

  @Test("Another alarm ends the stream; when it is over, the stream is opened anew")
  func handOver() throws {
    let (bench, stream) = try bench()
    bench.supply.set("flat", .ready(Bench.flat(20_000)))
    bench.receive(Sample.alert(seq: 1))
    bench.advance(2_000)
    bench.receive(Sample.alert(seq: 2, 2, fired: 2, sound: "flat"))
    #expect(stream.isStopped)
    bench.advance(1_000)
    bench.clear(Sample.cleared(seq: 3, of: 2))
    #expect(bench.supply.calls.filter { $0.hasPrefix("open") }.count == 2)
  }

  private func bench(_ settings: [String: String]) throws -> (Bench, FakeStream) {
    try bench(begins: .milliseconds(400), settings)
  }
}
