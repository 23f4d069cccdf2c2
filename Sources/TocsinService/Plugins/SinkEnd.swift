import TocsinModel

/// The daemon's end of a sink of plugins.conf, whatever is at the other end.
///
/// Lives on the loop's thread.
protocol SinkEnd: AnyObject {
  /// Its section.
  var settings: PluginSettings { get }
  /// Whether it was told to end.
  var isLeaving: Bool { get }
  /// How it does.
  var status: SinkStatus { get }

  /// Lets it take events.
  func start()
  /// Lets it end.
  func stop()
  /// Hands on an event with its encoding.
  func send(_ message: SinkMessage, _ line: [UInt8])
  /// Looks for processes that have ended.
  func reapIfEnded()
}

extension Plugin: SinkEnd {}
