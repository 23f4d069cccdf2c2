import TocsinEngine
import TocsinModel

/// Programs that join: their connections are about their own alarms only.
extension AlarmService {
  /// Makes a connection a program's own.
  func join(_ join: Join, _ client: ControlClient, _ reply: WaitingReply) {
    if let flaw = join.flaw { return refuse(reply, flaw) }
    let before = client.membership
    if let before, before.application != join.application {
      let message =
        "this connection is \(before.application)'s already: connect anew for another program"
      return refuse(reply, ServiceError(.wrongState, message))
    }
    guard before != nil || !client.isSubscribed else {
      let message = "join comes before subscribe: connect anew"
      return refuse(reply, ServiceError(.wrongState, message))
    }
    client.membership = join
    if join.follow {
      followers.add(client.id, of: join.application) {
        table.identities(Request.ListFilter(application: join.application))
      }
    } else {
      followers.remove(client.id)
    }
    let access = access(of: join.application)
    client.access = access
    finish(reply, Reply.Outcome(access: access))
    if join.perform {
      offerIntents(to: client)
    } else if before?.perform == true {
      takeIntentsBack(from: client)
    }
  }

  // MARK: - Its own alarms

  /// What a request means on this connection.
  ///
  /// To a program there are no alarms but its own. Whose an alarm is, is said by joining and by nothing
  /// that stands in a request, and it stays so.
  ///
  /// - Parameters:
  ///   - body: the request as it came.
  ///   - client: who asks.
  /// - Returns: the request as it is to be carried out.
  /// - Throws: `notFound` for an alarm that is not the program's, `invalid` if it does not name
  ///   one, `permission` for a program that may not set any.
  func scoped(
    _ body: Request.Body,
    for client: ControlClient
  ) throws(ServiceError) -> Request.Body {
    let application = client.membership?.application
    switch body {
    case .schedule(var alarm):
      if let application { try admit(application) }
      alarm.options.application = application
      return .schedule(alarm)
    case .update(var alarm):
      if let application {
        try check(alarm.id, belongsTo: application)
        try admit(application)
      }
      alarm.options.application = table.application(of: alarm.id)
      return .update(alarm)
    default: break
    }
    guard let application else { return body }
    switch body {
    case .intent(let intent): try check(intent, from: application)
    case .show(let name): try check(name, belongsTo: application)
    case .route(let question):
      if let name = question.alarm { try check(name, belongsTo: application) }
    case .list(var filter):
      filter.application = application
      return .list(filter)
    case .history(var filter):
      filter.application = application
      return .history(filter)
    default: break
    }
    return body
  }

  /// Refuses what a program asks of alarms that are not its own.
  func check(_ intent: Intent, from application: String) throws(ServiceError) {
    switch intent.target {
    case .occurrence(let id):
      // Of one that is over the alarm may be gone too.
      if table.contains(id.alarm) { try check(id.alarm, belongsTo: application) }
    case .named(let name): try check(name, belongsTo: application)
    case .alerting, .all, .only: throw .needsIdentity
    }
  }

  private func check(_ name: String, belongsTo application: String) throws(ServiceError) {
    guard let id = AlarmID(name) else { throw .needsIdentity }
    try check(id, belongsTo: application)
  }

  private func check(_ id: AlarmID, belongsTo application: String) throws(ServiceError) {
    guard table.application(of: id) == application else {
      throw ServiceError(.notFound, "\(application) has no alarm \(id)")
    }
  }
}

extension ServiceError {
  fileprivate static let needsIdentity = ServiceError(
    .invalid,
    "a program names one of its alarms, by its whole UUID or an occurrence of it"
  )
}

extension Join {
  /// What makes this a name that no program can have; nil if nothing does.
  fileprivate var flaw: ServiceError? {
    guard (1...Self.nameLimit).contains(application.utf8.count) else {
      return ServiceError(.invalid, "a program's name has 1 to \(Self.nameLimit) bytes")
    }
    guard application.printable == application else {
      return ServiceError(.invalid, "a program's name holds no control characters")
    }
    return nil
  }
}

extension ControlClient {
  /// The name history knows it by.
  var source: String { membership?.application ?? name }
}
