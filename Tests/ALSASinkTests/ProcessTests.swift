import Glibc
import Sounds
import Testing
import TocsinModel

@testable import ALSASink

@Suite("tocsin-alsa and the real libasound", .serialized)
struct ProcessTests {
  private static let canBuild = SoftwareCard.plugins != nil

  @Test("It starts and is ready where there is no sound card at all, and ends when told")
  func noCard() throws {
    let alsa = try SpawnedALSA(environment: ["ALSA_CONFIG_PATH=/dev/null"])
    let ready = try alsa.start([:])
    #expect(ready.name == "tocsin-alsa" && ready.audible && ready.capabilities == ["sound"])
    try alsa.send(.present(Sample.alert(1)))
    guard case .failed(let failed) = try alsa.receipt() else {
      throw Failure(what: "no failure")
    }
    #expect(failed.retry == true && failed.reason.contains("default"))
    #expect(alsa.end(SIGTERM) == 0)
  }

  @Test("Wrong settings end it with 78 and a line for each")
  func settings() throws {
    let alsa = try SpawnedALSA(environment: ["ALSA_CONFIG_PATH=/dev/null"])
    let hello = SinkMessage.Hello(sink: "speaker", settings: ["volume": "11", "play-on": "none"])
    try alsa.send(.hello(hello))
    for key in ["play-on", "volume"] {
      guard case .log(let log) = try alsa.report() else { throw Failure(what: "no log") }
      #expect(log.message.contains("[plugin speaker] \(key)"))
    }
    #expect(throws: Failure.self) { try alsa.report() }
    #expect(alsa.end(0) == 78)
  }

  @Test(
    "An alarm is heard at the right pitch and level, and is silent when cleared",
    .enabled(if: canBuild, "needs a C compiler")
  )
  func heard() throws {
    let card = try SoftwareCard()
    let alsa = try SpawnedALSA(environment: card.environment)
    _ = try alsa.start(["device": "card", "sound": "tone", "volume": "50%"])
    try alsa.send(.present(Sample.alert(1)))
    #expect(try alsa.receipt() == .presented(seq: 1))
    for name in ["open", "write", "start"] { #expect(try card.event("card").name == name) }
    // A second of it: the loop of the tone is longer than the buffer.
    try wait(for: 48_000, of: card)
    try alsa.send(.cleared(Sample.cleared(2)))
    #expect(try alsa.receipt() == .presented(seq: 2))
    let stop = try card.event("card")
    #expect(stop.name == "stop" && stop.frames >= 30_000)
    #expect(try card.event("card").name == "close")
    let samples = try card.samples("card")
    let tone = Tone.sound.samples
    let factor = Loudness.factor(decibels: -10)
    let wrong = samples.indices.filter {
      Int(samples[$0]) != Int((Double(tone[$0 % tone.count]) * factor).rounded())
    }
    #expect(wrong.isEmpty)
    #expect(samples.count < stop.frames + 48_000 / 2)
  }

  /// Waits until the card has been given so many frames.
  private func wait(for frames: Int, of card: SoftwareCard) throws {
    let watch = inotify_init1(CInt(IN_CLOEXEC))
    defer { close(watch) }
    inotify_add_watch(watch, "\(card.folder)/card.wav", UInt32(IN_MODIFY))
    while try card.bytes("card.wav").count < 44 + 2 * frames { _ = try SpawnedALSA.read(watch) }
  }

  @Test(
    "A busy device is passed over and taken when it is free",
    .enabled(if: canBuild, "needs a C compiler")
  )
  func busy() throws {
    let card = try SoftwareCard()
    try card.write("", to: "card.busy")
    let alsa = try SpawnedALSA(environment: card.environment)
    _ = try alsa.start(["device": "card, spare", "sound": "tone"])
    try alsa.send(.present(Sample.alert(1)))
    #expect(try alsa.receipt() == .presented(seq: 1))
    _ = try card.event("spare", "start")
    card.remove("card.busy")
    _ = try card.event("card", "start")
    _ = try card.event("spare", "close")
    try alsa.send(.cleared(Sample.cleared(2)))
    _ = try card.event("card", "stop")
  }

  @Test(
    "A device that is unplugged while it rings is given up, and taken back",
    .enabled(if: canBuild, "needs a C compiler")
  )
  func unplugged() throws {
    let card = try SoftwareCard()
    let alsa = try SpawnedALSA(environment: card.environment)
    _ = try alsa.start(["device": "card, spare", "sound": "tone"])
    try alsa.send(.present(Sample.alert(1)))
    #expect(try alsa.receipt() == .presented(seq: 1))
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
    .enabled(if: canBuild, "needs a C compiler")
  )
  func mixer() throws {
    let card = try SoftwareCard()
    let settings = ["sound": "tone", "mixer-floor": "70%"]
    let killed = try SpawnedALSA(environment: card.environment)
    _ = try killed.start(settings)
    try killed.send(.present(Sample.alert(1)))
    #expect(try killed.receipt() == .presented(seq: 1))
    try wait(for: "70 1", in: card)
    #expect(card.exists("mixer-speaker.json"))
    #expect(killed.end(SIGKILL) == -SIGKILL)
    let next = try SpawnedALSA(environment: card.environment)
    _ = try next.start(settings)
    try wait(for: "40 0", in: card)
    try next.send(.present(Sample.alert(2)))
    try wait(for: "70 1", in: card)
    #expect(next.end(SIGTERM) == 0)
    #expect(String(decoding: try card.bytes("mixer"), as: UTF8.self) == "40 0\n")
    #expect(!card.exists("mixer-speaker.json"))
  }

  private func wait(for text: String, in card: SoftwareCard) throws {
    let watch = inotify_init1(CInt(IN_CLOEXEC))
    defer { close(watch) }
    inotify_add_watch(watch, "\(card.folder)/mixer", UInt32(IN_CLOSE_WRITE))
    while true {
      let now = String(decoding: try card.bytes("mixer"), as: UTF8.self)
      if now == text + "\n" { return }
      _ = try SpawnedALSA.read(watch)
    }
  }
}
