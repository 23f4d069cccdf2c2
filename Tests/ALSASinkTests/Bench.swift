import ProcessTesting
import SinkKit
import SinkTesting
import TocsinModel
import TocsinTime

@testable import ALSASink
@testable import Sounds

/// The sink on fake devices, sounds and clocks.
final class Bench {
  /// Sounds that are as ready as the test says.
  final class Supply: SoundSupply {
    var onChange: () -> Void = {}
    let tone = Bench.flat(10_000)
    private(set) var wanted: Set<String> = []
    private var states: [String: SoundState] = [:]

    func want(_ names: Set<String>) { wanted = names }
    func state(of name: String) -> SoundState { states[name] ?? .loading }

    /// The streams that can be opened, and how often each was.
    var streams: [String: () -> any FrameStream] = [:]
    private(set) var calls: [String] = []

    func refresh(_ name: String) { calls.append("refresh \(name)") }
    func began(_ name: String) { calls.append("began \(name)") }

    func open(stream name: String) throws(SoundError) -> any FrameStream {
      calls.append("open \(name)")
      guard let make = streams[name] else { throw SoundError(.badURL, name) }
      return make()
    }

    func set(_ name: String, _ state: SoundState) {
      states[name] = state
      onChange()
    }
  }

  /// What was asked of the mixer.
  final class Mixer: VolumeGuard {
    var calls: [String] = []
    func raise(_ card: String) { calls.append("raise \(card)") }
    func restore() { calls.append("restore") }
    func finish() { calls.append("finish") }
  }

  let manual: ManualSinkHost<ALSASink>
  let cards: FakeCards
  let supply: Supply
  let mixer: Mixer

  /// Starts it with one sound, `flat`, whose samples are all 20,000, and a tone of 10,000.
  init(_ settings: [String: String] = [:]) throws {
    var made: (FakeCards, Supply, Mixer)?
    var settings = settings
    if settings["sound"] == nil { settings["sound"] = "flat" }
    manual = try ManualSinkHost(now: Sample.seven, name: "speaker", settings: settings) {
      settings,
      host in
      let values = ALSASettings(settings)
      try settings.finish()
      let parts = (FakeCards(host: host), Supply(), Mixer())
      made = parts
      return ALSASink(values, host: host, cards: parts.0, sounds: parts.1, mixer: parts.2)
    }
    guard let made else { throw Failure("the sink was not made") }
    (cards, supply, mixer) = made
    supply.set("flat", .ready(Self.flat(20_000)))
    manual.receive(.sync([]))
    _ = manual.takeReports()
  }

  /// One with two devices, `best` and `second`.
  static func two(_ settings: [String: String] = [:]) throws -> Bench {
    try Bench(settings.merging(["device": "best, second"]) { $1 })
  }

  /// The device that is used where the settings name none.
  var device: FakeCards.Device { cards["default"] }
  var now: Duration { manual.elapsed }

  func receive(_ presentation: Presentation) { manual.receive(.present(presentation)) }
  func clear(_ cleared: SinkMessage.Cleared) { manual.receive(.cleared(cleared)) }
  func advance(_ milliseconds: Int) { manual.advance(by: .milliseconds(milliseconds)) }

  /// The events confirmed and failed since this was last asked.
  func receipts() -> [String] {
    manual.takeReports().compactMap { report in
      switch report {
      case .presented(let seq): "presented \(seq)"
      case .failed(let failed):
        "failed \(failed.seq) \(failed.retry == true ? "retry" : "for good")"
      case .log(let log): "\(log.level ?? ""): \(log.message)"
      default: nil
      }
    }
  }

  /// A second of samples that are all alike, so that a level can be read off each.
  static func flat(_ value: Int16, rate: Int = 48_000, channels: Int = 1) -> Sound {
    Sound(
      rate: rate,
      channels: channels,
      samples: [Int16](repeating: value, count: rate * channels)
    )
  }

  /// A sound whose samples count its frames.
  static func counting(_ frames: Int) -> Sound {
    Sound(rate: 48_000, channels: 1, samples: (0..<frames).map { Int16($0 + 1) })
  }
}
