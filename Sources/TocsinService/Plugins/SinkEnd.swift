import TocsinModel

/// The daemon's end of a sink of plugins.conf, whatever is at the other end.
///
/// Lives on the loop's thread.
protocol SinkEnd: AnyObject {
  /// Its section.
  var settings: PluginSettings { get }
  /// Whether it was told to end.
  var isLeaving: Bool { get }
  /// Whether other settings wait for its alert to be over, or for its end.
  var isOutdated: Bool { get set }
  /// How it does.
  var status: SinkStatus { get }
  /// What may be expected of it while it is not leaving.
  var condition: PluginCondition { get }
  /// Whether its end would interrupt something.
  var isRinging: Bool { get }

  /// Lets it take events.
  func start()
  /// Tries again soon, if it waits.
  func hurry()
  /// Lets it end.
  func stop()
  /// Hands on an event with its encoding.
  func send(_ message: SinkMessage, _ line: [UInt8])
  /// Looks for processes that have ended.
  func reapIfEnded()
}

/// What the end of a sink tells its owner; called on the loop's thread.
struct SinkEndEvents {
  /// Something of its condition may have changed.
  var onChange: () -> Void
  /// Nothing rings at it any more; may come from within `send`.
  var onQuiet: () -> Void
  /// It was stopped and is gone.
  var onFinished: () -> Void
}

extension Plugin: SinkEnd {}
