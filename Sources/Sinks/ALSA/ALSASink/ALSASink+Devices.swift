import Glibc
import SinkKit

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
    if case .refused = event, ladder.hasNothingLeft { fallSilent() }
  }

  private func scheduleLadder() {
    host.cancel(&deviceTimer)
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
    let format = (source ?? .sound(sounds.tone)).format
    cards.open(settings.devices[index], format) { [unowned self] result in
      switch result {
      case .success(let pcm):
        outputs[index] = Output(pcm, host: host) { [unowned self] in heard(of: index, $0) }
        // What plays through a sound server has no card, but the library may know its mixer.
        if let card = pcm.card ?? (pcm.device == "default" ? "default" : nil) {
          if ring != nil { mixer.raise(card) }
        }
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

  /// Plays the present sound on these open devices; those that play go over to it without a gap.
  func play(on indices: [Int]) {
    guard let ring, let source else { return }
    let format = source.format
    for index in indices {
      guard let output = outputs[index], !configuring.contains(index) else { continue }
      if output.pcm.format != format {
        configure(index, output, format)
      } else if output.isPlaying {
        output.change(to: wave(source, ring, after: output.delay))
      } else {
        let silence = output.hasPlayed ? .zero : settings.leadIn
        start(index, output, wave(source, ring, silence: silence, after: .zero))
      }
    }
  }

  /// Lets what plays go on as loud as the ring is now.
  func adjustVolume() {
    guard let ring, let source else { return }
    for output in outputs.values where output.isPlaying {
      output.change(to: ramp(source, ring, at: host.elapsed + output.delay))
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

  /// The ring's sound after some silence, as loud as it will have become when it is heard.
  private func wave(
    _ source: Source,
    _ ring: Ring,
    silence: Duration = .zero,
    after delay: Duration
  ) -> Wave {
    Wave(
      source,
      silence: frames(silence, source),
      ramp: ramp(source, ring, at: host.elapsed + delay + silence)
    )
  }

  /// The ring's volume from a moment on that is still to come.
  private func ramp(_ source: Source, _ ring: Ring, at audible: Duration) -> Ramp {
    // A fade that nobody could hear has not begun.
    let began = hasSounded ? fadeBegan ?? audible : audible
    fadeBegan = began
    return Ramp(
      to: Loudness.decibels(ring.volume),
      depth: settings.fadeDepth,
      frames: frames(ring.fade, source),
      position: frames(max(.zero, audible - began), source)
    )
  }

  private func frames(_ duration: Duration, _ source: Source) -> Int {
    Int(duration / .seconds(1) * Double(source.format.rate))
  }
}
