import Foundation
import ProcessTesting
import TocsinModel

/// docs/protocol.schema.json, and a validator of the field to hold lines against it.
struct ProtocolSchema {
  /// The kinds of lines, by what both ends are.
  enum Group: String, CaseIterable {
    case routerToSink, sinkToRouter, request, reply, daemonToProgram
  }

  /// One line and what it claims to be.
  struct Line: Encodable {
    var group: Group
    var line: JSONValue

    private enum CodingKeys: String, CodingKey {
      case group = "in"
      case line
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(group.rawValue, forKey: .group)
      try container.encode(line, forKey: .line)
    }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let path = root.appendingPathComponent("docs/protocol.schema.json").path

  /// The definitions by name.
  let definitions: [String: JSONValue]

  init() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: Self.path))
    let schema = try JSONDecoder().decode(JSONValue.self, from: data)
    definitions = schema["$defs"]?.object ?? [:]
  }

  /// The definitions of a group's messages.
  func members(of group: Group) -> [String] {
    (definitions[group.rawValue]?["oneOf"]?.array ?? []).compactMap {
      $0["$ref"]?.string?.split(separator: "/").last.map(String.init)
    }
  }

  /// The types that a definition of a message is for.
  func types(of definition: String) -> [String] {
    let type = definitions[definition]?["properties"]?["type"]
    return type?["enum"]?.array?.compactMap(\.string) ?? [type?["const"]?.string].compactMap { $0 }
  }

  /// The types of all messages of a group.
  func types(of group: Group) -> Set<String> {
    Set(members(of: group).flatMap { types(of: $0) })
  }

  /// The lines that stand as examples in a group.
  func examples(of group: Group) -> [JSONValue] {
    members(of: group).flatMap { definitions[$0]?["examples"]?.array ?? [] }
  }

  /// What is wrong with these lines, or with the schema if they are not all that it knows.
  static func faults(in lines: [Line], areAll: Bool) throws -> [String] {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("validate.py").path
    let python = try Program(
      ["python3", script, path] + (areAll ? [] : ["--part"]),
      environment: ["PYTHONUTF8": "1"],
      input: .pipe
    )
    for line in lines { try python.write(JSONLine.encode(line)) }
    python.close(0)
    let result = try python.result()
    guard result.code == 0 else { throw Failure(result.err) }
    return result.out.split(separator: "\n").map(String.init)
  }
}

extension JSONValue {
  var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
  var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  var string: String? { if case .string(let value) = self { value } else { nil } }
  subscript(key: String) -> JSONValue? { object?[key] }
}
