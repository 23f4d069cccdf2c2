import CNotify

/// One NotifyNotification; used on the loop's thread alone.
final class Notification: @unchecked Sendable {
  // Unchecked is safe because it crosses threads only as something that a job on the loop's thread
  // lets go of.

  /// Why the server did not do as asked.
  enum Failure {
    /// It answered with an error.
    case refused(String)
    /// It did not answer in time.
    case unanswered
    /// There is no server, or no bus.
    case unreachable(String)
  }

  private let handle: Int
  private let notification: UnsafeMutablePointer<NotifyNotification>
  private unowned let client: NotifyClient
  /// Whether it was changed since it was first shown.
  private(set) var wasChanged = false

  init?(_ handle: Int, _ popUp: PopUp, client: NotifyClient) {
    guard let made = notify_notification_new(popUp.summary, popUp.body, popUp.icon) else {
      return nil
    }
    self.handle = handle
    self.client = client
    notification = made
    tocsin_on_closed(made, noteClosed, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    g_signal_handlers_disconnect_matched(
      notification,
      G_SIGNAL_MATCH_DATA,
      0,
      0,
      nil,
      nil,
      Unmanaged.passUnretained(self).toOpaque()
    )
    notify_notification_clear_actions(notification)
    g_object_unref(notification)
  }

  /// The server's id; 0 before it gave one and after it closed the notification.
  var id: UInt32 { tocsin_id(notification) }

  /// Shows it as it is to be now.
  func show(_ popUp: PopUp) -> Failure? {
    wasChanged = id != 0
    notify_notification_update(notification, popUp.summary, popUp.body, popUp.icon)
    let timeout = popUp.expires ? NOTIFY_EXPIRES_DEFAULT : NOTIFY_EXPIRES_NEVER
    notify_notification_set_timeout(notification, timeout)
    notify_notification_set_urgency(notification, popUp.urgency.value)
    notify_notification_set_category(notification, popUp.category)
    set("desktop-entry", g_variant_new_string("tocsin"))
    set("suppress-sound", g_variant_new_boolean(1))
    set("resident", popUp.actions.isEmpty ? nil : g_variant_new_boolean(1))
    set("transient", popUp.isTransient ? g_variant_new_boolean(1) : nil)
    set("value", popUp.progress.map { g_variant_new_int32(gint($0)) } ?? nil)
    notify_notification_clear_actions(notification)
    for action in popUp.actions {
      notify_notification_add_action(
        notification,
        action.key,
        action.label,
        notePressed,
        Unmanaged.passUnretained(self).toOpaque(),
        nil
      )
    }
    var error: UnsafeMutablePointer<GError>?
    defer { g_clear_error(&error) }
    return notify_notification_show(notification, &error) != 0 ? nil : Self.failure(error)
  }

  /// Takes it away.
  @discardableResult
  func close() -> Failure? {
    var error: UnsafeMutablePointer<GError>?
    defer { g_clear_error(&error) }
    return notify_notification_close(notification, &error) != 0 ? nil : Self.failure(error)
  }

  private func set(_ hint: String, _ value: OpaquePointer?) {
    notify_notification_set_hint(notification, hint, value)
  }

  private static func failure(_ error: UnsafeMutablePointer<GError>?) -> Failure {
    if tocsin_is_timeout(error) != 0 { return .unanswered }
    let isRefusal = tocsin_is_refusal(error) != 0
    if let error { g_dbus_error_strip_remote_error(error) }
    return isRefusal ? .refused(text(error)) : .unreachable(text(error))
  }

  /// What an error says.
  static func text(_ error: UnsafeMutablePointer<GError>?) -> String {
    error.flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "unknown error"
  }

  fileprivate func closed() {
    client.closed(handle, notify_notification_get_closed_reason(notification))
  }

  fileprivate func pressed(_ key: String) { client.pressed(handle, key) }
}

extension PopUp.Urgency {
  fileprivate var value: NotifyUrgency {
    switch self {
    case .low: NOTIFY_URGENCY_LOW
    case .normal: NOTIFY_URGENCY_NORMAL
    case .critical: NOTIFY_URGENCY_CRITICAL
    }
  }
}

private func noteClosed(
  _ notification: UnsafeMutablePointer<NotifyNotification>?,
  _ data: gpointer?
) {
  guard let data else { return }
  Unmanaged<Notification>.fromOpaque(data).takeUnretainedValue().closed()
}

private func notePressed(
  _ notification: UnsafeMutablePointer<NotifyNotification>?,
  _ key: UnsafeMutablePointer<CChar>?,
  _ data: gpointer?
) {
  guard let data, let key else { return }
  Unmanaged<Notification>.fromOpaque(data).takeUnretainedValue().pressed(String(cString: key))
}
