import Glibc
import TocsinTime

/// What time texts, durations and zones mean: the command's only way to ask TocsinTime's readers.
struct TimeReading: Sendable {
  /// Finds zones by name and the machine's own.
  private(set) var finder: ZoneFinder

  /// Reads the machine's time zone database.
  init(environment: [String: String]) {
    finder = ZoneFinder(
      read: { try contents(of: $0, limit: 1 << 20) },
      environment: environment,
      localtimeTarget: { symbolicLink("/etc/localtime") }
    )
  }

  /// The same, for many texts: the names of zones are read once.
  func knowingNames() -> TimeReading {
    var reading = self
    reading.finder = finder.knowingNames()
    return reading
  }

  /// The zone of that name, or the machine's.
  func zone(named name: String? = nil) throws(CommandFailure) -> Zone {
    do {
      guard let name else { return try finder.system() }
      return try finder.zone(named: name)
    } catch {
      // A zone that was typed is the person's to put right, the machine's own is its setting.
      let exit = name == nil ? ExitCode.configuration : .timeText
      throw CommandFailure(exit, "zone", "\(error)")
    }
  }

  /// What the text says: a span, or one schedule for each clock in it.
  func meaning(of text: String, now: Instant, zone: Zone) throws(CommandFailure) -> TimeMeaning {
    do {
      return try TimeText.parse(text, now: now, zone: zone) { name throws(ZoneError) in
        try finder.zone(named: name)
      }
    } catch {
      throw CommandFailure(.timeText, error.reason == .past ? "past" : "time", "\(error)")
    }
  }

  /// The seconds that the text says: "10m", "1h30m", "1:30:00".
  func seconds(of text: String, allowingZero: Bool = false) throws(CommandFailure) -> Double {
    do {
      return try TimeText.duration(text, allowingZero: allowingZero).seconds
    } catch {
      throw .timeText("\(error)")
    }
  }
}

/// The moment it is, CLOCK_REALTIME.
func currentInstant() -> Instant {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
}
