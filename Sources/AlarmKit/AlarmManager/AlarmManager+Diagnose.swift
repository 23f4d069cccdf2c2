import TocsinModel

/// Beyond Apple's: why an alarm might not be heard, before it matters.
extension AlarmManager {
  /// Looks for everything that could keep this program's alarms from ringing, and from being heard.
  ///
  /// - Returns: what was found, the worst first; nothing if all is well.
  public func diagnose() async -> [AlarmDiagnosis] {
    var found: [AlarmDiagnosis] = []
    do {
      let status = try await ask(.status).outcome.status
      found += diagnosis(of: link.access)
      if let status { found += diagnosis(of: status) }
      found += diagnosis(of: try await ask(.sinks).sinks)
    } catch let failure as Failure {
      found.append(AlarmDiagnosis(.noService, failure.message, remedy: failure.remedy))
    } catch {
      found.append(AlarmDiagnosis(.noService, "\(error)", remedy: "ask again"))
    }
    return found.sorted { $0.severity > $1.severity }
  }

  private func diagnosis(of access: Access) -> [AlarmDiagnosis] {
    switch access {
    case .authorized: []
    case .denied:
      [
        AlarmDiagnosis(
          .notAuthorized,
          "plugins.conf does not allow alarms of \(application)",
          remedy: "name it under allow in the section [access], then reload the daemon"
        )
      ]
    case .notDetermined:
      [
        AlarmDiagnosis(
          .notAsked,
          "\(application) has not asked yet whether it may set alarms",
          remedy: "call requestAuthorization(), or schedule an alarm"
        )
      ]
    }
  }

  private func diagnosis(of status: ServiceStatus) -> [AlarmDiagnosis] {
    var found: [AlarmDiagnosis] = []
    func note(_ kind: AlarmDiagnosis.Kind, _ text: String, _ remedy: String) {
      found.append(AlarmDiagnosis(kind, text, remedy: remedy))
    }
    if status.embedded == true {
      note(.embedded, "alarms ring only while a program with them runs", "start tocsind")
    }
    if status.store == nil {
      note(
        .inMemory,
        "alarms are kept in memory and lost when the service ends",
        "start the service with a store"
      )
    }
    if !status.clockTrusted {
      note(
        .clockNotTrusted,
        "the clock has not been set since the machine started, so alarms on it wait",
        "wait for time synchronisation, or set the clock"
      )
    }
    if status.zone == nil {
      note(.noTimeZone, "there is no time zone data for local times", "install the package tzdata")
    }
    if status.alarms >= status.limit {
      note(
        .limitReached,
        "there are \(status.alarms) alarms, as many as may be",
        "cancel one, or raise alarm-limit in plugins.conf"
      )
    }
    if let unheard = status.unheard, unheard > 0 {
      note(
        .unheard,
        unheard == 1
          ? "an alarm rings that nobody has confirmed"
          : "\(unheard) alarms ring that nobody has confirmed",
        "see which sink fails with tocsin sinks"
      )
    }
    for silence in status.silences ?? [] {
      note(
        .silenced,
        "a silence stands for \(silence.match)",
        "end it with tocsin unsilence \(silence.number)"
      )
    }
    for warning in status.warnings {
      note(.warning, warning, "see tocsin status")
    }
    return found
  }

  private func diagnosis(of sinks: [SinkStatus]) -> [AlarmDiagnosis] {
    var found = sinks.filter(\.isBroken).map { sink in
      AlarmDiagnosis(
        .sinkFails,
        "the sink \(sink.sink) does not present: \(sink.reason ?? "it is \(sink.state)")",
        remedy: "mend it as it says, or see tocsin sinks"
      )
    }
    if !sinks.contains(where: \.isHeard) {
      found.append(
        AlarmDiagnosis(
          .noAudibleSink,
          "there is no sink that a person asleep would hear",
          remedy: "give plugins.conf one that sounds, such as tocsin-alsa, and see that it works"
        )
      )
    }
    return found
  }
}

/// Something that could keep alarms from ringing, or from being heard.
public struct AlarmDiagnosis: Equatable, Sendable, CustomStringConvertible {
  /// What kind of thing it is.
  public var kind: Kind
  /// What was found, in one sentence without a full stop.
  public var message: String
  /// What to do about it, in one sentence without a full stop.
  public var remedy: String

  /// How much it matters.
  public var severity: Severity { kind.severity }

  /// What was found, and what to do about it.
  public var description: String { "\(message): \(remedy)" }

  /// The kinds of thing that are looked for.
  public enum Kind: String, Sendable, CaseIterable {
    /// Nothing that keeps alarms answers.
    case noService
    /// The program may not set alarms.
    case notAuthorized
    /// There are as many alarms as may be.
    case limitReached
    /// Nobody asleep would hear an alarm.
    case noAudibleSink
    /// An alarm rings now and nobody has confirmed it.
    case unheard
    /// Alarms on the wall clock wait until the clock is right.
    case clockNotTrusted
    /// There are no local times.
    case noTimeZone
    /// A sink does not do its work.
    case sinkFails
    /// Some alarms are silenced for a while.
    case silenced
    /// Alarms ring only while the program runs.
    case embedded
    /// Alarms are not kept on a disk.
    case inMemory
    /// Something else that the service warns of.
    case warning
    /// The program has not asked whether it may set alarms.
    case notAsked

    fileprivate var severity: Severity {
      switch self {
      case .noService, .notAuthorized, .limitReached, .noAudibleSink, .unheard: .problem
      case .clockNotTrusted, .noTimeZone, .sinkFails, .silenced, .warning: .warning
      case .embedded, .inMemory, .notAsked: .note
      }
    }
  }

  /// How much something matters.
  public enum Severity: Int, Comparable, Sendable, CaseIterable {
    /// Good to know.
    case note
    /// Some alarms may not ring or not be heard.
    case warning
    /// No alarm will ring or be heard.
    case problem

    /// Whether the left one matters less.
    public static func < (left: Severity, right: Severity) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  init(_ kind: Kind, _ message: String, remedy: String) {
    self.kind = kind
    self.message = message
    self.remedy = remedy
  }
}

extension SinkStatus {
  private var works: Bool { state == "ready" || state == "attached" }

  fileprivate var isBroken: Bool { state == "failed" || state == "waiting" }

  fileprivate var isHeard: Bool {
    guard works, let ready else { return false }
    return ready.audible || (ready.parts ?? []).contains(where: \.audible)
  }
}
