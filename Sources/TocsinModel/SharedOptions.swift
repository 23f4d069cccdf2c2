/// Options in eight bytes: copies share them, and where every choice is open, as for most alarms, there are none.
package struct SharedOptions: Hashable, Sendable {
  /// Nil while every choice is open.
  package let chosen: Chosen?

  /// What was chosen, never changed.
  package final class Chosen: Sendable {
    package let options: AlarmOptions

    fileprivate init(_ options: AlarmOptions) { self.options = options }
  }

  /// Keeps what was chosen; nil leaves every choice open.
  package init(_ options: AlarmOptions? = nil) {
    chosen = options.flatMap { $0.isOpen ? nil : Chosen($0) }
  }

  /// The name of the program it belongs to; nil for a person's own.
  package var application: String? { chosen?.options.application }

  /// A copy of all of them; `chosen` is cheaper to ask for one.
  package var options: AlarmOptions { chosen?.options ?? AlarmOptions() }

  package static func == (one: SharedOptions, other: SharedOptions) -> Bool {
    one.chosen === other.chosen || one.options == other.options
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(options)
  }
}
