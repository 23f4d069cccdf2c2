/// What a sink's program is asked to do on its command line.
enum SinkArguments: Equatable {
  /// To be a plugin of the daemon that started it.
  case plugin
  /// To join a daemon that runs.
  case attach(Attachment)
  case help
  case version
  /// What is wrong, as a sentence.
  case wrong(String)

  /// How to join a daemon.
  struct Attachment: Equatable {
    /// The control socket; looked for as clients do if nil.
    var socket: String?
    /// What the daemon calls the sink; the sink's own name if nil.
    var name: String?
    /// What would be its section of plugins.conf.
    var settings: [String: String] = [:]
  }

  /// Reads the words after the program's name.
  init(_ words: [String]) {
    guard !words.isEmpty else {
      self = .plugin
      return
    }
    var attachment = Attachment()
    var isAttached = false
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h":
        self = .help
        return
      case "--version":
        self = .version
        return
      case "--attach": isAttached = true
      case "--socket", "--name":
        guard let value = rest.popFirst(), !value.isEmpty else {
          self = .wrong("\(word) wants a value")
          return
        }
        if word == "--name" { attachment.name = value } else { attachment.socket = value }
      default:
        guard !word.hasPrefix("-"), let equals = word.firstIndex(of: "="), equals > word.startIndex
        else {
          self = .wrong("\(word) is neither an option nor a setting such as key=value")
          return
        }
        attachment.settings[String(word[..<equals])] = String(word[word.index(after: equals)...])
      }
    }
    self =
      isAttached
      ? .attach(attachment)
      : .wrong("\(words[0]) is of use only with --attach, as a plugin is set up in plugins.conf")
  }

  /// What `--help` prints.
  static func help(program: String, about: String) -> String {
    """
    \(about.isEmpty ? "A sink of Tocsin." : about)

    usage: \(program)                                  as a plugin, which tocsind starts
           \(program) --attach [--socket PATH] [--name NAME] [KEY=VALUE]...

    With --attach it joins a daemon that runs already, and again when that comes back. The socket is
    $TOCSIN_SOCKET, else $XDG_RUNTIME_DIR/tocsin.sock, else /run/tocsin/tocsin.sock; NAME is what
    `tocsin sinks` calls it; the settings are those of its section in plugins.conf.
    """
  }
}
