import TocsinClient
import TocsinModel
import TocsinTime

/// `tocsin watch`: what happens, as it happens, until it is interrupted.
func runWatch(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let connection = try session.connect()
  let zone = try session.time.zone()
  try connection.ask(.subscribe)
  while true {
    let incoming: Incoming?
    do {
      incoming = try connection.receive(within: .seconds(3_600))
    } catch {
      throw CommandFailure(error)
    }
    guard case .event(let message) = incoming else { continue }
    switch message {
    case .hello, .ping, .unknown:
      continue
    case .bye:
      session.warn("the daemon at \(connection.path) ends")
      return .unavailable
    case .sync, .present, .cleared, .missed, .secondary:
      if session.json {
        try session.print(document: message)
      } else if let line = EventText.line(message, zone: zone, session: session) {
        session.say(line)
      }
    }
  }
}
