public import AlarmKit
import TocsinModel

extension TestAlarms {
  /// What a person can press.
  public enum Button: String, Sendable, CaseIterable {
    /// Ends a ring or a countdown.
    case stop
    /// Snoozes a ring, or runs the program's intent.
    case secondary
    /// Halts a countdown.
    case pause
    /// Goes on with a halted countdown.
    case resume

    /// What pressing it can mean.
    var roles: [AlarmAction] {
      switch self {
      case .stop: [.stop]
      case .secondary: [.secondary, .snooze]
      case .pause: [.pause]
      case .resume: [.resume]
      }
    }
  }

  /// Presses a button of what is presented, as a person would; its intent has run when this returns.
  ///
  /// - Parameters:
  ///   - button: the button.
  ///   - id: the alarm that is presented.
  /// - Throws: `TestAlarmsError` if nothing with this button is presented, or the answer was refused.
  public func press(_ button: Button, on id: UUID) async throws {
    await settle()
    guard let shown = service.sink.shown(AlarmID(id)) else {
      throw TestAlarmsError("nothing of alarm \(id) is presented that could be pressed")
    }
    guard let role = shown.buttons.map(\.role).first(where: button.roles.contains) else {
      let there = shown.buttons.map { "\($0.role)" }.joined(separator: ", ")
      throw TestAlarmsError("alarm \(id) has no button \(button.rawValue), only \(there)")
    }
    try await service.sink.ask(.intent(Intent(role, .occurrence(shown.occurrence))))
    await settle()
  }

  /// All that was presented and withdrawn so far, in order.
  public var presentations: [RecordedPresentation] { service.sink.recorded }

  /// All that is presented now, the oldest first.
  public var presented: [RecordedPresentation] { service.sink.presented }
}

/// Why a test's wish could not be carried out.
public struct TestAlarmsError: Error, Equatable, CustomStringConvertible, Sendable {
  /// One sentence for whoever reads the test's output.
  public let description: String

  init(_ description: String) { self.description = description }
}
