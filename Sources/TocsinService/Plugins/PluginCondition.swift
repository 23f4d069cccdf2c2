package import TocsinModel

/// What may be expected of a plugin, for whoever decides where an alert goes.
package enum PluginCondition: Hashable, Sendable {
  /// It is being started, or soon will be again.
  case starting
  /// It takes events, and is what it says.
  case ready(SinkReport.Ready)
  /// It will not come soon, and why: its program is missing, it refused, or it ends over and over.
  case failed(String)
  /// It was switched off by a person, or is not in plugins.conf any more.
  case off
}
