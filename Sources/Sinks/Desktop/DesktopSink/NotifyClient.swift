import CNotify

/// libnotify as one thread uses it: a connection to the bus, and the notifications that exist.
///
/// Made and ended with its thread; all but `giveUpConnecting` is called on that thread. A call may
/// block it for as long as D-Bus waits for an answer, 25 s.
final class NotifyClient: @unchecked Sendable {
  // Unchecked is safe because everything that changes is used on the loop's thread alone; the
  // cancellable never changes, and GLib lets any thread cancel it.

  private static let name = "org.freedesktop.Notifications"

  private let thread: LoopThread
  private let report: @Sendable (ServerEvent) -> Void
  private let cancellable = g_cancellable_new()
  private let late = LateReplies()
  private var connection: OpaquePointer?
  private var filter: guint = 0
  private var watch: guint = 0
  private var hasOwner = false
  private var shown: [Int: Notification] = [:]
  private var lastHandle = 0

  init(thread: LoopThread, report: @escaping @Sendable (ServerEvent) -> Void) {
    self.thread = thread
    self.report = report
  }

  deinit { g_object_unref(cancellable) }

  /// Ends the wait for a bus that does not let us in.
  func giveUpConnecting() { g_cancellable_cancel(cancellable) }

  func perform(_ call: ServerCall) {
    switch call {
    case .open: open()
    case .show(let handle, let popUp): show(popUp, as: handle)
    case .close(let handle): close(handle)
    }
  }

  /// Takes everything away and lets go of the bus.
  func end() {
    for notification in shown.values { notification.close() }
    disconnect()
  }

  // MARK: Calls

  private func open() {
    if let connection, g_dbus_connection_is_closed(connection) != 0 { disconnect() }
    if connection == nil, let problem = connect() { return report(.unavailable(reason: problem)) }
    guard let capabilities = Self.capabilities() else {
      late.giveUp()
      let problem = "no notification server answers on the session bus; start one, such as dunst"
      return report(.unavailable(reason: problem))
    }
    report(.opened(ServerFeatures(capabilities: capabilities)))
  }

  private func show(_ popUp: PopUp, as handle: Int) {
    // Closed or lost a moment ago: the sink will hear of it, and show it under a new handle.
    guard handle > lastHandle || shown[handle] != nil else { return report(.gone(handle: handle)) }
    lastHandle = max(lastHandle, handle)
    guard let notification = shown[handle] ?? Notification(handle, popUp, client: self) else {
      return report(.refused(handle: handle, reason: "libnotify cannot make a notification"))
    }
    shown[handle] = notification
    guard let failure = notification.show(popUp) else { return report(.shown(handle: handle)) }
    if notification.id == 0 { shown[handle] = nil }
    switch failure {
    case .refused(let reason): report(.refused(handle: handle, reason: reason))
    case .unanswered:
      late.giveUp()
      report(.unavailable(reason: "the notification server does not answer"))
    case .unreachable(let reason):
      report(.unavailable(reason: "the notification server cannot be reached: \(reason)"))
    }
  }

  private func close(_ handle: Int) {
    guard let notification = shown.removeValue(forKey: handle) else {
      return report(.gone(handle: handle))
    }
    guard case .unanswered = notification.close() else { return report(.gone(handle: handle)) }
    shown[handle] = notification
    late.giveUp()
    report(.unavailable(reason: "the notification server does not answer"))
  }

  private static func capabilities() -> Set<String>? {
    guard let list = notify_get_server_caps() else { return nil }
    var capabilities: Set<String> = []
    var item: UnsafeMutablePointer<GList>? = list
    while let node = item {
      if let text = node.pointee.data {
        capabilities.insert(String(cString: text.assumingMemoryBound(to: CChar.self)))
      }
      item = node.pointee.next
    }
    g_list_free_full(list, g_free)
    return capabilities
  }

  // MARK: The bus

