import SinkKit

/// The console's section of plugins.conf.
struct ConsoleSettings: Equatable {
  /// What is written.
  enum Format: String, CaseIterable { case text, json }
  /// Whether to do something that only some outputs can bear.
  enum Choice: String, CaseIterable { case auto, yes, no }

  var format: Format
  var bar: Choice
  var color: Choice
  var bell: Bool

  init(_ settings: SinkSettings) {
    format = settings.word("format", default: .text)
    bar = settings.word("bar", default: .auto)
    color = settings.word("color", default: .auto)
    bell = settings.flag("bell", default: true)
  }

  /// What is done on that output.
  ///
  /// A live line needs a terminal even if it is asked for: elsewhere it would be an endless log.
  func look(on terminal: ConsoleTerminal) -> ConsoleScreen.Look {
    guard format == .text else { return ConsoleScreen.Look() }
    return ConsoleScreen.Look(
      color: color == .yes
        || color == .auto && terminal.isTerminal && terminal.isCapable && !terminal.noColor,
      live: terminal.isTerminal && (bar == .yes || bar == .auto && terminal.isCapable),
      bell: terminal.isTerminal && bell
    )
  }
}
