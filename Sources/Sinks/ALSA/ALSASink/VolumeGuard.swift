import CALSA
import Glibc
import SinkKit
import Synchronization

/// What the sink asks of the mixer; returns at once.
protocol VolumeGuard: AnyObject {
  /// Makes a card loud enough to be heard, if the settings want that.
  func raise(_ card: String)
  /// Puts back what was raised, also by a run before this one.
  func restore()
  /// Waits for what was begun, but not for long.
  func finish()
}

/// The mixer guard on a thread of its own, since opening a mixer may block.
final class ThreadedVolumeGuard: VolumeGuard {
  private static let patience = Duration.milliseconds(700)

  /// The guard, which only the thread uses.
  private final class Guarded: Sendable {
    let mixer: Mutex<MixerGuard>
    init(_ mixer: MixerGuard) { self.mixer = Mutex(mixer) }
  }

  private let host: SinkHost
  private let floor: Double?
  private let thread = SerialThread()
  private let unfinished = Unfinished()
  private let guarded: Guarded
  private var mailbox: SinkMailbox<ThreadedVolumeGuard>?
  /// Whether there may be something to put back.
  private var hasRaised: Bool

  /// Makes a guard.
  ///
  /// - Parameters:
  ///   - host: takes what went wrong.
  ///   - floor: the least volume, 0...1; nil to raise nothing.
  ///   - mixer: what does it.
  init(host: SinkHost, floor: Double?, mixer: MixerGuard) {
    self.host = host
    self.floor = floor
    hasRaised = mixer.hasChanges
    guarded = Guarded(mixer)
  }

  func raise(_ card: String) {
    guard let floor else { return }
    hasRaised = true
    run { $0.raise(card, to: floor) }
  }

  func restore() {
    guard hasRaised else { return }
    hasRaised = false
    run { mixer in
      defer { snd_config_update_free_global() }
      return mixer.restore()
    }
  }

  func finish() { unfinished.wait(atMost: Self.patience) }

  private func run(_ body: @escaping @Sendable (inout MixerGuard) -> [String]) {
    let mailbox = mailbox ?? host.mailbox(for: self)
    self.mailbox = mailbox
    unfinished.begin()
    thread.run { [guarded, unfinished] in
      let faults = guarded.mixer.withLock { body(&$0) }
      unfinished.end()
      mailbox.perform { owner in
        for fault in faults { owner.host.log(.warning, fault) }
      }
    }
  }
}

extension ThreadedVolumeGuard {
  /// Makes a guard as the settings want it, for the mixers of this machine.
  convenience init(host: SinkHost, _ settings: ALSASettings) {
    let path = MixerMemory.path(of: host.name, environment: Environment.variable)
    let mixer = MixerGuard(
      mixers: ALSAMixers(),
      names: settings.mixerControls,
      memory: MixerMemory(path: path)
    )
    self.init(host: host, floor: settings.mixerFloor, mixer: mixer)
  }
}
