import TocsinModel

/// The few words `tocsind` understands.
struct DaemonOptions: Equatable {
  var configuration: String?
  var store: String?
  var socket: String?
  var isEphemeral = false

  /// What to do instead of serving.
  enum Other: Error, Equatable {
    case help
    case version
    case usage(String)
  }

  static let help = """
    usage: tocsind [--config FILE] [--store FILE] [--socket PATH] [--ephemeral]

    Keeps alarms and lets them ring, until it is told to end (SIGTERM).

      --config FILE   read this plugins.conf and no other
      --store FILE    keep alarms here
      --socket PATH   listen here
      --ephemeral     keep alarms in memory only
      --version       print the version
      --help          print this

    It reads plugins.conf again on SIGHUP. Without options the paths are those that
    tocsin uses: see docs/plugins.conf.md.

    """

  /// Reads the arguments after the program's name.
  init(_ arguments: [String]) throws(Other) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      func value() throws(Other) -> String {
        let value = parts.count == 2 ? parts[1] : rest.popFirst()
        guard let value, !value.isEmpty else { throw .usage("\(parts[0]) needs a value") }
        return value
      }
      func flag() throws(Other) {
        if parts.count == 2 { throw .usage("\(parts[0]) takes no value") }
      }
      switch parts[0] {
      case "--config": configuration = try value()
      case "--store": store = try value()
      case "--socket": socket = try value()
      case "--ephemeral":
        try flag()
        isEphemeral = true
      case "--help", "-h": throw .help
      case "--version": throw .version
      default: throw .usage("unknown argument \(argument)")
      }
    }
    if isEphemeral, store != nil { throw .usage("--ephemeral keeps no --store") }
  }

  /// Where to listen.
  func socketPath(_ environment: [String: String]) -> String {
    socket ?? ServicePaths.sockets { environment[$0] }[0]
  }

  /// Where to keep alarms.
  func location(_ environment: [String: String]) -> Store.Location {
    isEphemeral ? .memory : .file(store ?? ServicePaths.store { environment[$0] })
  }
}
