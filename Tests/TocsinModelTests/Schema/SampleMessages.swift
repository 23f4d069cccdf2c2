import TocsinModel
import TocsinTime

// The lines between the daemon and its sinks.
extension SampleLines {
  static let messages: [SinkMessage] = {
    var notice = SinkMessage.Notice(seq: 9, level: .critical, text: "nobody confirmed it")
    notice.occurrence = occurrence
    notice.alarm = alarmID
    notice.title = "Tea"
    var messages: [SinkMessage] = [
      .hello(SinkMessage.Hello(sink: "lamp", settings: ["bus": "1"])),
      .sync([]), .sync(presentations),
      .secondary(SinkMessage.Secondary(seq: 8, occurrence: occurrence, source: "lamp")),
      .notice(notice), .ping, .bye,
    ]
    messages += presentations.map { .present($0) }
    messages += ClearReason.allCases.filter { $0 != .other }.map { reason in
      .cleared(
        SinkMessage.Cleared(
          seq: 8,
          occurrence: occurrence,
          title: "Tea",
          reason: reason,
          source: reason == .stopped ? "lamp" : nil
        )
      )
    }
    messages += MissedReason.allCases.map { reason in
      .missed(
        SinkMessage.Missed(
          seq: 8,
          occurrence: occurrence,
          title: "Tea",
          due: time,
          reason: reason
        )
      )
    }
    messages += SinkMessage.Notice.Level.allCases.map { level in
      .notice(SinkMessage.Notice(seq: 9, level: level, text: "the silence is over"))
    }
    messages += receipts.map {
      .receipt(SinkMessage.Receipt(seq: 7, occurrence: occurrence, receipt: $0))
    }
    return messages
  }()

  /// The type that stands in a message's line; nil for one that this version does not know.
  static func type(of message: SinkMessage) -> String? {
    switch message {
    case .hello: "hello"
    case .sync: "sync"
    case .present(let presentation): presentation.type
    case .cleared: "cleared"
    case .missed: "missed"
    case .secondary: "secondary"
    case .notice: "notice"
    case .receipt: "receipt"
    case .ping: "ping"
    case .bye: "bye"
    case .unknown: nil
    }
  }

  static let intents: [Intent] =
    AlarmAction.allCases.map { Intent($0, .only) } + [
      Intent(.stop, .occurrence(occurrence)), Intent(.snooze, .alerting, duration: 300),
      Intent(.cancel, .all), Intent(.extend, .named("Tea"), duration: -60),
      Intent(.skip, .named("Wake up"), undo: true),
    ]

  static let reports: [SinkReport] =
    readies.map { .ready($0) } + intents.map { .intent($0) } + [
      .presented(seq: 7),
      .failed(SinkReport.Failed(seq: 7, reason: "no such device")),
      .failed(SinkReport.Failed(seq: 7, reason: "no such device", retry: true)),
      .log(SinkReport.Log(message: "hello")),
      .log(SinkReport.Log(level: "warning", message: "hello")),
      .pong,
    ]

  /// The type that stands in a report's line; nil for one that this version does not know.
  static func type(of report: SinkReport) -> String? {
    switch report {
    case .ready: "ready"
    case .presented: "presented"
    case .failed: "failed"
    case .intent: "intent"
    case .log: "log"
    case .pong: "pong"
    case .unknown: nil
    }
  }
}
