import Glibc
import SinkKit

@testable import ALSASink

/// Devices that open, refuse and hang as a test wants, on the host's clock.
final class FakeCards: SoundCards {
  /// What an open comes to.
  enum Outcome {
    /// It works.
    case works
    /// It fails with a number of errno.h.
    case fails(CInt)
    /// It works, but only after so long.
    case takes(Duration)
    /// It never returns.
    case hangs
  }

  /// One device.
  final class Device {
    /// What the next opens come to; then `usually`.
    var script: [Outcome] = []
    var usually = Outcome.works
    var card: String?
    /// Given to each PCM when it is opened.
    var faults = FakePCM.Faults()
    /// When it was tried.
    var attempts: [Duration] = []
    /// All PCMs that were opened, the last being the present one.
    var pcms: [FakePCM] = []

    var pcm: FakePCM? { pcms.last }
    /// What was heard from it, over all its PCMs.
    func sample(at time: Duration) -> Int16? {
      for pcm in pcms {
        if let sample = pcm.sample(at: time) { return sample }
      }
      return nil
    }
  }

  /// How long an open takes.
  static let latency = Duration.milliseconds(2)

  private let host: SinkHost
  private var devices: [String: Device] = [:]
  private var cardsChanged: (() -> Void)?
  private(set) var isFinished = false
  private(set) var isResting = false
  var configureTakes = FakeCards.latency

  init(host: SinkHost) { self.host = host }

  subscript(name: String) -> Device {
    if let device = devices[name] { return device }
    let device = Device()
    devices[name] = device
    return device
  }

  var isWatched: Bool { cardsChanged != nil }
  /// PCMs that are open now.
  var open: [FakePCM] { devices.values.flatMap(\.pcms).filter { !$0.isClosed } }

  /// As when a card is plugged in.
  func announce() { cardsChanged?() }

  // MARK: SoundCards

  func open(
    _ device: String,
    _ format: PCMFormat,
    _ body: @escaping (Result<any PCM, ALSAError>) -> Void
  ) {
    isResting = false
    let fake = self[device]
    fake.attempts.append(host.elapsed)
    let outcome = fake.script.isEmpty ? fake.usually : fake.script.removeFirst()
    let isHeld = fake.pcm.map { !$0.isClosed } ?? false
    switch outcome {
    case .hangs: break
    case .fails(let code): answer(after: Self.latency, body, device, code)
    case .works where isHeld: answer(after: Self.latency, body, device, EBUSY)
    case .works: succeed(after: Self.latency, body, device, format)
    case .takes(let time): succeed(after: time, body, device, format)
    }
  }

  private func answer(
    after time: Duration,
    _ body: @escaping (Result<any PCM, ALSAError>) -> Void,
    _ device: String,
    _ code: CInt
  ) {
    host.wake(after: time) { body(.failure(ALSAError("snd_pcm_open", device, code: code))) }
  }

  private func succeed(
    after time: Duration,
    _ body: @escaping (Result<any PCM, ALSAError>) -> Void,
    _ device: String,
    _ format: PCMFormat
  ) {
    host.wake(after: time) { [unowned self] in
      let fake = self[device]
      let pcm = FakePCM(device, card: fake.card, format: format, host: host)
      pcm.faults = fake.faults
      fake.pcms.append(pcm)
      body(.success(pcm))
    }
  }

  func configure(_ pcm: any PCM, _ format: PCMFormat, _ body: @escaping (ALSAError?) -> Void) {
    host.wake(after: configureTakes) {
      (pcm as? FakePCM)?.configure(format)
      body(nil)
    }
  }

  func close(_ pcm: any PCM) {
    pcm.unwatch()
    (pcm as? FakePCM)?.close()
  }

  func watchCards(_ body: @escaping () -> Void) { cardsChanged = body }
  func unwatchCards() { cardsChanged = nil }
  func rest() { isResting = true }
  func finish() { isFinished = true }
}
