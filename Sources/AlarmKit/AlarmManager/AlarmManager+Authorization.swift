import TocsinApplication
import TocsinModel

extension AlarmManager {
  /// Whether this program may set alarms.
  ///
  /// The section `[access]` of plugins.conf says so; all may if it says nothing.
  public var authorizationState: AuthorizationState { AuthorizationState(link.access) }

  /// Whether this program may set alarms, at once and again after each change; it ends with the task.
  public var authorizationUpdates: some AsyncSequence<AuthorizationState, Never> & Sendable {
    AlarmAuthorizationStateUpdates(self)
  }

  /// Asks whether this program may set alarms, where plugins.conf wants programs to ask.
  ///
  /// `schedule(id:configuration:)` asks by itself.
  ///
  /// - Returns: the answer, which stands until plugins.conf or the daemon changes.
  /// - Throws: `Failure` if nothing answers.
  public func requestAuthorization() async throws -> AuthorizationState {
    let answer = try await ask(.authorize)
    return AuthorizationState(answer.outcome.access ?? link.access)
  }

  /// The answers that `authorizationUpdates` gives.
  public struct AlarmAuthorizationStateUpdates: AsyncSequence, Sendable {
    /// Whether it may.
    public typealias Element = AuthorizationState
    /// It ends, but does not fail.
    public typealias Failure = Never

    private let manager: AlarmManager

    init(_ manager: AlarmManager) { self.manager = manager }

    /// Begins to follow: what changes from now on is kept until it is asked for.
    public func makeAsyncIterator() -> Iterator {
      Iterator(manager: manager, base: manager.link.accessUpdates().makeAsyncIterator())
    }

    /// One that follows.
    public struct Iterator: AsyncIteratorProtocol {
      /// Whether it may.
      public typealias Element = AuthorizationState
      /// It ends, but does not fail.
      public typealias Failure = Never

      fileprivate let manager: AlarmManager
      fileprivate var base: AsyncStream<Access>.Iterator

      /// The next answer; nil once the task is cancelled.
      public mutating func next() async -> AuthorizationState? {
        await base.next().map { AuthorizationState($0) }
      }

      /// The next answer, without leaving the actor that asks; nil once the task is cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async -> AuthorizationState? {
        await base.next(isolation: actor).map { AuthorizationState($0) }
      }
    }
  }
}

extension AlarmManager.AuthorizationState {
  init(_ access: Access) {
    switch access {
    case .notDetermined: self = .notDetermined
    case .denied: self = .denied
    case .authorized: self = .authorized
    }
  }
}
