import CALSA

/// The mixers of the machine's cards, through libasound's simple controls.
struct ALSAMixers: Mixers {
  func controls(of card: String, floor: Double) throws(ALSAError) -> [MixerControl] {
    let mixer = try OpenMixer(card)
    defer { mixer.close() }
    return mixer.elements.compactMap { element in
      let id = Self.id(of: element, card)
      let hasVolume = snd_mixer_selem_has_playback_volume(element) != 0
      let hasSwitch = snd_mixer_selem_has_playback_switch(element) != 0
      guard hasVolume || hasSwitch else { return nil }
      return MixerControl(
        id: id,
        position: Self.position(of: element, hasVolume, hasSwitch),
        floor: hasVolume ? Self.step(of: element, floor) : nil
      )
    }
  }

  func set(_ id: MixerControl.ID, _ position: MixerControl.Position) throws(ALSAError) {
    let mixer = try OpenMixer(id.card)
    defer { mixer.close() }
    guard let element = mixer.elements.first(where: { Self.id(of: $0, id.card) == id }) else {
      throw ALSAError("snd_mixer_find_selem", id.card, code: ENOENT)
    }
    let channels = Self.channels(of: element)
    for (channel, volume) in zip(channels, position.volumes) {
      let code = snd_mixer_selem_set_playback_volume(element, channel, volume)
      guard code >= 0 else {
        throw ALSAError("snd_mixer_selem_set_playback_volume", id.card, code: code)
      }
    }
    for (channel, isOn) in zip(channels, position.switches) {
      let code = snd_mixer_selem_set_playback_switch(element, channel, isOn ? 1 : 0)
      guard code >= 0 else {
        throw ALSAError("snd_mixer_selem_set_playback_switch", id.card, code: code)
      }
    }
  }

  // MARK: Elements

  private static func id(of element: OpaquePointer, _ card: String) -> MixerControl.ID {
    let name = snd_mixer_selem_get_name(element).map { String(cString: $0) } ?? ""
    return MixerControl.ID(
      card: card,
      name: name,
      index: Int(snd_mixer_selem_get_index(element))
    )
  }

  private static func channels(of element: OpaquePointer) -> [snd_mixer_selem_channel_id_t] {
    (0...SND_MIXER_SCHN_LAST.rawValue).map { snd_mixer_selem_channel_id_t(rawValue: $0) }
      .filter { snd_mixer_selem_has_playback_channel(element, $0) != 0 }
  }

  private static func position(
    of element: OpaquePointer,
    _ hasVolume: Bool,
    _ hasSwitch: Bool
  ) -> MixerControl.Position {
    var position = MixerControl.Position(volumes: [], switches: [])
    for channel in channels(of: element) {
      var volume = 0
      if hasVolume, snd_mixer_selem_get_playback_volume(element, channel, &volume) == 0 {
        position.volumes.append(volume)
      }
      var isOn: CInt = 0
      if hasSwitch, snd_mixer_selem_get_playback_switch(element, channel, &isOn) == 0 {
        position.switches.append(isOn != 0)
      }
    }
    return position
  }

  /// The step that is as loud as a share of the control's range, by its decibels if it knows them.
  private static func step(of element: OpaquePointer, _ share: Double) -> Int {
    var (least, most) = (0, 0)
    snd_mixer_selem_get_playback_volume_range(element, &least, &most)
    guard share > 0 else { return least }
    var (quietest, loudest) = (0, 0)
    var step = 0
    // In hundredths of a decibel.
    let hasDecibels =
      snd_mixer_selem_get_playback_dB_range(element, &quietest, &loudest) == 0
      && loudest > quietest
    if hasDecibels {
      let wanted = loudest + Int((Loudness.decibels(share) * 100).rounded())
      let level = max(wanted, quietest)
      if snd_mixer_selem_ask_playback_dB_vol(element, level, 1, &step) == 0 {
        return min(max(step, least), most)
      }
    }
    return least + Int((Double(most - least) * share).rounded(.up))
  }
}

/// A mixer that is open, with its controls loaded.
private struct OpenMixer {
  private let handle: OpaquePointer
  let elements: [OpaquePointer]

  init(_ card: String) throws(ALSAError) {
    var handle: OpaquePointer?
    let code = snd_mixer_open(&handle, 0)
    guard code == 0, let handle else { throw ALSAError("snd_mixer_open", card, code: code) }
    let name = card == "default" ? card : "hw:CARD=\(card)"
    for (operation, call) in [
      ("snd_mixer_attach", { snd_mixer_attach(handle, name) }),
      ("snd_mixer_selem_register", { snd_mixer_selem_register(handle, nil, nil) }),
      ("snd_mixer_load", { snd_mixer_load(handle) }),
    ] as [(String, () -> CInt)] {
      let code = call()
      guard code < 0 else { continue }
      snd_mixer_close(handle)
      throw ALSAError(operation, card, code: code)
    }
    self.handle = handle
    var elements: [OpaquePointer] = []
    var next = snd_mixer_first_elem(handle)
    while let element = next {
      if snd_mixer_selem_is_active(element) != 0 { elements.append(element) }
      next = snd_mixer_elem_next(element)
    }
    self.elements = elements
  }

  func close() { snd_mixer_close(handle) }
}
