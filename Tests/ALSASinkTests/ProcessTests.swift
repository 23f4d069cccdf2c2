import Glibc
import ProcessTesting
import SinkTesting
import Sounds
import Testing
import TocsinModel

@testable import ALSASink

@Suite("tocsin-alsa and the real libasound", .serialized)
struct ProcessTests {
  @Test("It starts and is ready where there is no sound card at all, and ends when told")
  func noCard() throws {
    let alsa = try SpawnedSink("tocsin-alsa", environment: ["ALSA_CONFIG_PATH": "/dev/null"])
    let ready = try alsa.start([:])
    #expect(ready.name == "tocsin-alsa" && ready.audible && ready.capabilities == ["sound"])
    try alsa.send(.present(Sample.alert(seq: 1)))
    guard case .failed(let failed)? = try alsa.answer() else {
      throw Failure("no failure")
    }
    #expect(failed.retry == true && failed.reason.contains("default"))
    #expect(try alsa.end(SIGTERM) == 0)
  }

  @Test("Wrong settings end it with 78 and a line for each")
  func settings() throws {
    let alsa = try SpawnedSink("tocsin-alsa", environment: ["ALSA_CONFIG_PATH": "/dev/null"])
    try alsa.hello(["volume": "11", "play-on": "none"], as: "speaker")
    for key in ["play-on", "volume"] {
      #expect(try alsa.log().message.contains("[plugin speaker] \(key)"))
    }
    #expect(try alsa.report() == nil)
    #expect(try alsa.exitCode() == 78)
  }

