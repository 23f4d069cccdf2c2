import TocsinModel
import TocsinTime

// The lines between clients and the daemon.
extension SampleLines {
  static let requests: [Request] = {
    var question = RouteQuestion()
    question.alarm = "Tea"
    question.title = "Wake up"
    question.at = time
    question.kind = .timer
    question.labels = ["work"]
    question.priority = 5
    question.sound = "none"
    var bodies: [Request.Body] = [
      .list(Request.ListFilter()),
      .list(Request.ListFilter(state: .paused, limit: 3, application: "kitchen")),
      .show("Tea"), .next, .history(Request.HistoryFilter()),
      .history(
        Request.HistoryFilter(
          alarm: alarmID,
          events: HistoryEntry.Event.allCases,
          limit: 5,
          application: "kitchen"
        )
      ),
      .sinks, .sink(name: "bedside", isEnabled: true), .sink(name: "bedside", isEnabled: false),
      .route(RouteQuestion()), .route(question), .silence(match: "label:work", seconds: 7_200),
      .silences, .unsilence(number: 1), .unsilence(number: nil), .subscribe, .reload, .status,
      .backup(path: "/var/backups/tocsin.db"),
      .join(Join(application: "kitchen", follow: true, perform: true)), .authorize,
      .performed(number: 7, failure: nil), .performed(number: 7, failure: "no kettle"),
    ]
    bodies += alarms.map { .schedule($0) }
    bodies += alarms.map { .update($0) }
    bodies += intents.map { .intent($0) }
    return bodies.map { Request(id: "1", $0) }
  }()

  /// The type that stands in a request's line.
  static func type(of request: Request) -> String {
    switch request.body {
    case .schedule: "schedule"
    case .update: "update"
    case .intent(let intent): intent.action.rawValue
    case .list: "list"
    case .show: "show"
    case .next: "next"
    case .history: "history"
    case .sinks: "sinks"
    case .sink(_, let isEnabled): isEnabled ? "enableSink" : "disableSink"
    case .route: "route"
    case .silence: "silence"
    case .silences: "silences"
    case .unsilence: "unsilence"
    case .subscribe: "subscribe"
    case .reload: "reload"
    case .status: "status"
    case .backup: "backup"
    case .join: "join"
    case .authorize: "authorize"
    case .performed: "performed"
    }
  }

  static let replies: [Reply] = {
    var replies: [Reply] = serviceStatuses.map { .ok(id: "1", Reply.Outcome(status: $0)) }
    replies += [
      .ok(id: "1", Reply.Outcome()),
      .ok(id: "1", Reply.Outcome(count: 2, warning: "one of them was over")),
    ]
    replies += Access.allCases.map { .ok(id: "1", Reply.Outcome(access: $0)) }
    replies += ServiceError.Code.allCases.map { .error(id: "1", ServiceError($0, "no")) }
    replies += statuses.map { .alarm(id: "1", $0) }
    replies += entries.map { .entry(id: "1", $0) }
    replies += sinks.map { .sink(id: "1", $0) }
    replies += RouteStep.Kind.allCases.map { kind in
      let limit = kind == .alert ? 0.4 : nil
      let step = RouteStep(
        at: time,
        kind: kind,
        sinks: ["bedside.led"],
        volumeLimit: limit,
        why: "route wakeup"
      )
      return .step(id: "1", step)
    }
    replies.append(.silence(id: "1", silence))
    return replies
  }()

  /// The type that stands in a reply's line.
  static func type(of reply: Reply) -> String {
    switch reply {
    case .ok: "ok"
    case .error: "error"
    case .alarm: "alarm"
    case .entry: "entry"
    case .sink: "sink"
    case .step: "step"
    case .silence: "silence"
    }
  }

  private static let entries: [HistoryEntry] =
    HistoryEntry.Event.allCases.map {
      HistoryEntry(at: time, alarm: alarmID, occurrence: nil, title: "Tea", event: $0)
    } + [
      HistoryEntry(
        at: time,
        alarm: alarmID,
        occurrence: occurrence,
        application: "kitchen",
        title: "Tea",
        event: .failed,
        due: time,
        source: "speaker",
        detail: "no such device"
      )
    ]

  private static let sinks = [
    SinkStatus(
      sink: "lamp",
      state: "starting",
      pid: nil,
      ready: nil,
      restarts: 0,
      dropped: 0,
      reason: nil
    ),
    SinkStatus(
      sink: "bedside",
      state: "ready",
      pid: 812,
      ready: readies[1],
      restarts: 2,
      dropped: 1,
      reason: "it ended with 1"
    ),
  ]

  private static let serviceStatuses: [ServiceStatus] = [false, true].map { isFull in
    var status = ServiceStatus(
      version: "1",
      pid: 811,
      alarms: 3,
      alerting: 1,
      limit: 1_000,
      next: isFull ? time : nil,
      zone: isFull ? "Europe/Paris" : nil,
      clockTrusted: true,
      wakesFromSuspend: false,
      store: isFull ? "/var/lib/tocsin/tocsin.db" : nil,
      warnings: isFull ? ["the clock is not set"] : []
    )
    if isFull { (status.silences, status.unheard, status.embedded) = ([silence], 1, true) }
    return status
  }
}
