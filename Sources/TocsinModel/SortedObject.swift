/// An object whose members are always written in the same order, which is not that of a dictionary.
struct SortedObject<Value: Encodable>: Encodable {
  let members: [String: Value]

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      try container.encode(value, forKey: Key(stringValue: key))
    }
  }
}
