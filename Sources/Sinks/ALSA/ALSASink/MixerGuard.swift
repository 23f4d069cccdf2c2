/// Keeps the mixer from silencing an alarm: raises it while something rings, and puts it back.
///
/// What is to be undone stands in a file before it is done, so that it is undone even if this
/// process is killed. Not for two threads at once; the calls may block.
struct MixerGuard: Sendable {
  private let mixers: any Mixers
  private let names: [String]
  private let memory: MixerMemory
  private var changes: [MixerChange] = []
  private var raisedCards: Set<String> = []

  /// Takes what a run before this one has left.
  init(mixers: any Mixers, names: [String], memory: MixerMemory) {
    self.mixers = mixers
    self.names = names
    self.memory = memory
    changes = memory.load()
  }

  /// Whether something is to be put back.
  var hasChanges: Bool { !changes.isEmpty }

  /// Unmutes a card and raises it to the floor; the second time, until `restore`, it does nothing.
  ///
  /// - Parameters:
  ///   - card: the card's id, or `default`.
  ///   - floor: the least volume, 0...1.
  /// - Returns: what went wrong. A card without a mixer is no fault.
  mutating func raise(_ card: String, to floor: Double) -> [String] {
    guard raisedCards.insert(card).inserted else { return [] }
    guard let controls = try? mixers.controls(of: card, floor: floor) else { return [] }
    var wanted: [MixerChange] = []
    for control in MixerControl.chosen(from: controls, names: names) {
      guard let raised = control.raised else { continue }
      // What stood there before the first alarm is what counts.
      let before = changes.first { $0.id == control.id }?.before ?? control.position
      wanted.append(MixerChange(id: control.id, before: before, after: raised))
    }
    guard !wanted.isEmpty else { return [] }
    changes.removeAll { change in wanted.contains { $0.id == change.id } }
    changes += wanted
    var faults: [String] = []
    if let fault = memory.save(changes) { faults.append(fault) }
    for change in wanted {
      do throws(ALSAError) { try mixers.set(change.id, change.after) } catch {
        faults.append("\(change.id.name) of the mixer could not be raised: \(error)")
      }
    }
    return faults
  }

  /// Puts back what nobody has changed by hand meanwhile.
  ///
  /// - Returns: what went wrong.
  mutating func restore() -> [String] {
    raisedCards = []
    guard !changes.isEmpty else { return [] }
    var faults: [String] = []
    for card in Set(changes.map(\.id.card)).sorted() {
      do throws(ALSAError) {
        let controls = try mixers.controls(of: card, floor: 0)
        for change in changes where change.id.card == card {
          guard let control = controls.first(where: { $0.id == change.id }),
            let position = change.undone(from: control.position)
          else { continue }
          try mixers.set(change.id, position)
        }
      } catch { faults.append("the mixer could not be put back: \(error)") }
    }
    changes = []
    if let fault = memory.save([]) { faults.append(fault) }
    return faults
  }
}