  @Test(
    "An alarm is heard at the right pitch and level, and is silent when cleared",
    .enabled(if: SoftwareCard.canBuild, "needs a C compiler")
  )
  func heard() throws {
    let card = try SoftwareCard()
    let alsa = try SpawnedSink("tocsin-alsa", environment: card.environment)
    _ = try alsa.start(["device": "card", "sound": "tone", "volume": "50%"])
    try alsa.send(.present(Sample.alert(seq: 1)))
    #expect(try alsa.answer() == .presented(seq: 1))
    for name in ["open", "write", "start"] { #expect(try card.event("card").name == name) }
    // A second of it: the loop of the tone is longer than the buffer.
    try wait(for: 48_000, of: "card", in: card)
    try alsa.send(.cleared(Sample.cleared(seq: 2)))
    #expect(try alsa.answer() == .presented(seq: 2))
    // A busy machine may have let the card run dry before; what was written goes on all the same.
    _ = try card.event("card", "stop")
    #expect(try card.event("card").name == "close")
    let samples = try card.samples("card")
    let tone = Tone.sound.samples
    let factor = Loudness.factor(decibels: -10)
    let wrong = samples.indices.filter {
      Int(samples[$0]) != Int((Double(tone[$0 % tone.count]) * factor).rounded())
    }
    #expect(wrong.isEmpty)
    #expect(samples.count >= 48_000)
  }

  @Test(
    "A device that cannot do a sound's rate gets it converted, at the right pitch and level",
    .enabled(if: SoftwareCard.canBuild, "needs a C compiler")
  )
  func converted() throws {
    let card = try SoftwareCard()
    let sine = (0..<44_100).map { 3_277 * sin(Double($0) * 2 * .pi * 440 / 22_050) }
    try card.writeWave(sine.map { Int16($0.rounded()) }, rate: 22_050, to: "sine.wav")
    let alsa = try SpawnedSink("tocsin-alsa", environment: card.environment)
    _ = try alsa.start(["device": "hw_narrow", "sound": "\(card.folder)/sine.wav"])
    try alsa.send(.present(Sample.alert(seq: 1)))
    #expect(try alsa.answer() == .presented(seq: 1))
    try wait(for: 48_000, of: "narrow", in: card)
    #expect(try alsa.end(SIGTERM) == 0)
    let heard = try card.samples("narrow")[9_600..<43_200].map(Double.init)
    let level = 20 * log10(amplitude(of: heard, at: 440) / 3_277)
    #expect(abs(level) < 1, "\(level) dB")
    #expect(amplitude(of: heard, at: 880) < 33)
  }

  /// How much of a frequency is in samples of 48 kHz.
  private func amplitude(of samples: [Double], at frequency: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let phase = 2 * Double.pi * frequency * Double(index) / 48_000
      real += sample * cos(phase)
      imaginary += sample * sin(phase)
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
  }

  @Test(
    "Another alarm takes over on the device that is open, and the first one comes back",
    .enabled(if: SoftwareCard.canBuild, "needs a C compiler")
  )
  func handOver() throws {
    let card = try SoftwareCard()
    try card.writeWave([Int16](repeating: 2_000, count: 44_100), rate: 44_100, to: "flat.wav")
    let alsa = try SpawnedSink("tocsin-alsa", environment: card.environment)
    _ = try alsa.start(["device": "card", "sound": "tone"])
    try alsa.send(.present(Sample.alert(seq: 1)))
    #expect(try alsa.answer() == .presented(seq: 1))
    let flat = Sample.alert(seq: 2, 2, fired: 1, sound: "\(card.folder)/flat.wav")
    try alsa.send(.present(flat))
    #expect(try alsa.answer() == .presented(seq: 2))
    try alsa.send(.cleared(Sample.cleared(seq: 3, of: 2)))
    #expect(try alsa.answer() == .presented(seq: 3))
    try alsa.send(.present(Sample.alert(seq: 4)))
    #expect(try alsa.answer() == .presented(seq: 4))
    #expect(try alsa.end(SIGTERM) == 0)
    var names: [String] = []
    while names.last != "close" {
      let name = try card.event("card").name
      // Only a busy machine lets the card run dry; it is filled and started again.
      if name == "xrun" {
        for _ in 0..<2 { _ = try card.event("card") }
      } else {
        names.append(name)
      }
    }
    let sounding = Array(repeating: ["write", "start", "stop"], count: 3).flatMap { $0 }
    let expected: [String] = ["open"] + sounding + ["close"]
    #expect(names == expected)
  }

  /// Waits until a card has been given so many samples.
  private func wait(for samples: Int, of name: String, in card: SoftwareCard) throws {
    let watch = inotify_init1(CInt(IN_CLOEXEC))
    defer { close(watch) }
    inotify_add_watch(watch, "\(card.folder)/\(name).wav", UInt32(IN_MODIFY))
    while try card.bytes("\(name).wav").count < 44 + 2 * samples { _ = try nextBytes(watch) }
  }

  @Test(
    "A busy device is passed over and taken when it is free",
    .enabled(if: SoftwareCard.canBuild, "needs a C compiler")
  )
  func busy() throws {
    let card = try SoftwareCard()
    try card.write("", to: "card.busy")
    let alsa = try SpawnedSink("tocsin-alsa", environment: card.environment)
    _ = try alsa.start(["device": "card, spare", "sound": "tone"])
    try alsa.send(.present(Sample.alert(seq: 1)))
    #expect(try alsa.answer() == .presented(seq: 1))
    _ = try card.event("spare", "start")
    card.remove("card.busy")
    _ = try card.event("card", "start")
    _ = try card.event("spare", "close")
    try alsa.send(.cleared(Sample.cleared(seq: 2)))
    _ = try card.event("card", "stop")
  }

  @Test(
    "A device that is unplugged while it rings is given up, and taken back",
    .enabled(if: SoftwareCard.canBuild, "needs a C compiler")
  )
  func unplugged() throws {
    let card = try SoftwareCard()
    let alsa = try SpawnedSink("tocsin-alsa", environment: card.environment)
    _ = try alsa.start(["device": "card, spare", "sound": "tone"])
    try alsa.send(.present(Sample.alert(seq: 1)))
    #expect(try alsa.answer() == .presented(seq: 1))
    _ = try card.event("card", "start")
    try card.write("", to: "card.gone")
    _ = try card.event("spare", "start")
    _ = try card.event("card", "close")
    card.remove("card.gone")
    _ = try card.event("card", "start")
    _ = try card.event("spare", "close")
  }

  @Test(
    "The mixer is raised, and put back after a stop and after kill -9",
    .enabled(if: SoftwareCard.canBuild, "needs a C compiler")
  )
  func mixer() throws {
    let card = try SoftwareCard()
    let settings = ["sound": "tone", "mixer-floor": "70%"]
    let killed = try SpawnedSink("tocsin-alsa", environment: card.environment)
    _ = try killed.start(settings)
    try killed.send(.present(Sample.alert(seq: 1)))
    #expect(try killed.answer() == .presented(seq: 1))
    try wait(for: "70 1", in: card)
    #expect(card.exists("plugins/mixer-speaker.json"))
    #expect(try killed.end(SIGKILL) == -SIGKILL)
    let next = try SpawnedSink("tocsin-alsa", environment: card.environment)
    _ = try next.start(settings)
    try wait(for: "40 0", in: card)
    try next.send(.present(Sample.alert(seq: 2)))
    try wait(for: "70 1", in: card)
    #expect(try next.end(SIGTERM) == 0)
    #expect(String(decoding: try card.bytes("mixer"), as: UTF8.self) == "40 0\n")
    #expect(!card.exists("plugins/mixer-speaker.json"))
  }

  private func wait(for text: String, in card: SoftwareCard) throws {
    let watch = inotify_init1(CInt(IN_CLOEXEC))
    defer { close(watch) }
    inotify_add_watch(watch, "\(card.folder)/mixer", UInt32(IN_CLOSE_WRITE))
    while true {
      let now = String(decoding: try card.bytes("mixer"), as: UTF8.self)
      if now == text + "\n" { return }
      _ = try nextBytes(watch)
    }
  }
}
