import Glibc
import SinkKit
import Sounds

// The devices: what the ladder decides is carried out here.
extension ALSASink {
  /// Does what the ladder wants, and sees to its next deadline.
  func carryOut(_ effects: [DeviceLadder.Effect]) {
    for effect in effects {
      switch effect {
      case .open(let index): open(index)
      case .play(let index): play(on: [index])
      case .close(let index): close(index)
      case .fault(let index, let error): tellFault(index, error)
      case .works(let index): host.log(.info, "\(settings.devices[index]) plays again")
      }
    }
    scheduleLadder()
  }

  private func tell(_ event: DeviceLadder.Event) {
    carryOut(ladder.handle(event, at: host.elapsed))
  }

  private func scheduleLadder() {
    cancel(&deviceTimer)
    if let deadline = ladder.deadline(after: host.elapsed) {
      deviceTimer = host.wake(at: deadline) { [unowned self] in
        deviceTimer = nil
        tell(.time)
      }
    }
    if ladder.isLookingForCards {
      cards.watchCards { [unowned self] in tell(.cardsChanged) }
    } else {
      cards.unwatchCards()
    }
  }

  private func tellFault(_ index: Int, _ error: ALSAError) {
    let others =
      settings.devices.count > 1 ? "another device is tried, and this one" : "it is tried"
    host.log(.warning, "\(error); \(others) again from time to time")
  }

  private func open(_ index: Int) {
    // If the sound is still being read, the tone is the likeliest to be heard.
    let format = PCMFormat(of: sound ?? sounds.tone)
    cards.open(settings.devices[index], format) { [unowned self] result in
      switch result {
      case .success(let pcm):
        outputs[index] = Output(pcm, host: host) { [unowned self] in heard(of: index, $0) }
        tell(.opened(index))
      case .failure(let error): tell(.refused(index, error))
      }
    }
  }

  private func close(_ index: Int) {
    guard let output = outputs.removeValue(forKey: index) else { return }
    output.stop()
    configuring.remove(index)
    cards.close(output.pcm)
    watchForSilence()
  }

  private func heard(of index: Int, _ news: Output.News) {
    switch news {
    case .moving:
      hasSounded = true
      tell(.moving(index))
      confirm()
    case .failed(let error):
      tell(.lost(index, error))
    }
  }

  // MARK: Playing

  /// The sound is there, or the one that takes its place.
  func play(_ sound: Sound) {
    guard self.sound != sound else { return }
    self.sound = sound
    cancel(&soundTimer)
    play(on: Array(outputs.keys))
  }

  /// Plays the present sound on these open devices; those that play go over to it without a gap.
  func play(on indices: [Int]) {
    guard let ring, let sound else { return }
    let format = PCMFormat(of: sound)
    for index in indices {
      guard let output = outputs[index], !configuring.contains(index) else { continue }
      if output.pcm.format != format {
        configure(index, output, format)
      } else if output.isPlaying {
        output.change(to: wave(sound, ring, silence: 0))
      } else {
        start(index, output, wave(sound, ring, silence: output.hasPlayed ? 0 : leadIn(format)))
      }
    }
  }

  private func start(_ index: Int, _ output: Output, _ wave: Wave) {
    do {
      if output.pcm.state != .prepared { try output.pcm.prepare() }
      output.play(wave)
    } catch { tell(.lost(index, error)) }
  }

  /// Another rate or number of channels: on the same open device, but it has to stop for it.
  private func configure(_ index: Int, _ output: Output, _ format: PCMFormat) {
    output.stop()
    configuring.insert(index)
    let limit = host.wake(after: DeviceLadder.openLimit) { [unowned self] in
      guard outputs[index] === output else { return }
      tell(.lost(index, ALSAError("snd_pcm_hw_params", output.pcm.device, code: ETIMEDOUT)))
    }
    cards.configure(output.pcm, format) { [unowned self] error in
      host.cancel(limit)
      guard outputs[index] === output else { return }
      configuring.remove(index)
      if let error { tell(.lost(index, error)) } else { play(on: [index]) }
    }
  }

  private func leadIn(_ format: PCMFormat) -> Int {
    Int(settings.leadIn / .seconds(1) * Double(format.rate))
  }

  /// The ring's sound from its beginning, as loud as it has become by now.
  private func wave(_ sound: Sound, _ ring: Ring, silence: Int) -> Wave {
    let rate = Double(sound.rate)
    // A fade that nobody could hear has not begun.
    let began = hasSounded ? fadeBegan : nil
    let audible = host.elapsed + .seconds(Double(silence) / rate)
    fadeBegan = began ?? audible
    let past = began.map { max(.zero, audible - $0) } ?? .zero
    return Wave(
      sound,
      silence: silence,
      ramp: Ramp(
        to: Loudness.decibels(ring.volume),
        depth: settings.fadeDepth,
        frames: Int(ring.fade / .seconds(1) * rate),
        position: Int(past / .seconds(1) * rate)
      )
    )
  }
}

extension PCMFormat {
  /// What a device must be configured for to play the sound.
  init(of sound: Sound) {
    self.init(rate: sound.rate, channels: sound.channels)
  }
}
