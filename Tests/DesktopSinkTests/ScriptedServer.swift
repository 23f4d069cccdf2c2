import Foundation
import Glibc

/// The notification server of notifyd.py as a process on a test's bus.
final class ScriptedServer {
  /// Something it was asked for.
  struct Event: Decodable {
    var event: String
    var id: UInt32?
    var replaces: UInt32?
    var icon: String?
    var summary: String?
    var body: String?
    var actions: [String]?
    var hints: [String: Value]?
    var timeout: Int?
  }

  /// A hint: a text, or a number, which booleans are too.
  enum Value: Decodable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case text(String)
    case number(Int)

    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .number(value) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  private let process: ChildProcess

  static let python = "/usr/bin/python3"
  static var isPossible: Bool {
    let words = [python, "-c", "import dbus, gi; print('yes')"]
    return PrivateBus.isPossible && (try? ChildProcess.run(words, [:])) == "yes\n"
  }

  /// Starts it, and returns once it has its name.
  init(on bus: PrivateBus, _ capabilities: [String] = ["actions", "body"]) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("notifyd.py").path
    process = try ChildProcess([Self.python, script] + capabilities, bus.environment)
    guard try process.line()?.contains("ready") == true else {
      throw ChildProcess.Failure(description: "notifyd.py: \(try process.line(2) ?? "")")
    }
  }

  func next() throws -> Event {
    guard let line = try process.line() else {
      throw ChildProcess.Failure(description: "notifyd.py has ended")
    }
    return try JSONDecoder().decode(Event.self, from: Data(line.utf8))
  }

  func press(_ key: String, _ id: UInt32) throws {
    try process.send(line: #"{"do":"action","id":\#(id),"key":"\#(key)"}"#)
  }

  func close(_ id: UInt32, _ reason: Int) throws {
    try process.send(line: #"{"do":"close","id":\#(id),"reason":\#(reason)}"#)
  }

  func behave(_ how: String) throws { try process.send(line: #"{"do":"\#(how)"}"#) }

  /// Ends it without a word to anybody.
  func crash() throws {
    process.signal(SIGKILL)
    _ = try process.exitCode()
  }
}
