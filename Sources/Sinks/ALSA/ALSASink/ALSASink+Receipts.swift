import SinkKit
import TocsinModel

// What is told to the router and the log.
extension ALSASink {
  private var isHeard: Bool { outputs.values.contains { $0.isMoving } }

  /// Confirms what rings if it is heard, all alarms behind the one that sounds included.
  func confirm() {
    guard isHeard else {
      if isSilent { tellSilence() }
      return
    }
    host.cancel(&failureTimer)
    isSilent = false
    for presentation in ringing where confirmed.insert(presentation.seq).inserted {
      host.presented(presentation.seq)
    }
  }

  /// Gives the devices some time to be heard before it is told that none is.
  func watchForSilence() {
    guard ring != nil, failureTimer == nil, !isSilent, !isHeard else { return }
    failureTimer = host.wake(after: Self.patience) { [unowned self] in
      failureTimer = nil
      fallSilent()
    }
  }

  /// Tells that nothing is heard, until something is.
  func fallSilent() {
    host.cancel(&failureTimer)
    guard ring != nil, !isSilent, !isHeard else { return }
    isSilent = true
    confirmed = []
    told = []
    tellSilence()
  }

  /// Tells of each alarm that rings that nobody hears it, once.
  private func tellSilence() {
    let reasons = ladder.reasons
    let reason = reasons.isEmpty ? "no device has answered yet" : reasons.joined(separator: "; ")
    for presentation in ringing where told.insert(presentation.seq).inserted {
      host.failed(presentation.seq, "nothing is heard: \(reason)", retry: true)
    }
  }

  private var ringing: [Presentation] {
    host.presentations.filter { Ring($0, settings) != nil }
  }
}
