package import TocsinModel
package import TocsinTime

/// What happens to the engine.
package enum EngineEvent: Sendable {
  /// Somebody asks for a new alarm.
  case schedule(Alarm, source: String)
  /// Somebody replaces an alarm.
  case update(Alarm, source: String)
  /// Somebody acts on alarms; `application` is the program that does, nil for a person.
  case intent(Intent, source: String, application: String? = nil)
  /// A deadline may have been reached; always harmless.
  case tick
  /// The wall clock was set.
  case clockStepped
  /// The machine's time zone, or its rules, or those of a zone that alarms name, changed; the zone is the
  /// machine's as it is now, nil if there is no time zone data.
  case zoneChanged(Zone?)
  /// Whether the wall clock is synchronised or kept by a battery.
  case clockSynchronised(Bool)
  /// The records of an earlier run were restored.
  case started
  /// The store refused a new alarm, so it never was.
  case revoked(AlarmID)
}

/// What the engine wants done.
package indirect enum Effect: Sendable {
  /// Show, sound or update a presentation.
  case present(Presentation)
  /// End a presentation.
  case clear(SinkMessage.Cleared)
  /// Tell of an alarm that reached nobody.
  case miss(SinkMessage.Missed, RouteSubject)
  /// Hand a press to the program that scheduled the alarm.
  case secondary(SinkMessage.Secondary, RouteSubject)
  /// A person has answered: the alarm's program is to run its intent, which has no number yet.
  case owe(PendingIntent, title: String)
  /// Write the alarm's record.
  case save(AlarmRecord)
  /// Forget the alarm's record.
  case delete(AlarmID)
  /// Append to the history.
  case record(HistoryEntry)
  /// Answer whoever asked: done, and this is the alarm now (or was, if it is gone).
  case accept(AlarmStatus)
  /// Answer whoever asked: not done, and nothing changed.
  case reject(ServiceError)
}
