import Glibc
import SinkKit
import TocsinModel
import TocsinService
import TocsinTime

extension CommandTable {
  static let pluginCheck = CommandSpec(
    "plugin-check",
    takes: "COMMAND [ARG]…",
    count: 1...1_000,
    completion: .file,
    "Check that a plugin keeps the protocol",
    discussion: """
      Starts the plugin as the daemon would, puts it through all that the protocol
      may bring, and prints a line for each check: ok, note, FAIL with what to do, or
      - for what was not tried. No alarm is set, but what the plugin presents is real.
      Options stand before COMMAND; what follows it is the plugin's.
      """,
    options: [
      OptionSpec("set", value: "KEY=VALUE", "A key of its section of plugins.conf", repeats: true),
      OptionSpec("name", value: "NAME", "Its name there; the program's if not given"),
      OptionSpec(
        "timeout",
        value: "LENGTH",
        "How long an answer may take, and ten times an end; 5s if not given"
      ),
      OptionSpec("verbose", short: "v", "Print what it writes to its log, too"), .json,
    ],
    examples: [
      .init(line: "tocsin plugin-check contrib/plugins/webhook.py", what: "All of it, in seconds."),
      .init(
        line: "tocsin plugin-check --set led=GPIO22 tocsin-gpio",
        what: "One that needs settings."
      ),
    ],
    takesCommand: true,
    run: runPluginCheck
  )
}

/// `tocsin plugin-check COMMAND`.
func runPluginCheck(
  _ invocation: Invocation,
  _ session: Session
) throws(CommandFailure) -> ExitCode {
  let signals = Signals([SIGINT, SIGTERM, SIGHUP], ignoring: [SIGPIPE])
  defer { signals?.end() }
  let options = try checkOptions(invocation, signals)
  let start = ContinuousClock.now
  let run = CheckRun(options, CheckPlan(now: session.now())) { result in
    if !session.json { session.say(styled(result, session)) }
  }
  do {
    try run.run()
  } catch let failure as ChildProcess.Failure {
    throw CommandFailure(
      .unavailable,
      "program",
      "\(options.words[0].printable) cannot be started: \(String(cString: strerror(failure.code)))"
        + (failure.code == ENOENT ? "; is what its first line names installed?" : "")
        + (failure.code == ENOEXEC ? "; a script begins with a line such as #!/bin/sh" : "")
    )
  } catch let error as CheckRun.Interrupted {
    return error.signal == SIGINT ? .interrupted : .terminated
  } catch {
    throw CommandFailure(.software, "internal", "\(error)")
  }
  let failed = run.results.count { $0.hasFailed }
  let notTried = run.results.count { !$0.wasTried }
  if session.json {
    try session.print(
      document: PluginCheckDocument(
        command: invocation.operands,
        sink: options.sink,
        results: run.results,
        remarks: run.remarks,
        seconds: (ContinuousClock.now - start).seconds
      )
    )
  } else {
    if invocation.has("verbose") { for line in run.remarks { session.say("log   \(line)") } }
    let passed = run.results.count - failed - notTried
    session.say(
      "\(run.results.count) checks: \(passed) passed, \(failed) failed, \(notTried) not tried"
    )
  }
  return failed == 0 ? .success : .noSuchAlarm
}

private func checkOptions(
  _ invocation: Invocation,
  _ signals: Signals?
) throws(CommandFailure) -> CheckRun.Options {
  let name = invocation.operands[0]
  let sink = try sinkName(invocation["name"], program: name)
  var timeout = Duration.seconds(5)
  if let text = invocation["timeout"] {
    do throws(ValueText.Unreadable) {
      timeout = .microseconds(try ValueText.duration(text))
    } catch {
      throw .usage("--timeout: \(error.message)")
    }
    guard timeout >= .milliseconds(100), timeout <= .seconds(600) else {
      throw .usage("--timeout is 100ms to 10min, not \(text.printable)")
    }
  }
  var settings: [String: String] = [:]
  for text in invocation.values["set"] ?? [] {
    let key = text.prefix { $0 != "=" }
    guard !key.isEmpty, key.count < text.count else {
      throw .usage("--set needs KEY=VALUE, such as --set led=GPIO22, not \"\(text.printable)\"")
    }
    settings[String(key)] = String(text.dropFirst(key.count + 1))
  }
  let environment = Environment.all
  let finder = ProgramFinder(
    programDirectory: ConfigurationFinder.runningProgramDirectory,
    environment: environment
  )
  let path: String
  do throws(ProgramFinder.Missing) { path = try finder.find(name) } catch {
    throw CommandFailure(.unavailable, "program", error.description)
  }
  return CheckRun.Options(
    words: [path] + invocation.operands.dropFirst(),
    environment: PluginEnvironment(environment).usualVariables(sink: sink),
    sink: sink,
    settings: settings,
    timeout: timeout,
    signals: signals
  )
}

/// The name in plugins.conf: the one that was given, or one that the program's file gives.
private func sinkName(_ given: String?, program: String) throws(CommandFailure) -> String {
  if let given {
    guard !given.isEmpty, given.allSatisfy(\.isNamePart) else {
      throw .usage(
        "--name is made of letters, digits, - and _, as in plugins.conf, not \"\(given.printable)\""
      )
    }
    return given
  }
  let file = program.split(separator: "/").last ?? ""
  let name = file.prefix(while: \.isNamePart)
  return name.isEmpty ? "plugin" : String(name)
}

private func styled(_ result: CheckResult, _ session: Session) -> String {
  let style: Style =
    switch result.outcome {
    case .passed: .green
    case .noted: .yellow
    case .failed: .red
    case .notTried: .dim
    }
  // The word alone: what follows is to be read.
  let line = result.line.printable
  return style.applied(to: String(line.prefix(4)), colors: session.colors) + line.dropFirst(4)
}
