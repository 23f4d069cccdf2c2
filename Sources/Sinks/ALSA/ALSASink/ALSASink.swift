public import SinkKit
import Sounds
import TocsinModel

/// Plays the sound of the alarm that matters most, on the first device that really plays.
public final class ALSASink: Sink {
  /// How long an alarm waits for its own sound before the tone begins, and how long for a stream.
  static let soundPatience = Duration.milliseconds(500)
  static let streamPatience = Duration.seconds(2)
  /// How long nothing may be heard before the alarms are reported as failed for now, where a device is
  /// still waited for.
  static let patience = Duration.seconds(3)

  /// The host given to `init`.
  public let host: SinkHost

  let settings: ALSASettings
  let cards: any SoundCards
  let sounds: any SoundSupply
  let mixer: any VolumeGuard
  var ladder: DeviceLadder
  /// The open devices by their place in the list.
  var outputs: [Int: Output] = [:]
  /// What sounds, or is to.
  var ring: Ring?
  /// What it sounds with; nil while its sound is waited for.
  var source: Source?
  /// Whether that is a sound of its own, and not the tone or a stream.
  var isOwnSound = false
  /// The stream that it is to sound with, also while the tone takes its place.
  var stream: StreamFeed?
  /// When the first frame of the ring was written.
  var fadeBegan: Duration?
  var soundTimer: SinkHost.Token?
  var deviceTimer: SinkHost.Token?
  var failureTimer: SinkHost.Token?
  /// Whether a frame of the ring has been played.
  var hasSounded = false
  /// Devices that are being given another format.
  var configuring: Set<Int> = []
  /// Alerts that are confirmed.
  var confirmed: Set<UInt64> = []
  /// Whether nothing has been heard for too long, and the alerts that were told so.
  var isSilent = false
  var told: Set<UInt64> = []
  /// The sounds that may have to be heard, and those whose failure was told.
  var wanted: Set<String> = []
  var mourned: Set<String> = []

  /// Plays on the machine's devices.
  public convenience init(settings: SinkSettings, host: SinkHost) throws {
    let values = ALSASettings(settings)
    try settings.finish()
    let sounds = PreparedSounds(
      host: host,
      environment: Environment.all,
      decoder: try DecoderProgram(values.decoder)
    )
    self.init(
      values,
      host: host,
      cards: ALSACards(host: host),
      sounds: sounds,
      mixer: ThreadedVolumeGuard(host: host, values)
    )
  }

  /// Plays on these devices.
  init(
    _ settings: ALSASettings,
    host: SinkHost,
    cards: any SoundCards,
    sounds: any SoundSupply,
    mixer: any VolumeGuard
  ) {
    self.host = host
    self.settings = settings
    self.cards = cards
    self.sounds = sounds
    self.mixer = mixer
    ladder = DeviceLadder(self.settings.devices, playsOnAll: self.settings.playOn == .all)
    sounds.onChange = { [unowned self] in soundsChanged() }
    warnOfCardNumbers()
    wantSounds()
    mixer.restore()
  }

  /// What it is, and whether it is heard with its settings.
  public var descriptor: SinkDescriptor {
    SinkDescriptor(
      name: "tocsin-alsa",
      version: Version.text,
      capabilities: [.sound],
      audible: settings.isAudible
    )
  }

  private func warnOfCardNumbers() {
    for device in settings.devices {
      guard let number = DeviceNames.cardNumber(in: device) else { continue }
      host.log(
        .warning,
        "\(device): card \(number) may be another one after the next boot; write CARD=NAME, as"
          + " aplay -L lists them"
      )
    }
  }

  // MARK: Sink

  /// Sounds if it rings and matters most; what only counts down is confirmed at once.
  public func present(_ presentation: Presentation) {
    update()
    if Ring(presentation, settings) == nil {
      host.presented(presentation.seq)
    } else {
      confirm()
    }
  }

  /// Is silent at once, unless another alarm rings.
  public func clear(_ withdrawal: Withdrawal) {
    update()
    host.presented(withdrawal)
  }

  /// Closes everything.
  public func end() {
    endRing()
    cards.finish()
    mixer.finish()
  }

  // MARK: What sounds

  /// Looks at what is presented now, and sounds like it.
  private func update() {
    let next = Ring.choose(among: host.presentations, settings)
    wantSounds()
    guard next != ring else { return }
    let previous = ring
    ring = next
    if let next {
      if let previous, previous.continues(next) { adjust(from: previous) } else { beginRing() }
    } else {
      endRing()
    }
  }

  /// All that may have to sound is prepared.
  private func wantSounds() {
    var names: Set<String> = [settings.sound]
    for presentation in host.presentations {
      if let name = presentation.options.sound { names.insert(name) }
    }
    names.remove(ALSASettings.noSound)
    guard names != wanted else { return }
    wanted = names
    mourned.formIntersection(names)
    sounds.want(names)
  }

  /// Another alarm sounds, or the same one again: from its beginning.
  private func beginRing() {
    for output in outputs.values { output.stop() }
    forgetSound()
    fadeBegan = nil
    hasSounded = false
    findSound()
    if let ring { sounds.refresh(ring.sound) }
    watchForSilence()
    carryOut(ladder.handle(.begin, at: host.elapsed))
  }

  private func endRing() {
    ring = nil
    forgetSound()
    host.cancel(&failureTimer)
    carryOut(ladder.handle(.finish, at: host.elapsed))
    mixer.restore()
    cards.rest()
    isSilent = false
    (confirmed, told) = ([], [])
  }

  /// The same alert sounds different from now on; it does not begin anew.
  private func adjust(from previous: Ring) {
    guard let ring else { return }
    guard ring.sound != previous.sound else { return adjustVolume() }
    stopStream()
    isOwnSound = false
    findSound()
    play(on: Array(outputs.keys))
  }
}
