import TocsinModel

extension AlarmManager.AlarmConfiguration {
  /// Refuses numbers that cannot be meant; those that are no numbers are in no range.
  func check() throws(AlarmConfigurationError) {
    func isLength(_ seconds: TimeInterval) -> Bool {
      seconds > 0 && seconds <= AlarmLimits.countdownSeconds
    }
    if let preAlert = countdownDuration?.preAlert, !isLength(preAlert) {
      throw .preAlert(preAlert)
    }
    if let postAlert = countdownDuration?.postAlert, !isLength(postAlert) {
      throw .postAlert(postAlert)
    }
    if let ring = ringDuration, !(0...AlarmLimits.countdownSeconds).contains(ring) {
      throw .ringDuration(ring)
    }
    if let snoozeLimit, !(0...1_000).contains(snoozeLimit) { throw .snoozeLimit(snoozeLimit) }
    if let autoSnooze, !(0...1_000).contains(autoSnooze) { throw .autoSnooze(autoSnooze) }
    if let priority, !(-100...100).contains(priority) { throw .priority(priority) }
    if let volume = sound.volume, !(0...1).contains(volume) { throw .volume(volume) }
    if let fade = sound.fade, !(0...3_600).contains(fade) { throw .fade(fade) }
  }
}
