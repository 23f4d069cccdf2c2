/// One control of a card's mixer, as far as playing is concerned.
struct MixerControl: Hashable, Sendable {
  /// Which control of which card.
  struct ID: Hashable, Sendable, Codable {
    /// The card's id, or `default` for the mixer that the library calls so.
    var card: String
    /// Such as `Master`.
    var name: String
    /// Tells controls of the same name apart.
    var index: Int
  }

  /// Where it stands: a number for each channel, in the hardware's own steps.
  struct Position: Hashable, Sendable, Codable {
    /// Empty if it has no volume.
    var volumes: [Int]
    /// Empty if it cannot be muted; false is mute.
    var switches: [Bool]
  }

  var id: ID
  var position: Position
  /// The step that is as loud as the floor; nil if it has no volume.
  var floor: Int?

  /// Those that a signal passes on most cards on its way to the loudspeaker.
  static let usual = ["Master", "PCM", "Speaker", "Headphone", "Headphones", "Digital"]

  /// Which of a card's controls are raised: those that the settings name, else the usual ones, and
  /// where a card has none of those, its first.
  static func chosen(from controls: [MixerControl], names: [String]) -> [MixerControl] {
    guard names.isEmpty else { return controls.filter { names.contains($0.id.name) } }
    let usual = controls.filter { Self.usual.contains($0.id.name) }
    return usual.isEmpty ? Array(controls.prefix(1)) : usual
  }

  /// Where it must stand to be heard; nil if it does already.
  var raised: Position? {
    let position = Position(
      volumes: position.volumes.map { max($0, floor ?? $0) },
      switches: position.switches.map { _ in true }
    )
    return position == self.position ? nil : position
  }
}

/// What was done to a control, so that it can be undone.
struct MixerChange: Hashable, Sendable, Codable {
  var id: MixerControl.ID
  var before: MixerControl.Position
  var after: MixerControl.Position

  /// Where the control goes back to; nil if it stays where it is.
  ///
  /// What somebody has changed by hand meanwhile is kept.
  func undone(from now: MixerControl.Position) -> MixerControl.Position? {
    let position = MixerControl.Position(
      volumes: now.volumes == after.volumes ? before.volumes : now.volumes,
      switches: now.switches == after.switches ? before.switches : now.switches
    )
    return position == now ? nil : position
  }
}

/// The mixers of the machine, or a test's; the calls may block.
protocol Mixers: Sendable {
  /// The controls of a card that have to do with playing.
  ///
  /// - Parameters:
  ///   - card: the card's id, or `default`.
  ///   - floor: the share of the volume whose step is asked for.
  /// - Returns: those with a volume or a switch.
  /// - Throws: if there is no such card or it has no mixer.
  func controls(of card: String, floor: Double) throws(ALSAError) -> [MixerControl]

  /// Puts a control somewhere.
  func set(_ id: MixerControl.ID, _ position: MixerControl.Position) throws(ALSAError)
}
