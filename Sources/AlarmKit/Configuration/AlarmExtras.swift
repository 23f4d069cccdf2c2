package import Foundation

/// What an alarm may be given that Apple's configuration has no word for; nil leaves it to what is set.
package struct AlarmExtras: Sendable, Hashable, Codable {
  package var ringDuration: TimeInterval?
  package var snoozeLimit: Int?
  package var autoSnooze: Int?
  package var priority: Int?
  package var labels: [String]?
  package var isEnabled = true
}