  /// Connects to the session bus; what stands in the way, if something does.
  private func connect() -> String? {
    guard case .address(let address) = SessionBus.ofProcess() else {
      if case .missing(let problem) = SessionBus.ofProcess() { return problem }
      return nil
    }
    g_cancellable_reset(cancellable)
    var error: UnsafeMutablePointer<GError>?
    guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, cancellable, &error) else {
      let isLate = g_cancellable_is_cancelled(cancellable) != 0
      let reason = isLate ? "it does not answer" : Notification.text(error)
      g_clear_error(&error)
      return "the session bus at \(address) cannot be used: \(reason)"
    }
    connection = bus
    // Else GLib ends the process when the bus ends.
    g_dbus_connection_set_exit_on_close(bus, 0)
    let this = Unmanaged.passUnretained(self).toOpaque()
    tocsin_on_disconnected(bus, noteDisconnected, this)
    late.onReply = { [thread, weak self] id in
      guard let self else { return }
      thread.perform { self.cameLate(id) }
    }
    filter = late.attach(to: bus)
    watch = g_bus_watch_name_on_connection(
      bus,
      Self.name,
      G_BUS_NAME_WATCHER_FLAGS_NONE,
      noteOwner,
      noteNoOwner,
      this,
      nil
    )
    notify_init("Tocsin")
    return nil
  }

  private func disconnect() {
    guard let connection else { return }
    shown = [:]
    hasOwner = false
    g_bus_unwatch_name(watch)
    g_dbus_connection_remove_filter(connection, filter)
    g_signal_handlers_disconnect_matched(
      UnsafeMutableRawPointer(connection),
      G_SIGNAL_MATCH_DATA,
      0,
      0,
      nil,
      nil,
      Unmanaged.passUnretained(self).toOpaque()
    )
    // libnotify holds the connection too, and GLib gives out the same one until all let go of it.
    notify_uninit()
    g_object_unref(UnsafeMutableRawPointer(connection))
    self.connection = nil
  }

  /// An answer came that nobody waits for any more; with the id of a notification, if it bore one.
  private func cameLate(_ id: UInt32) {
    // Shown by a call that had been given up, it would stay for ever.
    if !shown.values.contains(where: { $0.id == id }) { takeAway(id) }
    report(.came)
  }

  /// Takes a notification away that is none of ours any more; nobody waits for that.
  private func takeAway(_ id: UInt32) {
    guard id != 0, let connection else { return }
    g_dbus_connection_call(
      connection,
      Self.name,
      "/org/freedesktop/Notifications",
      Self.name,
      "CloseNotification",
      tocsin_id_tuple(id),
      nil,
      G_DBUS_CALL_FLAGS_NO_AUTO_START,
      -1,
      nil,
      nil,
      nil
    )
  }

  // MARK: What happens by itself

  fileprivate func disconnected() {
    report(.left)
    disconnect()
  }

  fileprivate func ownerChanged(_ isThere: Bool) {
    if hasOwner {
      shown = [:]
      report(.left)
    }
    hasOwner = isThere
    if isThere { report(.came) }
  }

  func closed(_ handle: Int, _ reason: CInt) {
    // Let go of later: libnotify is still at work with it.
    let notification = shown.removeValue(forKey: handle)
    // A change that crossed the close has made it anew.
    if let notification, notification.wasChanged { takeAway(notification.id) }
    thread.perform { withExtendedLifetime(notification) {} }
    report(.closed(handle: handle, CloseReason(rawValue: Int(reason)) ?? .undefined))
  }

  func pressed(_ handle: Int, _ key: String) { report(.action(handle: handle, key: key)) }
}

private func noteDisconnected(
  _ connection: OpaquePointer?,
  _ remotePeerVanished: gboolean,
  _ error: UnsafeMutablePointer<GError>?,
  _ data: gpointer?
) {
  guard let data else { return }
  Unmanaged<NotifyClient>.fromOpaque(data).takeUnretainedValue().disconnected()
}

private func noteOwner(
  _ connection: OpaquePointer?,
  _ name: UnsafePointer<CChar>?,
  _ owner: UnsafePointer<CChar>?,
  _ data: gpointer?
) {
  guard let data else { return }
  Unmanaged<NotifyClient>.fromOpaque(data).takeUnretainedValue().ownerChanged(true)
}

private func noteNoOwner(
  _ connection: OpaquePointer?,
  _ name: UnsafePointer<CChar>?,
  _ data: gpointer?
) {
  guard let data else { return }
  Unmanaged<NotifyClient>.fromOpaque(data).takeUnretainedValue().ownerChanged(false)
}
