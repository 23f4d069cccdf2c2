import TocsinModel

extension HookState.Job {
  /// The event of a message with its encoding; nil if no program can be run on it.
  init?(_ message: SinkMessage, line: [UInt8]) {
    switch message {
    case .present(let presentation):
      switch presentation.state {
      case .alerting: self.init(.alert, presentation.seq, presentation.occurrence, line)
      case .countdown: self.init(.countdown, presentation.seq, presentation.occurrence, line)
      case .paused: self.init(.paused, presentation.seq, presentation.occurrence, line)
      case .scheduled: return nil
      }
      fired = presentation.fired
      isResumed = presentation.resumed == true
      set("TITLE", presentation.title)
      set("KIND", presentation.kind.rawValue)
      set("STATE", presentation.state.rawValue)
      set("DUE", presentation.due.description)
      set("LABELS", (presentation.options.labels ?? []).joined(separator: ","))
    case .cleared(let cleared):
      self.init(.cleared, cleared.seq, cleared.occurrence, line)
      set("TITLE", cleared.title)
      set("REASON", cleared.reason.rawValue)
      if let source = cleared.source { set("SOURCE", source) }
    case .missed(let missed):
      self.init(.missed, missed.seq, missed.occurrence, line)
      set("TITLE", missed.title)
      set("DUE", missed.due.description)
      set("REASON", missed.reason.rawValue)
    case .notice(let notice):
      self.init(.notice, notice.seq, notice.occurrence, line)
      set("LEVEL", notice.level.rawValue)
      set("TEXT", notice.text)
      if let title = notice.title { set("TITLE", title) }
    case .secondary, .hello, .sync, .ping, .bye, .receipt, .unknown:
      return nil
    }
  }

  private init(
    _ event: HookSettings.Event,
    _ seq: UInt64,
    _ occurrence: OccurrenceID?,
    _ line: [UInt8]
  ) {
    self.init(event: event, seq: seq, occurrence: occurrence)
    self.line = line
    set("EVENT", event.rawValue)
    set("SEQ", "\(seq)")
    if let occurrence {
      set("OCCURRENCE", occurrence.description)
      set("ALARM", occurrence.alarm.description)
    }
  }

  private mutating func set(_ name: String, _ value: String) {
    // A variable ends at its first zero; a title may have one.
    let scalars = value.unicodeScalars.filter { $0 != "\0" }
    variables["TOCSIN_\(name)"] = String(String.UnicodeScalarView(scalars))
  }
}
