import Foundation

/// A connection that joined as a program.
struct JoinedProgram {
  let wire: Wire
  /// What `join` was answered.
  let joined: [String: Any]

  init(_ running: RunningService, _ name: String, follow: Bool = false, perform: Bool = false) {
    wire = running.connect()
    joined = wire.ask("join", ["application": name, "follow": follow, "perform": perform])
  }

  /// The types of the next lines, with the state of an alarm that changed, or what is allowed.
  func lines(_ count: Int) -> [String] {
    (0..<count).map { _ in
      let line = wire.object()
      let state = (line["alarm"] as? [String: Any])?["state"] as? String
      let access = line["access"] as? String
      let words = [line["type"] as? String ?? "end", state, access]
      return words.compactMap(\.self).joined(separator: " ")
    }
  }

  /// The titles of its alarms.
  var titles: [String] {
    wire.write(Wire.request("list"))
    return TocsinServiceTests.titles(wire.answer("q"))
  }
}
