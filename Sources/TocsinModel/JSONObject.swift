import FoundationEssentials
import TocsinTime

/// An object that writes its members itself, for the events that every ring waits for.
///
/// Encodable's containers are generic over their keys and boxed, which takes four fifths of what encoding an
/// event costs. `encode(to:)` of such a type is `encoder.write(self)`, so its members are said once.
protocol JSONObject: Encodable {
  /// Writes the members into an object that is open.
  func writeMembers(to text: inout JSONText) throws
}

extension Encoder {
  /// Encodes an object that writes itself.
  func write(_ object: some JSONObject) throws {
    if let own = self as? JSONValueEncoder {
      try own.writeMembers(of: object)
    } else {
      // Another encoder gets the same members, by way of their text.
      let line = Data(try JSONLine.encode(object))
      try JSONDecoder().decode(JSONValue.self, from: line).encode(to: self)
    }
  }
}

extension JSONText {
  mutating func member(_ key: some CodingKey, _ value: String) {
    self.key(key)
    string(value)
  }

  /// For the names that an enumeration's cases have on the wire.
  mutating func member<Name: RawRepresentable<String>>(_ key: some CodingKey, name: Name) {
    self.key(key)
    plain(name.rawValue)
  }

  mutating func member(_ key: some CodingKey, _ value: Bool) {
    self.key(key)
    bool(value)
  }

  mutating func member(_ key: some CodingKey, _ value: some FixedWidthInteger) {
    self.key(key)
    integer(value)
  }

  /// - Throws: `EncodingError` for what JSON has no number for.
  mutating func member(_ key: some CodingKey, _ value: Double) throws {
    self.key(key)
    try finite(value)
  }

  mutating func member(_ key: some CodingKey, _ value: Instant) {
    self.key(key)
    plain(value.rfc3339)
  }

  mutating func member(_ key: some CodingKey, _ value: AlarmID) {
    self.key(key)
    plain(upTo: AlarmID.length) { value.write(to: $0) }
  }

  mutating func member(_ key: some CodingKey, _ value: OccurrenceID) {
    self.key(key)
    plain(value.description)
  }

  mutating func member(_ key: some CodingKey, _ values: [String]) {
    self.key(key)
    openArray()
    for value in values {
      separate()
      string(value)
    }
    close(to: depth - 1)
  }

  mutating func member(_ key: some CodingKey, _ object: some JSONObject) throws {
    self.key(key)
    try self.object(object)
  }

  mutating func member(_ key: some CodingKey, _ objects: [some JSONObject]) throws {
    self.key(key)
    openArray()
    for object in objects {
      separate()
      try self.object(object)
    }
    close(to: depth - 1)
  }

  private mutating func object(_ object: some JSONObject) throws {
    let depth = depth
    openObject()
    try object.writeMembers(to: &self)
    close(to: depth)
  }
}
