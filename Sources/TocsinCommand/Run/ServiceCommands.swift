import TocsinClient
import TocsinModel
import TocsinTime

/// `tocsin sinks`.
func runSinks(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let sinks = try session.connect().sinks(.sinks)
  if session.json {
    try session.print(document: SinksDocument(sinks: sinks))
    return .success
  }
  show(sinkTable(sinks), flexible: 8, session)
  return .success
}

/// `tocsin status`.
func runStatus(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let connection = try session.connect()
  guard let status = try connection.ask(.status).status else {
    throw CommandFailure(
      .software,
      "protocol",
      "the daemon at \(connection.path) told nothing about itself"
    )
  }
  let exit = (status.unheard ?? 0) > 0 ? ExitCode.unheard : .success
  if session.json {
    try session.print(document: StatusDocument(status: status))
    return exit
  }
  let zone = session.shownZone()
  let now = session.now()
  let unheard = exit == .unheard ? ", \(status.unheard ?? 0) confirmed by no sink" : ""
  var lines = [
    ("Daemon", "tocsind \(status.version.printable), process \(status.pid), at \(connection.path)"),
    ("Alarms", "\(status.alarms) of \(status.limit) at most, \(status.alerting) ringing\(unheard)"),
    (
      "Next",
      status.next.map {
        "\(Wording.moment($0, in: zone, now: now)) (in \(Wording.length(max(0, ($0 - now).seconds))))"
      } ?? "nothing is set to ring"
    ),
    ("Zone", status.zone?.printable ?? "unknown: no time zone data; install the package tzdata"),
    (
      "Clock",
      status.clockTrusted ? "trusted" : "not set yet: alarms wait for it, timers do not"
    ),
    (
      "Suspend",
      status.wakesFromSuspend
        ? "wakes the machine" : "cannot wake the machine: alarms ring after it wakes"
    ),
    ("Store", status.store?.printable ?? "in memory: alarms are gone when the daemon ends"),
  ]
  let rows = SilenceRows(zone: zone, now: now)
  lines += (status.silences ?? []).map { ("Silenced", rows.line($0)) }
  lines += status.warnings.map { ("Warning", $0.printable) }
  session.write(aligned(lines, style: .dim, colors: session.colors))
  return exit
}

/// `tocsin reload`.
func runReload(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let outcome = try session.connect().ask(.reload)
  if let warning = outcome.warning { session.warn(warning) }
  session.say("plugins.conf is read again")
  return .success
}

/// `tocsin backup FILE`.
func runBackup(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let path = absolutePath(invocation.operands[0])
  if let connection = try session.connectIfRunning() {
    try connection.ask(.backup(path: path))
  } else {
    try ServiceTools.backUp(to: path, session: session)
  }
  session.say("the store is copied to \(path.printable)")
  return .success
}

/// `tocsin restore FILE`.
func runRestore(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let path = absolutePath(invocation.operands[0])
  if let connection = try session.connectIfRunning() {
    throw CommandFailure(
      .tryAgain,
      "busy",
      "the daemon at \(connection.path) uses the store; stop it first, then restore again"
    )
  }
  try ServiceTools.restore(from: path, session: session)
  session.say("the store is what \(path.printable) holds")
  return .success
}

/// `tocsin config check|show`.
func runConfig(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let path = invocation["file"].map(absolutePath)
  switch invocation.operands[0] {
  case "check":
    let (file, faults) = try ServiceTools.checkConfiguration(path, session: session)
    if session.json {
      try session.print(document: ConfigurationDocument(path: file, faults: faults))
    } else {
      for fault in faults { session.complain(fault.printable + "\n") }
      if faults.isEmpty { session.say("\(file.printable) is right") }
    }
    return faults.isEmpty ? .success : .configuration
  case "show":
    session.write(try ServiceTools.showConfiguration(path, session: session))
    return .success
  case let word:
    let near = NearestWord.of(word, in: ["check", "show"])
    throw .usage(
      "config has no \"\(word.printable)\"; "
        + (near.map { "did you mean config \($0)?" } ?? "write config check or config show")
    )
  }
}

/// `tocsin simulate FILE`.
func runSimulate(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let name = invocation.operands[0]
  let bytes: [UInt8]
  do {
    bytes = try contents(of: name == "-" ? "/dev/stdin" : name, limit: 16 << 20)
  } catch {
    throw CommandFailure(.noInput, "file", "\(error)")
  }
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw CommandFailure(.noInput, "file", "\(name.printable) is not UTF-8")
  }
  return try ServiceTools.simulate(text, name: name, session: session)
}

/// `tocsin completion SHELL`.
func runCompletion(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode
{
  let word = invocation.operands[0]
  guard let shell = CompletionScript.Shell(rawValue: word) else {
    throw .usage("completion is for bash, zsh or fish, not \"\(word.printable)\"")
  }
  session.write(CompletionScript.script(for: shell, commands: CommandTable.visible))
  return .success
}
