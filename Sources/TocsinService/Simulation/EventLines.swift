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
    case .present(let presentation): put(Line(at: at, event: presentation))
    case .clear(let cleared): put(Line(at: at, event: SinkMessage.cleared(cleared)))
    case .miss(let missed, _): put(Line(at: at, event: SinkMessage.missed(missed)))
    case .secondary(let secondary, _): put(Line(at: at, event: SinkMessage.secondary(secondary)))
    case .reject(let error): put(error, at)
    case .save, .delete, .record, .accept, .owe: break
    }
  }

  /// Adds a line about a command that was refused.
  package mutating func put(_ error: ServiceError, _ at: Instant) {
    put(Line(at: at, event: Rejected(error)))
  }

  private mutating func put(_ line: some Encodable) {
    guard let line = try? JSONLine.encode(line) else { return }
    bytes += line
  }

  /// An event as sinks read it, with the time it happened at.
  private struct Line<Event: Encodable>: Encodable {
    let at: Instant
    let event: Event

    enum CodingKeys: CodingKey { case at }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(at, forKey: .at)
      try event.encode(to: encoder)
    }
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
