import TocsinApplication
import TocsinModel

extension AlarmManager {
  #if ALARMKIT_STRICT
    /// All alarms of this program as they are now, the next to ring first.
    ///
    /// One that rang once and was stopped is not among them: `history(for:limit:)` tells what became of it.
    ///
    /// - Throws: `Failure` if nothing answers.
    /// - Note: Without ALARMKIT_STRICT it does not throw and is empty then.
    public var alarms: [Alarm] {
      get throws {
        // The answer comes behind all changes before it.
        try ask(.list(Request.ListFilter(limit: 0)))
        return link.alarms.map { Alarm($0) }
      }
    }
  #else
    /// All alarms of this program as they are now, the next to ring first.
    ///
    /// One that rang once and was stopped is not among them: `history(for:limit:)` tells what became of
    /// it. They are what was last known while nothing answers, and none if nothing ever did; `diagnose()`
    /// tells. Apple's throws: set TOCSIN_STRICT_ALARMS=1 in the environment of the build for the same.
    public var alarms: [Alarm] { link.alarms.map { Alarm($0) } }
  #endif

  /// All alarms of this program at once, and again after each change, in order and without a gap.
  ///
  /// Each element is the whole list, as `alarms`; a change may be one that only `details(for:)` shows, such as
  /// another title, but what sinks make of a ring is none. An alarm that is no longer in it is no longer scheduled.
  /// Any number of tasks may follow; it ends with the task.
  public var alarmUpdates: some AsyncSequence<[Alarm], Never> & Sendable { AlarmUpdates(self) }

  /// The lists that `alarmUpdates` gives.
  public struct AlarmUpdates: AsyncSequence, Sendable {
    /// The whole list.
    public typealias Element = [Alarm]
    /// It ends, but does not fail.
    public typealias Failure = Never

    private let manager: AlarmManager

    init(_ manager: AlarmManager) { self.manager = manager }

    /// Begins to follow: what changes from now on is kept until it is asked for.
    public func makeAsyncIterator() -> Iterator {
      Iterator(manager: manager, base: manager.link.alarmUpdates().makeAsyncIterator())
    }

    /// One that follows.
    public struct Iterator: AsyncIteratorProtocol {
      /// The whole list.
      public typealias Element = [Alarm]
      /// It ends, but does not fail.
      public typealias Failure = Never

      // Who follows keeps the manager, which runs the intents of what is followed.
      fileprivate let manager: AlarmManager
      fileprivate var base: AsyncStream<[AlarmStatus]>.Iterator
      private var last: [AlarmStatus]?

      fileprivate init(manager: AlarmManager, base: AsyncStream<[AlarmStatus]>.Iterator) {
        self.manager = manager
        self.base = base
      }

      /// The next list; nil once the task is cancelled.
      public mutating func next() async -> [Alarm]? { await next(isolation: nil) }

      /// The next list, without leaving the actor that asks; nil once the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> [Alarm]? {
        while let statuses = await base.next(isolation: actor) {
          let alarms = statuses.map(\.withoutReceipts)
          if alarms == last { continue }
          last = alarms
          return alarms.map { Alarm($0) }
        }
        return nil
      }
    }
  }

  /// An alarm's state as far as is known here, without asking.
  func state(of id: Alarm.ID) -> Alarm.State? {
    status(of: id).map { Alarm($0).state }
  }

  /// How an alarm stands as far as is known here, without asking.
  func status(of id: Alarm.ID) -> AlarmStatus? {
    let id = AlarmID(id)
    return link.alarms.first { $0.alarm.id == id }
  }
}

extension AlarmStatus {
  /// The same but for what sinks made of it.
  fileprivate var withoutReceipts: AlarmStatus {
    var status = self
    status.receipts = nil
    return status
  }
}
