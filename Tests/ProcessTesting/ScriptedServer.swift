import Foundation

/// The notification server of notifyd.py as a process on a test's bus.
package final class ScriptedServer {
  /// Something it was asked for.
  package struct Event: Decodable {
    package var event: String
    package var id: UInt32?
    package var replaces: UInt32?
    package var icon: String?
    package var summary: String?
    package var body: String?
    package var actions: [String]?
    package var hints: [String: Value]?
    package var timeout: Int?
  }

  /// A hint: a text, or a number, which booleans are too.
  package enum Value: Decodable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral
  {
    case text(String)
    case number(Int)

    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .number(value) }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  package let program: Program

  package static let python = "/usr/bin/python3"
  package static var isPossible: Bool {
    let words = [python, "-c", "import dbus, gi; print('yes')"]
    return PrivateBus.isPossible && (try? Program.run(words, environment: [:]))?.out == "yes\n"
  }

  /// Starts it, and returns once it has its name.
  package init(on bus: PrivateBus, _ capabilities: [String] = ["actions", "body"]) throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("notifyd.py").path
    program = try Program(
      [Self.python, script] + capabilities,
      environment: bus.environment,
      input: .pipe
    )
    guard try program.output.line()?.contains("ready") == true else {
      throw Failure("notifyd.py: \(try program.errors.rest())")
    }
  }

  package func next() throws -> Event {
    guard let line = try program.output.line() else {
      throw Failure("notifyd.py has ended")
    }
    return try JSONDecoder().decode(Event.self, from: Data(line.utf8))
  }

  package func press(_ key: String, _ id: UInt32) throws {
    try program.write(#"{"do":"action","id":\#(id),"key":"\#(key)"}"# + "\n")
  }

  package func close(_ id: UInt32, _ reason: Int) throws {
    try program.write(#"{"do":"close","id":\#(id),"reason":\#(reason)}"# + "\n")
  }

  package func behave(_ how: String) throws { try program.write(#"{"do":"\#(how)"}"# + "\n") }

  /// Ends it without a word to anybody.
  package func crash() throws { try program.crash() }
}
