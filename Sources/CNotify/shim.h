#ifndef CNOTIFY_SHIM_H
#define CNOTIFY_SHIM_H
#include <gio/gio.h>
#include <libnotify/notify.h>

// g_signal_connect is a macro, and G_CALLBACK casts away what the compiler should check.
static inline gulong tocsin_on_closed(NotifyNotification *notification,
                                      void (*callback)(NotifyNotification *, gpointer),
                                      gpointer data) {
  return g_signal_connect_data(notification, "closed", G_CALLBACK(callback), data, NULL, 0);
}

static inline gulong tocsin_on_disconnected(GDBusConnection *connection,
                                            void (*callback)(GDBusConnection *, gboolean, GError *,
                                                             gpointer),
                                            gpointer data) {
  return g_signal_connect_data(connection, "closed", G_CALLBACK(callback), data, NULL, 0);
}

// Macros that read an error's kind.
static inline gboolean tocsin_is_timeout(const GError *error) {
  return g_error_matches(error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY) ||
         g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_TIMEOUT);
}

static inline gboolean tocsin_is_refusal(const GError *error) {
  return g_dbus_error_is_remote_error(error) && !tocsin_is_timeout(error) &&
         !g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) &&
         !g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) &&
         !g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_DISCONNECTED);
}

// g_object_get is variadic. The id is the server's; 0 until it gave one.
static inline guint tocsin_id(NotifyNotification *notification) {
  gint id = 0;
  g_object_get(notification, "id", &id, NULL);
  return (guint)id;
}

// g_variant_new and g_variant_get are variadic.
static inline GVariant *tocsin_id_tuple(guint id) { return g_variant_new("(u)", id); }

// The id in an answer to Notify; 0 in any other message.
static inline guint tocsin_id_in(GDBusMessage *message) {
  guint id = 0;
  GVariant *body = g_dbus_message_get_body(message);
  if (body != NULL && g_variant_is_of_type(body, G_VARIANT_TYPE("(u)"))) {
    g_variant_get(body, "(u)", &id);
  }
  return id;
}

#endif
