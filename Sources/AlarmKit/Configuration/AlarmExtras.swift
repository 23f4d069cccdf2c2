/// What an alarm may be given that Apple's configuration has no word for; nil leaves it to what is set.
struct AlarmExtras: Sendable, Hashable {
  var ringDuration: TimeInterval?
  var snoozeLimit: Int?
  var autoSnooze: Int?
  var priority: Int?
  var labels: [String] = []
  var isEnabled = true
}
