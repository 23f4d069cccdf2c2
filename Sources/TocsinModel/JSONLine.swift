import FoundationEssentials
package import TocsinTime

/// The protocol's lines: one JSON object each, UTF-8, at most 64 KiB.
public enum JSONLine {
  /// The most bytes a line may have, its newline included.
  public static let limit = 64 * 1024

  /// Encodes a value as one line, newline included.
  ///
  /// - Throws: `EncodingError` for numbers JSON has not, such as infinity.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    try JSONLineEncoder.line(value)
  }

  /// Encodes an object as one line, with the time at which it happened before its own members.
  ///
  /// - Throws: `EncodingError`, as above.
  package static func encode(_ object: some Encodable, at: Instant) throws -> [UInt8] {
    var text = JSONText()
    text.openObject()
    text.key("at")
    text.plain(at.rfc3339)
    try text.members(of: object)
    text.close(to: 0)
    text.endLine()
    return text.bytes
  }

  /// Decodes one line, with or without its newline.
  ///
  /// - Throws: `ServiceError` with `badRequest`, `unknownRequest` or `tooLarge` and a sentence that
  ///   names what is wrong and where.
  public static func decode<Value: Decodable>(
    _ type: Value.Type,
    from line: some Collection<UInt8>
  ) throws(ServiceError) -> Value {
    guard line.count <= limit else {
      throw ServiceError(.tooLarge, "the line is longer than \(limit / 1024) KiB")
    }
    guard String(validating: line, as: UTF8.self) != nil else {
      throw ServiceError(.badRequest, "the line is not UTF-8")
    }
    do {
      return try JSONDecoder().decode(type, from: Data(line))
    } catch let error as UnknownRequest {
      throw ServiceError(.unknownRequest, "unknown request \"\(error.type)\"")
    } catch let error as DecodingError {
      throw ServiceError(.badRequest, Self.sentence(for: error))
    } catch {
      throw ServiceError(.badRequest, "\(error)")
    }
  }

  /// Whether a line is empty but for what is white space to JSON, and so to be passed over.
  package static func isBlank(_ line: some Collection<UInt8>) -> Bool {
    line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
  }

  private static func sentence(for error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      return "\(place(context))the key \"\(key.stringValue)\" is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(place(context))\(context.debugDescription)"
    case .dataCorrupted(let context):
      guard context.codingPath.isEmpty else {
        return "\(place(context))\(context.debugDescription)"
      }
      return "not a JSON object: \(context.debugDescription)"
    @unknown default:
      return "\(error)"
    }
  }

  private static func place(_ context: DecodingError.Context) -> String {
    guard !context.codingPath.isEmpty else { return "" }
    return context.codingPath.map(\.stringValue).joined(separator: ".") + ": "
  }
}
