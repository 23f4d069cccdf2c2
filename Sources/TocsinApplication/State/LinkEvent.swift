import TocsinModel
import TocsinTime

/// What a line to the alarms is told: by the program, by the connection, by the clock.
enum LinkEvent: Sendable {
  /// The program asks. Nothing to ask for means: until the alarms are known. Without a limit who asks sees to
  /// the time itself.
  case asked(call: Int, Request.Body?, within: Duration?)
  /// Somebody reads updates from now on.
  case reads(reader: Int, LinkReader)
  /// Nobody does any more.
  case readNoMore(reader: Int)
  /// The program runs intents from now on.
  case performs
  /// An intent has run; `failure` is what it threw, in words.
  case ran(number: UInt64, failure: String?)
  /// There is a connection.
  case reached(LinkWay)
  /// There is none, and why.
  case unreachable(LinkObstacle)
  /// There is no connection any more, and why.
  case lost(String)
  /// A line of an answer came.
  case reply(Reply)
  /// A line about the program's own alarms came.
  case message(ApplicationMessage)
  /// A request could not even be written down.
  case unsendable(request: String, ServiceError)
  /// Something may be due.
  case time
  /// The program leaves.
  case closed
}

/// What is to be done for a line to the alarms, in this order.
enum LinkEffect: Sendable {
  /// Look for a service there; `reached` or `unreachable` follows.
  case reach(LinkWay)
  /// Send a request.
  case send(request: String, Request.Body)
  /// Let go of the connection; `lost` does not follow.
  case disconnect
  /// The program has its answer.
  case finish(call: Int, Result<ApplicationAnswer, ApplicationError>)
  /// Somebody reads all alarms from now on; first these, if they are known.
  case admitAlarms(reader: Int, [AlarmStatus]?)
  /// Somebody reads whether the program may set alarms from now on; first this, if it is known.
  case admitAccess(reader: Int, Access?)
  /// All who read alarms get these.
  case alarms([AlarmStatus])
  /// All who read whether the program may set alarms get this.
  case access(Access)
  /// Run an intent; `ran` follows.
  case run(PendingIntent)
  /// Let go of everything.
  case end
}

/// A moment by the clock that is never set, in microseconds.
typealias LinkMoment = Int64

extension LinkMoment {
  /// So much later; a limit beyond all bounds is none, but the sum must be a number.
  func after(_ limit: Duration) -> LinkMoment {
    self + Swift.min(Swift.max(0, limit.microseconds), 1 << 61)
  }
}

/// What somebody reads.
enum LinkReader: Sendable { case alarms, access }

/// Where a service can be.
enum LinkWay: Hashable, Sendable {
  /// At a socket, with a daemon or inside another program.
  case socket
  /// In this process.
  case own
}

/// What keeps a program from a service.
struct LinkObstacle: Hashable, Sendable {
  /// Whether it goes by itself.
  enum Kind: Hashable, Sendable {
    /// Nobody is there.
    case nobody
    /// Somebody is in the way who will not be for long.
    case passing
    /// It stays until a person does something.
    case lasting
  }

  var kind: Kind
  /// One sentence for a person.
  var text: String

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
