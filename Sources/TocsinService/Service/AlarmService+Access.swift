import TocsinModel

/// Which programs may set alarms, as `[access]` in plugins.conf says it at the moment.
extension AlarmService {
  /// How many programs that have asked are remembered.
  private static let memory = 1_000

  /// Whether a program may set alarms.
  func access(of application: String) -> Access {
    options.configuration.access.access(
      of: application,
      hasAsked: programsThatAsked.contains(application)
    )
  }

  /// Says whether a program may set alarms, as it wants to; to have asked may be all it takes.
  func authorize(_ client: ControlClient, _ reply: WaitingReply) {
    guard let application = client.membership?.application else {
      return refuse(reply, ServiceError(.wrongState, "only a program that has joined may ask that"))
    }
    ask(for: application)
    finish(reply, Reply.Outcome(access: access(of: application)))
  }

  /// Lets a program set an alarm, which is also a way to ask for it.
  func admit(_ application: String) throws(ServiceError) {
    ask(for: application)
    guard access(of: application) == .authorized else {
      throw options.configuration.access.refusal(of: application)
    }
  }

  private func ask(for application: String) {
    guard access(of: application) == .notDetermined else { return }
    if programsThatAsked.count == Self.memory { programsThatAsked.removeFirst() }
    programsThatAsked.append(application)
    tellAccess()
  }

  /// Tells each program that has joined what is otherwise than it was last told.
  func tellAccess() {
    guard let control else { return }
    for client in control.clients.values {
      guard let application = client.membership?.application else { continue }
      let access = access(of: application)
      guard access != client.access else { continue }
      client.access = access
      if let line = try? JSONLine.encode(ApplicationMessage.authorization(access)) {
        client.send(line)
      }
    }
  }
}
