import AlarmKit
import Synchronization

/// A sink that notes what it is told, and can be told to fail.
final class NotedSink: AlarmManager.Sink {
  let name: String
  let isAudible: Bool
  /// What it is told, in order.
  let told: AsyncStream<Told>

  enum Told: Sendable {
    case present(AlarmManager.SinkPresentation)
    case clear(UUID, AlarmManager.ClearReason)
    case missed(AlarmManager.MissedAlarm)
    case notice(AlarmManager.SinkNotice)
  }

  private let into: AsyncStream<Told>.Continuation
  private let failure = Mutex<String?>(nil)

  init(_ name: String = "shelf", isAudible: Bool = false) {
    self.name = name
    self.isAudible = isAudible
    (told, into) = AsyncStream.makeStream()
  }

  /// Lets it fail from now on, or no longer.
  func fail(_ reason: String?) { failure.withLock { $0 = reason } }

  func present(_ presentation: AlarmManager.SinkPresentation) async throws {
    into.yield(.present(presentation))
    if let reason = failure.withLock({ $0 }) { throw Broken(description: reason) }
  }

  func clear(_ id: Alarm.ID, reason: AlarmManager.ClearReason) async {
    into.yield(.clear(id, reason))
  }

  func missed(_ missed: AlarmManager.MissedAlarm) async { into.yield(.missed(missed)) }

  func notice(_ notice: AlarmManager.SinkNotice) async { into.yield(.notice(notice)) }

  private struct Broken: Error, CustomStringConvertible {
    var description: String
  }
}

extension AsyncStream<NotedSink.Told>.Iterator {
  /// The next thing, which is to be a presentation.
  mutating func presentation() async throws -> AlarmManager.SinkPresentation {
    let next = await next()
    guard case .present(let presentation) = next else {
      throw Unexpected(description: "a presentation was to come, not \(String(describing: next))")
    }
    return presentation
  }

  /// The next thing, which is to be a withdrawal.
  mutating func withdrawal() async throws -> (id: UUID, reason: AlarmManager.ClearReason) {
    let next = await next()
    guard case .clear(let id, let reason) = next else {
      throw Unexpected(description: "a withdrawal was to come, not \(String(describing: next))")
    }
    return (id, reason)
  }

  private struct Unexpected: Error, CustomStringConvertible {
    var description: String
  }
}
