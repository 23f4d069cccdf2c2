/// What the notification server is asked for; one at a time.
enum ServerCall: Hashable, Sendable {
  /// Connect to the session bus and ask what the server can do.
  case open
  /// Show a pop-up, or change the one that bears this handle.
  case show(handle: Int, PopUp)
  /// Take a pop-up away.
  case close(handle: Int)
}

/// What comes from the notification server: the answers to calls, and what happens by itself.
enum ServerEvent: Hashable, Sendable {
  /// The answer to `open`.
  case opened(ServerFeatures)
  /// The answer to `show`: the server gave an id.
  case shown(handle: Int)
  /// The answer to `show`: the server would not.
  case refused(handle: Int, reason: String)
  /// The answer to `close`, also if there was none, and to a `show` that came too late for its pop-up.
  case gone(handle: Int)
  /// The answer to any call: there is no bus, no server, or it does not answer.
  case unavailable(reason: String)

  /// A server appeared on the bus, or answers again.
  case came
  /// The server left the bus, or the bus is gone, and all pop-ups with it.
  case left
  /// A pop-up is closed.
  case closed(handle: Int, CloseReason)
  /// A button was pressed.
  case action(handle: Int, key: String)
}

/// Why a pop-up is closed: NotificationClosed of the Desktop Notifications Specification.
enum CloseReason: Int, Hashable, Sendable {
  /// Its time was over.
  case expired = 1
  /// A person closed it.
  case dismissed = 2
  /// CloseNotification was called.
  case called = 3
  /// Anything else.
  case undefined = 4
}

/// The notification server as the sink uses it; used on the sink's thread only.
protocol NotificationServer: AnyObject {
  /// Carries a call out elsewhere and answers with one event; never waits.
  func perform(_ call: ServerCall)
  /// Ends a call of `open` that takes too long; it is answered by `unavailable`.
  func giveUpOpening()
  /// Takes all pop-ups away and lets go of the bus; waits at most that long.
  func end(within limit: Duration)
}
