import TocsinClient
import TocsinModel

/// What the command tells the shell; the numbers from 64 on are those of sysexits.h.
enum ExitCode: Int32, Sendable, CaseIterable {
  /// Done; for what was followed: it rang and was stopped.
  case success = 0
  /// No such alarm, several that fit, or one in the wrong state; or a plugin that failed a check.
  case noSuchAlarm = 1
  /// What was followed was cancelled or disabled.
  case cancelled = 3
  /// What was followed was missed, or nobody answered it.
  case missed = 4
  /// An alarm rings and no sink has confirmed it.
  case unheard = 5
  /// The command line cannot be meant.
  case usage = 64
  /// The time text is not understood, or is over.
  case timeText = 65
  /// A file named on the command line cannot be read or written.
  case noInput = 66
  /// No daemon answers, or a program to be run is missing.
  case unavailable = 69
  /// A fault of this program.
  case software = 70
  /// The store did not take it.
  case storage = 74
  /// Try again later: a limit is reached, or the daemon is busy.
  case tryAgain = 75
  /// Not this user.
  case permission = 77
  /// plugins.conf has errors.
  case configuration = 78
  /// Ended by Ctrl-C or `q`.
  case interrupted = 130
  /// Ended by SIGTERM.
  case terminated = 143

  /// What the table of exit codes says.
  var meaning: String {
    switch self {
    case .success: "done; with `--follow` or in the foreground: it rang and was stopped"
    case .noSuchAlarm:
      "no such alarm, several that fit, nothing it could apply to, or one in the wrong state; "
        + "`plugin-check`: a check failed"
    case .cancelled: "what was followed was cancelled or disabled"
    case .missed: "what was followed was missed, or nobody answered it"
    case .unheard: "`status`: an alarm rings and no sink has confirmed it"
    case .usage: "the command line is wrong"
    case .timeText: "the time text is not understood, or the time is over"
    case .noInput: "a file named on the command line cannot be read or written"
    case .unavailable: "no daemon answers; `plugin-check`: the program cannot be started"
    case .software: "a fault in tocsin itself"
    case .storage: "the store did not take it"
    case .tryAgain: "a limit is reached or the daemon is busy: try again"
    case .permission: "this user may not"
    case .configuration: "plugins.conf has errors"
    case .interrupted: "ended by Ctrl-C or `q`"
    case .terminated: "ended by SIGTERM"
    }
  }
}

extension ExitCode {
  /// The code for a refusal by the service.
  init(_ code: ServiceError.Code) {
    self =
      switch code {
      case .notFound, .ambiguous, .wrongState, .stale, .duplicate: .noSuchAlarm
      case .past: .timeText
      case .invalid, .tooLarge: .usage
      case .badRequest, .unknownRequest: .software
      case .limitReached, .busy: .tryAgain
      case .noTimeZone, .config: .configuration
      case .storage: .storage
      case .permission: .permission
      }
  }

  /// The code for a daemon that could not be asked.
  init(_ error: ClientError) {
    self =
      switch error {
      case .noDaemon, .lost, .timeout, .system: .unavailable
      case .refused, .stranger: .permission
      case .pathTooLong, .tooLarge: .usage
      case .protocol: .software
      case .service(let error): ExitCode(error.code)
      }
  }
}

/// Why a command did not do what it was told.
struct CommandFailure: Error, Hashable, Sendable {
  /// What the shell is told.
  var exit: ExitCode
  /// The kind, for programs: a `ServiceError.Code`, or a word of the command's own.
  var code: String
  /// One sentence for a person: the thing, the place, the remedy.
  var message: String

  init(_ exit: ExitCode, _ code: String, _ message: String) {
    self.exit = exit
    self.code = code
    self.message = message
  }

  static func usage(_ message: String) -> CommandFailure { .init(.usage, "usage", message) }

  static func timeText(_ message: String) -> CommandFailure { .init(.timeText, "time", message) }

  init(_ error: ClientError) {
    let code =
      switch error {
      case .noDaemon: "noDaemon"
      case .refused, .stranger: "permission"
      case .pathTooLong: "pathTooLong"
      case .system: "system"
      case .lost: "lost"
      case .timeout: "timeout"
      case .tooLarge: "tooLarge"
      case .protocol: "protocol"
      case .service(let error): error.code.rawValue
      }
    self.init(ExitCode(error), code, error.description)
  }
}
