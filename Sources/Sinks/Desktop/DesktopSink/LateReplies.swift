import CNotify
import Synchronization

/// Watches for answers of the notification server that come after libnotify gave them up.
///
/// Such an answer means that the server works again; one to Notify bears the id of a pop-up that
/// nobody would ever take away.
final class LateReplies: Sendable {
  private struct State {
    /// The last call: its serial number on the connection.
    var last: guint32 = 0
    /// Calls that were given up.
    var givenUp: Set<guint32> = []
    var onReply: (@Sendable (UInt32) -> Void)?
  }

  private let state = Mutex(State())

  /// Called on GLib's own thread with the id in the answer, 0 if there is none.
  var onReply: (@Sendable (UInt32) -> Void)? {
    get { state.withLock { $0.onReply } }
    set { state.withLock { $0.onReply = newValue } }
  }

  /// Sees all messages of the connection from now on; gives the filter's number.
  func attach(to connection: OpaquePointer) -> guint {
    state.withLock {
      $0.last = 0
      $0.givenUp = []
    }
    return g_dbus_connection_add_filter(
      connection,
      filterMessage,
      Unmanaged.passRetained(self).toOpaque(),
      releaseLateReplies
    )
  }

  /// The last call has been given up.
  func giveUp() {
    state.withLock { if $0.last != 0 { $0.givenUp.insert($0.last) } }
  }

  fileprivate func note(_ message: OpaquePointer, isIncoming: Bool) {
    guard isIncoming else {
      guard g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL else {
        return
      }
      let serial = g_dbus_message_get_serial(message)
      return state.withLock { $0.last = serial }
    }
    let serial = g_dbus_message_get_reply_serial(message)
    let onReply = state.withLock { $0.givenUp.remove(serial) == nil ? nil : $0.onReply }
    guard let onReply else { return }
    onReply(tocsin_id_in(message))
  }
}

private func filterMessage(
  _ connection: OpaquePointer?,
  _ message: OpaquePointer?,
  _ isIncoming: gboolean,
  _ data: gpointer?
) -> OpaquePointer? {
  if let message, let data {
    Unmanaged<LateReplies>.fromOpaque(data).takeUnretainedValue()
      .note(message, isIncoming: isIncoming != 0)
  }
  return message
}

private func releaseLateReplies(_ data: gpointer?) {
  if let data { Unmanaged<LateReplies>.fromOpaque(data).release() }
}
