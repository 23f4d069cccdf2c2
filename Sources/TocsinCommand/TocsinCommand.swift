import Glibc
import TocsinModel
import TocsinService
import TocsinTime

/// The command: from the words that were typed to what the shell is told.
package enum TocsinCommand {
  /// Runs the command line; the first word is the program's own name.
  ///
  /// - Returns: the exit status, one of docs/command.md's table.
  package static func run(_ arguments: [String]) -> Int32 {
    StandardDescriptors.fill()
    return run(arguments.dropFirst(), session: .onTerminal()).rawValue
  }

  /// Runs the words after the program's name.
  static func run(_ words: some Sequence<String>, session: Session) -> ExitCode {
    do throws(CommandFailure) {
      return try dispatch(Array(words), session)
    } catch {
      // What is wrong with a configuration is told all at once, a line each.
      let isList = error.exit == .configuration
      for line in isList ? error.message.split(separator: "\n") : [error.message[...]] {
        session.warn(String(line))
      }
      if session.json { try? session.print(document: ErrorDocument(error)) }
      return error.exit
    }
  }

  private static func dispatch(
    _ words: [String],
    _ session: Session
  ) throws(CommandFailure) -> ExitCode {
    // Known before anything can fail, so that every failure is told in the form that was asked for.
    session.json = words.prefix { $0 != "--" }.contains("--json")
    // Common options may stand before the command.
    var front: [String] = []
    var rest = words[...]
    while let word = rest.first, word.hasPrefix("-") {
      front.append(rest.removeFirst())
      if ["--socket", "--color"].contains(word), let value = rest.popFirst() {
        front.append(value)
      }
    }
    guard let name = rest.popFirst() else {
      return try withoutCommand(front, session)
    }
    guard let command = CommandTable.all.first(where: { $0.name == name }) else {
      throw unknown(name)
    }
    let invocation = try Invocation(front + Array(rest), for: command)
    if invocation.has("help") {
      session.write(HelpText.page(for: command))
      return .success
    }
    if invocation.has("version") {
      session.say("tocsin \(Version.text)")
      return .success
    }
    try setUp(session, invocation)
    return try command.run(invocation, session)
  }

  private static func withoutCommand(
    _ words: [String],
    _ session: Session
  ) throws(CommandFailure) -> ExitCode {
    let bare = CommandSpec("tocsin", "") { _, _ in .success }
    let invocation = try Invocation(words, for: bare)
    if invocation.has("version") {
      session.say("tocsin \(Version.text)")
      return .success
    }
    guard invocation.has("help") else {
      session.complain(HelpText.overview(CommandTable.visible))
      return .usage
    }
    session.write(HelpText.overview(CommandTable.visible))
    return .success
  }

  private static func setUp(_ session: Session, _ invocation: Invocation) throws(CommandFailure) {
    session.json = invocation.has("json")
    session.socket = invocation["socket"]
    guard let color = invocation["color"] else { return }
    guard ["always", "never", "auto"].contains(color) else {
      let near = NearestWord.of(color, in: ["always", "never", "auto"])
      throw .usage(
        "--color is always, never or auto, not \"\(color.printable)\""
          + (near.map { "; did you mean \($0)?" } ?? "")
      )
    }
    session.color = color
  }

  private static func unknown(_ name: String) -> CommandFailure {
    let names = CommandTable.visible.map(\.name)
    let near = CommandTable.otherWords[name.lowercased()] ?? NearestWord.of(name, in: names)
    let remedy = near.map { "did you mean tocsin \($0)?" } ?? "see: tocsin --help"
    return .usage("there is no command \"\(name.printable)\"; \(remedy)")
  }
}

extension Session {
  /// The session of this process.
  static func onTerminal() -> Session {
    var environment: [String: String] = [:]
    for name in [
      "TOCSIN_SOCKET", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME", "TZ",
      "TZDIR", "NO_COLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS",
    ] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    var size = winsize()
    let hasSize = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return Session(
      environment: environment,
      outputIsTerminal: isatty(STDOUT_FILENO) == 1,
      inputIsTerminal: isatty(STDIN_FILENO) == 1,
      width: hasSize ? Int(size.ws_col) : environment["COLUMNS"].flatMap { Int($0) } ?? 80,
      write: { writeAll($0, to: STDOUT_FILENO) },
      complain: { writeAll($0, to: STDERR_FILENO) },
      ask: { readLine() }
    )
  }
}

/// Writes the whole text; what cannot be written is nobody's to hear of.
private func writeAll(_ text: String, to descriptor: Int32) {
  var text = text
  text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN {
          var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&entry, 1, -1)
          continue
        }
        return
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
