import CLinux

/// How the daemon stays small: what a burst needed goes back once it is over.
extension AlarmService {
  /// Counts a change towards the next quiet moment; after many, memory is given back in it.
  func noteChange() {
    changesSinceTrim += 1
    if changesSinceTrim == 256 { giveMemoryBackWhenQuiet(after: changesSinceTrim) }
  }

  /// Waits until nothing has changed for a few seconds; only then, and once, it wakes the loop.
  func giveMemoryBackWhenQuiet(after seen: Int) {
    guard !isStopping else { return }
    memoryTimer = reactor.after(.seconds(3)) { [weak self] in
      self?.assumeIsolated { service in
        service.memoryTimer = nil
        guard service.changesSinceTrim == seen else {
          return service.giveMemoryBackWhenQuiet(after: service.changesSinceTrim)
        }
        service.changesSinceTrim = 0
        tocsin_give_memory_back()
      }
    }
  }
}
