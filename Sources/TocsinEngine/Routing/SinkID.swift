package import TocsinModel

/// One that presents: a plugin of plugins.conf, or a client that joined by itself.
package struct SinkID: Hashable, Sendable {
  /// What routes, receipts and the log call it.
  package var name: String
  /// Which of the connected clients it is; nil for a plugin.
  package var client: UInt64?

  package init(_ name: String, client: UInt64? = nil) {
    self.name = name
    self.client = client
  }
}

/// How one that presents does, as far as it matters to who is asked.
package enum SinkCondition: Hashable, Sendable {
  /// It is not there yet, or not at the moment.
  case starting
  /// It takes events.
  case ready(SinkReport.Ready)
  /// It will not come soon, and why.
  case failed(String)
}

/// What the router knows of a sink.
struct KnownSink: Hashable, Sendable {
  var condition: SinkCondition
  /// What it last said of itself; nil before it ever did.
  var ready: SinkReport.Ready?
  /// How long it may take to confirm an alert, in microseconds.
  var timeout: Int64
  /// The program whose alarms are all it presents; nil for those that present anybody's.
  var scope: String?

  /// Whether it, or one of these parts, would be heard; nil if it has not said so yet.
  func isAudible(_ parts: [String]?) -> Bool? {
    guard let ready else { return nil }
    guard let parts else { return ready.audible }
    return (ready.parts ?? []).contains { parts.contains($0.name) && $0.audible }
  }

  /// Whether it presents the alarms of a program, or with nil those of nobody in particular.
  func serves(_ application: String?) -> Bool { scope == nil || scope == application }

  /// Whether it wants events of this kind, as far as is known.
  func wants(_ event: String) -> Bool { ready?.events?.contains(event) ?? true }

  /// Whether it has a part of this name, as far as is known.
  func mayHave(_ part: String) -> Bool {
    guard let ready else { return true }
    return (ready.parts ?? []).contains { $0.name == part }
  }
}
