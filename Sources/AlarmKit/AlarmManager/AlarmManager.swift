/// A program's alarms.
public final class AlarmManager: Sendable {}
