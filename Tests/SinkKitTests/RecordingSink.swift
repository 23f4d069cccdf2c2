import SinkKit

/// Writes down what it is told; fails where a test wants it to.
final class RecordingSink: Sink {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let host: SinkHost
  let descriptor: SinkDescriptor
  var calls: [String] = []
  /// Titles that cannot be presented.
  var broken: Set<String> = []
  /// How many presentations the host held during each `clear`.
  var heldDuringClear: [Int] = []
  /// Whether receipts are sent at once.
  var confirms = true

  init(settings: SinkSettings, host: SinkHost) throws {
    self.host = host
    descriptor = SinkDescriptor(
      name: "recorder",
      version: "2",
      capabilities: [.buttons, .sound],
      audible: settings.flag("audible", default: false),
      parts: settings.list("parts", default: []).map {
        SinkDescriptor.Part(name: $0, capabilities: [.light, .sound], audible: $0 == "bell")
      }
    )
  }

  func present(_ presentation: Presentation) throws {
    let parts = presentation.parts.map { " \($0.joined(separator: "+"))" } ?? ""
    calls.append("present \(presentation.seq)\(parts)")
    if broken.contains(presentation.title) { throw Failure(description: "the bell is broken") }
    if confirms { host.presented(presentation.seq) }
  }

  func clear(_ withdrawal: Withdrawal) {
    calls.append("clear \(withdrawal.occurrence.serial) \(withdrawal.reason?.rawValue ?? "-")")
    heldDuringClear.append(host.presentations.count)
    host.presented(withdrawal)
  }

  func notice(_ notice: SinkMessage.Notice) throws {
    calls.append("notice \(notice.seq) \(notice.text)")
    if broken.contains(notice.text) { throw Failure(description: "the bell is broken") }
    host.presented(notice.seq)
  }

  func end() { calls.append("end") }
}
