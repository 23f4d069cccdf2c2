package import TocsinEngine
package import TocsinModel
package import TocsinTime

/// The events of a timeline as JSON lines: the objects that sinks read, with the time in `at` besides.
package struct EventLines {
  /// The lines so far; whoever sends them empties it.
  package var bytes: [UInt8] = []

  package init() {}

  /// Adds a line if the effect is one that somebody hears of.
  package mutating func put(_ effect: Effect, at: Instant) {
    switch effect {
    case .present(let presentation): put(presentation, at)
    case .clear(let cleared): put(SinkMessage.cleared(cleared), at)
    case .miss(let missed, _): put(SinkMessage.missed(missed), at)
    case .secondary(let secondary, _): put(SinkMessage.secondary(secondary), at)
    case .reject(let error): put(error, at)
    case .save, .delete, .record, .accept, .owe: break
    }
  }

  /// Adds a line about a command that was refused.
  package mutating func put(_ error: ServiceError, _ at: Instant) { put(Rejected(error), at) }

  private mutating func put(_ event: some Encodable, _ at: Instant) {
    guard let line = try? JSONLine.encode(event, at: at) else { return }
    bytes += line
  }

  private struct Rejected: Encodable {
    let type = "rejected"
    let code: ServiceError.Code
    let message: String

    init(_ error: ServiceError) {
      code = error.code
      message = error.message
    }
  }
}
