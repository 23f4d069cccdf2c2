package import TocsinModel

/// One line from the daemon.
package enum Incoming: Sendable {
  /// An answer, or a part of one.
  case reply(Reply)
  /// Something that happened, after `subscribe`.
  case event(SinkMessage)
  /// Something about a program's own alarms, after `join`.
  case application(ApplicationMessage)
}

extension Incoming: Decodable {
  private enum CodingKeys: String, CodingKey { case type, id }

  /// Decodes a reply if the line has an `id` and the type of one, an event otherwise.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let type = try container.decode(String.self, forKey: .type)
    let isReply = ["ok", "error", "alarm", "entry", "sink", "step", "silence"].contains(type)
    if isReply, container.contains(.id) {
      self = .reply(try Reply(from: decoder))
    } else if ApplicationMessage.types.contains(type) {
      self = .application(try ApplicationMessage(from: decoder))
    } else {
      self = .event(try SinkMessage(from: decoder))
    }
  }
}

extension Reply {
  /// The request that this belongs to.
  package var id: String {
    switch self {
    case .ok(let id, _), .error(let id, _), .alarm(let id, _), .entry(let id, _), .sink(let id, _),
      .step(let id, _), .silence(let id, _):
      id
    }
  }
}
