extension AlarmManager {
  /// A place where this program itself shows or plays its alarms: a window, a line on a terminal, a lamp.
  ///
  /// It takes the part that a widget extension has on Apple's systems, and more: it is told of each
  /// presentation, confirms it by returning, and can press its buttons. `AlarmManager.attach(_:)` makes it
  /// known; from then on it is a sink beside those of plugins.conf, for this program's alarms alone.
  ///
  /// **One thing at a time.** All calls come from one task, one after the other, in the order in which
  /// things happened, so a slow sink is late but never confused. A call returns when what it is about is
  /// done; one that lasts as long as the alarm rings would keep `clear` from coming.
  ///
  /// **Whole states.** `present` holds all there is to know, in place of what was presented of the same
  /// alarm. After the daemon was away, the sink is told what is presented now, and `clear` for what is gone.
  ///
  /// **Receipts.** Returning from `present` says that it is *really* shown, or audible; throwing says that
  /// it is not, and why. Routes with a fallback turn to another sink because of it, and
  /// `AlarmManager.details(for:)` and `tocsin show` tell of it.
  ///
  /// A structure, a class that is `Sendable`, or an actor may be one; an actor's `name` is `nonisolated`.
  public protocol Sink: Sendable {
    /// What routes and receipts call it, such as `kitchen window`; asked once, when it is attached.
    var name: String { get }

    /// Whether a person asleep would hear it; false by default.
    ///
    /// An alert that nobody audible confirms is one that may not have been heard, so say true only if it
    /// is so. Asked once, when it is attached.
    var isAudible: Bool { get }

    /// Presents an alarm as it is now, in place of what was presented of the same alarm.
    ///
    /// - Throws: any error; its text is what the receipt gives as the reason.
    func present(_ presentation: SinkPresentation) async throws

    /// Withdraws an alarm; one that is not shown is no error.
    func clear(_ id: Alarm.ID, reason: ClearReason) async

    /// Tells of an alarm that reached nobody; does nothing by default.
    func missed(_ missed: MissedAlarm) async

    /// Tells what a person should know beside alarms; does nothing by default.
    func notice(_ notice: SinkNotice) async
  }
}

extension AlarmManager.Sink {
  /// It is not audible.
  public var isAudible: Bool { false }

  /// Does nothing.
  public func missed(_ missed: AlarmManager.MissedAlarm) async {}

  /// Does nothing.
  public func notice(_ notice: AlarmManager.SinkNotice) async {}
}
