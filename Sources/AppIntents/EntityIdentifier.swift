public import TocsinResources

/// Names a thing of the program's, such as a recipe, to the system.
public struct EntityIdentifier: Hashable, Sendable, Codable {
  /// The name of the kind of thing.
  public let typeName: String
  /// Which of them it is.
  public let identifier: String

  /// Names a thing by its kind and its identity.
  ///
  /// - Parameters:
  ///   - type: the kind of thing.
  ///   - identifier: which of them it is.
  public init<Entity: AppEntity>(for type: Entity.Type, identifier: Entity.ID) {
    typeName = String(reflecting: type)
    self.identifier = identifier.entityIdentifierString
  }

  /// Names that thing.
  public init<Entity: AppEntity>(for entity: Entity) {
    self.init(for: Entity.self, identifier: entity.id)
  }
}

/// A thing of the program's that the system may be told of.
public protocol AppEntity: Identifiable, Sendable where ID: EntityIdentifierConvertible {}

/// An identity that can be written down.
public protocol EntityIdentifierConvertible {
  /// The identity as a text.
  var entityIdentifierString: String { get }
}

extension String: EntityIdentifierConvertible {
  /// The text itself.
  public var entityIdentifierString: String { self }
}

extension Int: EntityIdentifierConvertible {
  /// The number's digits.
  public var entityIdentifierString: String { description }
}

extension UUID: EntityIdentifierConvertible {
  /// The identity's 36 characters.
  public var entityIdentifierString: String { uuidString }
}
