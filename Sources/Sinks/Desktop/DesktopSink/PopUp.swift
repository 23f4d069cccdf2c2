import SinkKit

/// One notification as the server is given it.
///
/// Source: the Desktop Notifications Specification, specifications.freedesktop.org.
struct PopUp: Hashable, Sendable {
  /// How urgent it is, in the specification's words.
  enum Urgency: Sendable { case low, normal, critical }

  /// A button, or what a click on the text does.
  struct Action: Hashable, Sendable {
    /// What the server names when it is pressed.
    var key: String
    /// What stands on it.
    var label: String
  }

  /// The key that the specification reserves for a click on the text.
  static let clickKey = "default"

  /// One line, never empty, never markup.
  var summary: String
  /// Lines, escaped if the server reads markup in them; may be empty.
  var body = ""
  /// An icon's name or a file.
  var icon = ""
  var urgency = Urgency.normal
  /// Ours begin with `x-tocsin.`.
  var category: String
  /// Whether the server takes it away after a while, as it does with others of its urgency.
  var expires = false
  /// Whether it has no place in a list of past notifications.
  var isTransient = false
  /// How much of a countdown is over, 0...100; nil without bar.
  var progress: Int?
  /// In the order in which they are to be shown.
  var actions: [Action] = []
}
