import TocsinModel
import TocsinTime

/// The version of the documents below: keys may be added under it, none taken away or changed.
let schemaVersion = 1

/// What `list`, `alarm`, `timer` and the actions print with `--json`.
struct AlarmsDocument: Encodable {
  var schema = schemaVersion
  var alarms: [AlarmStatus]
}

/// What `show` and `next` print with `--json`; `next` has null if nothing rings.
struct AlarmDocument: Encodable {
  var alarm: AlarmStatus?
  /// What became of it when it rang last, for `show`; nil if it never did, or rings now.
  var lastRing: [HistoryEntry]?

  private enum CodingKeys: String, CodingKey { case schema, alarm, lastRing }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schemaVersion, forKey: .schema)
    try container.encode(alarm, forKey: .alarm)
    try container.encodeIfPresent(lastRing, forKey: .lastRing)
  }
}

/// What `history` prints with `--json`.
struct HistoryDocument: Encodable {
  var schema = schemaVersion
  var history: [HistoryEntry]
}

/// What `sinks`, and `enable` and `disable` for sinks, print with `--json`.
struct SinksDocument: Encodable {
  var schema = schemaVersion
  var sinks: [SinkStatus]
}

/// What `silence` prints with `--json`: the silence that was made, or all that stand.
struct SilencesDocument: Encodable {
  var schema = schemaVersion
  var silences: [Silence]
}

/// What `route test` prints with `--json`.
struct RouteDocument: Encodable {
  var schema = schemaVersion
  var title: String
  /// The alarm that was asked about; absent for a made-up one.
  var alarm: AlarmID?
  var steps: [RouteStep]
}

/// What `status` prints with `--json`.
struct StatusDocument: Encodable {
  var schema = schemaVersion
  var status: ServiceStatus
}

/// What `when` prints with `--json`.
struct WhenDocument: Encodable {
  var schema = schemaVersion
  /// The text in the words of the command.
  var understood: String
  /// Whose clocks count.
  var zone: String
  var occurrences: [Occurrence]

  struct Occurrence: Encodable {
    /// The instant in UTC.
    var at: Instant
    /// The same with the local offset.
    var local: String
    /// The local date it belongs to.
    var date: String
    /// Why it is not the time that was said.
    var note: String?
  }
}

/// What `config check` prints with `--json`.
struct ConfigurationDocument: Encodable {
  var schema = schemaVersion
  var path: String
  var faults: [String]
}

/// What every command prints on standard output with `--json` when it fails.
struct ErrorDocument: Encodable {
  var schema = schemaVersion
  var error: Detail

  struct Detail: Encodable {
    var code: String
    var message: String
    var exit: Int32
  }

  init(_ failure: CommandFailure) {
    error = Detail(code: failure.code, message: failure.message, exit: failure.exit.rawValue)
  }
}
