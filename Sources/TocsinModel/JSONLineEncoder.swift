/// Encodes values straight into a line, keys in the order in which they are given.
///
/// Between a due instant and the sink that reads of it nothing costs more than encoding the event, so no
/// tree is built first: about a tenth of the instructions of FoundationEssentials' encoder.
struct JSONLineEncoder {
  /// The value as one line, newline included.
  ///
  /// - Throws: `EncodingError` for numbers JSON has not, such as infinity.
  static func line(_ value: some Encodable) throws -> [UInt8] {
    var text = JSONText()
    try withUnsafeMutablePointer(to: &text) { try $0.write(value) }
    text.endLine()
    return text.bytes
  }
}

/// The text that all encoders and containers of one line write into.
///
/// A pointer and not an object, which would be retained, released and checked for exclusive access with
/// every key. That is safe because an encoder is only valid until `encode(to:)` returns, and the text
/// outlives that; nothing else knows it.
private typealias JSONOutput = UnsafeMutablePointer<JSONText>

extension UnsafeMutablePointer<JSONText> {
  /// Writes one whole value.
  fileprivate func write(_ value: some Encodable) throws {
    let (depth, start) = (pointee.depth, pointee.bytes.count)
    try value.encode(to: JSONValueEncoder(output: self, depth: depth))
    pointee.close(to: depth)
    // A value that encodes nothing is an empty object, as with other encoders.
    if pointee.bytes.count == start {
      pointee.openObject()
      pointee.close(to: depth)
    }
  }
}

extension JSONText {
  /// Writes the members of an encoded object into the object that is open.
  mutating func members(of value: some Encodable) throws {
    let depth = depth
    try withUnsafeMutablePointer(to: &self) {
      try value.encode(to: JSONValueEncoder(output: $0, depth: depth - 1))
    }
    close(to: depth)
  }

  /// Writes a number.
  ///
  /// - Throws: `EncodingError` for what JSON has no number for.
  mutating func finite(_ value: Double) throws {
    guard number(value) else {
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(codingPath: [], debugDescription: "JSON has no \(value)")
      )
    }
  }
}

/// The encoder of one value; asked twice for a container it goes on with the same one.
struct JSONValueEncoder: Encoder {
  fileprivate let output: JSONOutput
  /// How much was open where the value began.
  fileprivate let depth: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if output.pointee.depth == depth { output.pointee.openObject() }
    return KeyedEncodingContainer(
      JSONObjectContainer(output: output, depth: depth + 1)
    )
  }

  /// Writes the members of an object, beside those that are there already.
  func writeMembers(of object: some JSONObject) throws {
    if output.pointee.depth == depth { output.pointee.openObject() }
    output.pointee.close(to: depth + 1)
    try object.writeMembers(to: &output.pointee)
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if output.pointee.depth == depth { output.pointee.openArray() }
    return JSONArrayContainer(output: output, depth: depth + 1)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONSingleContainer(output: output)
  }
}

/// The members of one object; what was opened in an earlier member is closed before the next.
private struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let output: JSONOutput
  let depth: Int
  var codingPath: [any CodingKey] { [] }

  private func begin(_ key: Key) {
    output.pointee.close(to: depth)
    output.pointee.key(key.stringValue)
  }

  mutating func encodeNil(forKey key: Key) {
    begin(key)
    output.pointee.null()
  }

  mutating func encode(_ value: Bool, forKey key: Key) {
    begin(key)
    output.pointee.bool(value)
  }

  mutating func encode(_ value: String, forKey key: Key) {
    begin(key)
    output.pointee.string(value)
  }

  mutating func encode(_ value: Double, forKey key: Key) throws {
    begin(key)
    try output.pointee.finite(value)
  }

  mutating func encode(_ value: Float, forKey key: Key) throws {
    try encode(Double(value), forKey: key)
  }

  mutating func encode(_ value: Int, forKey key: Key) { integer(value, key) }
  mutating func encode(_ value: Int8, forKey key: Key) { integer(value, key) }
  mutating func encode(_ value: Int16, forKey key: Key) { integer(value, key) }
  mutating func encode(_ value: Int32, forKey key: Key) { integer(value, key) }
  mutating func encode(_ value: Int64, forKey key: Key) { integer(value, key) }
  mutating func encode(_ value: UInt, forKey key: Key) { integer(value, key) }
  mutating func encode(_ value: UInt8, forKey key: Key) { integer(value, key) }
  mutating func encode(_ value: UInt16, forKey key: Key) { integer(value, key) }
  mutating func encode(_ value: UInt32, forKey key: Key) { integer(value, key) }
  mutating func encode(_ value: UInt64, forKey key: Key) { integer(value, key) }

  private func integer(_ value: some FixedWidthInteger, _ key: Key) {
    begin(key)
    output.pointee.integer(value)
  }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    begin(key)
    try output.write(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    begin(key)
    return encoder(key).container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    begin(key)
    return encoder(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    output.pointee.close(to: depth)
    output.pointee.key("super")
    return JSONValueEncoder(output: output, depth: depth)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    begin(key)
    return encoder(key)
  }

  private func encoder(_ key: Key) -> JSONValueEncoder {
    JSONValueEncoder(output: output, depth: depth)
  }
}

/// The elements of one array.
private struct JSONArrayContainer: UnkeyedEncodingContainer {
  let output: JSONOutput
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  private(set) var count = 0

  init(output: JSONOutput, depth: Int) {
    self.output = output
    self.depth = depth
  }

  private mutating func begin() {
    output.pointee.close(to: depth)
    output.pointee.separate()
    count += 1
  }

  mutating func encodeNil() {
    begin()
    output.pointee.null()
  }

  mutating func encode(_ value: some Encodable) throws {
    begin()
    try output.write(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    begin()
    return encoder.container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    begin()
    return encoder.unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    begin()
    return encoder
  }

  private var encoder: JSONValueEncoder {
    JSONValueEncoder(output: output, depth: depth)
  }
}

/// One value by itself.
private struct JSONSingleContainer: SingleValueEncodingContainer {
  let output: JSONOutput
  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil() { output.pointee.null() }
  mutating func encode(_ value: Bool) { output.pointee.bool(value) }
  mutating func encode(_ value: String) { output.pointee.string(value) }
  mutating func encode(_ value: Double) throws { try output.pointee.finite(value) }
  mutating func encode(_ value: Float) throws { try output.pointee.finite(Double(value)) }
  mutating func encode(_ value: Int) { output.pointee.integer(value) }
  mutating func encode(_ value: Int8) { output.pointee.integer(value) }
  mutating func encode(_ value: Int16) { output.pointee.integer(value) }
  mutating func encode(_ value: Int32) { output.pointee.integer(value) }
  mutating func encode(_ value: Int64) { output.pointee.integer(value) }
  mutating func encode(_ value: UInt) { output.pointee.integer(value) }
  mutating func encode(_ value: UInt8) { output.pointee.integer(value) }
  mutating func encode(_ value: UInt16) { output.pointee.integer(value) }
  mutating func encode(_ value: UInt32) { output.pointee.integer(value) }
  mutating func encode(_ value: UInt64) { output.pointee.integer(value) }
  mutating func encode(_ value: some Encodable) throws { try output.write(value) }
}
