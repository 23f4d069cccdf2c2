import Glibc
import SinkKit
import TocsinModel
import TocsinTime

/// Plays the router for a plugin's process, one check after the other.
final class CheckRun {
  /// What is checked, and how.
  struct Options {
    /// The program's path and its arguments.
    var words: [String]
    var environment: [String: String]
    /// The name it would have in plugins.conf, and its keys there.
    var sink: String
    var settings: [String: String]
    /// How long an answer may take.
    var timeout: Duration
    /// Ends the check when one comes.
    var signals: Signals?

    /// As the daemon allows it, in proportion.
    var afterBye: Duration { timeout / 10 }
    var afterTerminate: Duration { timeout / 5 }
    /// How long the whole may take before the rest is not tried.
    var patience: Duration { timeout * 6 }
  }

  /// Why there is no report: the check itself was told to end.
  struct Interrupted: Error { var signal: CInt }

  private let options: Options
  private let plan: CheckPlan
  private let tell: (CheckResult) -> Void
  private let deadline: ContinuousClock.Instant
  private var process: CheckedProcess?
  private var transcript: PluginTranscript
  private(set) var results: [CheckResult] = []
  /// What every process of this run said wrong.
  private var faults: [PluginTranscript.Fault] = []
  private var intents = 0
  /// The last lines of its standard error and of its log, for `--verbose` and for what went wrong.
  private(set) var remarks: [String] = []
  private var noted: Set<String> = []
  /// It hangs: whatever would follow has no sense.
  private var isHung = false

  /// - Parameters:
  ///   - options: what is checked.
  ///   - plan: what it is put through.
  ///   - tell: takes each result as it comes.
  init(_ options: Options, _ plan: CheckPlan, tell: @escaping (CheckResult) -> Void) {
    self.options = options
    self.plan = plan
    self.tell = tell
    transcript = PluginTranscript(occurrences: plan.occurrences)
    deadline = .now + options.patience
  }

  /// Runs all of it.
  ///
  /// - Throws: `ChildProcess.Failure` if the program cannot be started at all, `Interrupted`.
  func run() throws {
    defer { endProcess() }
    try begin()
    let greeting = try greet()
    add("ready", "says what it is", greeting ?? .passed(transcript.ready.map(Self.described)))
    if greeting != nil { isHung = true }
    for check in plan.checks {
      guard !isHung, deadline > .now else {
        add(check.id, check.what, .notTried)
        continue
      }
      if check.isFresh || process?.exit != nil || process == nil {
        endProcess()
        try begin()
        if let failure = try greet() {
          add(check.id, check.what, failure)
          isHung = true
          continue
        }
      }
      add(check.id, check.what, try perform(check))
    }
    endProcess()
    judgeAll()
  }

  // MARK: Processes

  private func begin() throws {
    transcript = PluginTranscript(occurrences: plan.occurrences)
    process = try CheckedProcess(
      options.words,
      environment: options.environment,
      signals: options.signals,
      onLine: { [unowned self] in transcript.take($0) },
      onError: { [unowned self] in remark($0) }
    )
  }

  private func endProcess() {
    process?.kill()
    process = nil
    // A process that was just started again has said nothing yet.
    faults += transcript.faults
    intents += transcript.intents.count
    for entry in transcript.logs { remark("\(entry.level ?? "info"): \(entry.message)") }
    transcript = PluginTranscript(occurrences: plan.occurrences)
  }

  private func remark(_ line: String) {
    if remarks.count < 1_000 { remarks.append(PluginTranscript.shown(line, limit: 300)) }
  }

  /// Says hello and waits for `ready`; nil if it came.
  private func greet() throws -> CheckResult.Outcome? {
    say(RouterLines.hello(sink: options.sink, settings: options.settings))
    return try wait(
      .ready,
      remedy: "read the first line, hello, and answer {\"type\":\"ready\",…}; flush standard output"
    )
  }

  private func say(_ text: RouterText) {
    transcript.said(text)
    process?.write(text.bytes)
  }

  // MARK: Checks

  private func perform(_ check: PluginCheck) throws -> CheckResult.Outcome {
    var outcome = CheckResult.Outcome.passed(nil)
    for step in check.steps {
      switch step {
      case .write(let text): say(text)
      case .closeInput: process?.closeInput()
      case .terminate: process?.send(SIGTERM)
      case .pause: _ = try turn(until: .now + .milliseconds(30)) { false }
      case .wait(let wish):
        if let failure = try wait(wish, remedy: check.remedy) { return failure }
        if let reason = newReason(wish) { outcome = .noted("it answered failed: \(reason)") }
      }
    }
    return outcome
  }

  /// Why an event could not be presented, if that was not told before.
  private func newReason(_ wish: PluginCheck.Wish) -> String? {
    guard case .receipts(let seqs) = wish else { return nil }
    for seq in seqs {
      if case .failed(let reason, let retries) = transcript.answer(to: seq),
        noted.insert(reason).inserted
      {
        return "\"\(PluginTranscript.shown(reason, limit: 200))\""
          + (retries ? ", and goes on trying" : ", and does not try again")
      }
    }
    return nil
  }

  /// Waits for something; nil if it came.
  private func wait(_ wish: PluginCheck.Wish, remedy: String) throws -> CheckResult.Outcome? {
    if case .end(let isClean) = wish { return try waitForEnd(isClean: isClean, remedy: remedy) }
    let turn = try turn(until: .now + options.timeout) { transcript.fulfils(wish) }
    guard turn != .done else { return nil }
    return .failed(
      expected: expected(wish),
      came: turn == .ended ? end : try silence(wish),
      remedy: ended(with: [EX_CONFIG, EX_UNAVAILABLE]) ? "see what it says, and --set" : remedy
    )
  }

  private func turn(
    until deadline: ContinuousClock.Instant,
    _ isDone: () -> Bool
  ) throws -> CheckedProcess.Turn {
    guard let process else { return .ended }
    let turn = process.run(until: deadline, isDone)
    if case .signal(let signal) = turn { throw Interrupted(signal: signal) }
    return turn
  }

  private func expected(_ wish: PluginCheck.Wish) -> String {
    let limit = Self.text(options.timeout)
    switch wish {
    case .ready: return "{\"type\":\"ready\",…} within \(limit) of hello"
    case .pong: return "{\"type\":\"pong\"} within \(limit) of a ping"
    case .receipts(let seqs):
      let missing = seqs.filter { transcript.answer(to: $0) == .none }
      let shown = missing.prefix(3).map { "\($0)" }.joined(separator: ", ")
      return (missing.count == 1 ? "presented or failed with seq " : "a receipt for events ")
        + shown + (missing.count > 3 ? " and \(missing.count - 3) more" : "")
        + " within \(limit)"
    case .end(let isClean):
      let limit = Self.text(isClean ? options.afterBye : options.afterTerminate)
      return isClean ? "its end with status 0 within \(limit)" : "its end within \(limit)"
    }
  }

  /// Tells of what did not come in time, and finds out whether it lives.
  private func silence(_ wish: PluginCheck.Wish) throws -> String {
    if process?.hasClosedOutput == true {
      isHung = true
      return "it closed its standard output and runs on"
    }
    switch wish {
    case .receipts:
      say(RouterLines.ping)
      let lives = try turn(until: .now + options.timeout) { transcript.fulfils(.pong) }
      if lives == .done { return "none came, though it answers ping" }
      if lives == .ended { return end }
    case .ready, .pong, .end: break
    }
    isHung = true
    if let unread = process?.unread, unread > 0 {
      return "it hangs: nothing came, and it does not read (\(unread) bytes wait)"
    }
    return wish == .pong || wish == .ready
      ? "it hangs: nothing came" : "it hangs: nothing came, and it answers no ping either"
  }

  // MARK: Ends

  private func waitForEnd(isClean: Bool, remedy: String) throws -> CheckResult.Outcome? {
    guard let process else { return nil }
    let limit = isClean ? options.afterBye : options.afterTerminate
    let start = ContinuousClock.now
    func failed(_ came: String, _ remedy: String) -> CheckResult.Outcome {
      .failed(expected: expected(.end(isClean: isClean)), came: came, remedy: remedy)
    }
    guard try turn(until: start + limit, { false }) == .ended else {
      return failed("it runs on", remedy)
    }
    // What it started may need a moment to notice.
    let survivors = process.survivors(until: start + limit)
    if !survivors.isEmpty {
      let names = survivors.prefix(3).map { PluginTranscript.shown($0) }.joined(separator: ", ")
      return failed("it left \(names)", "end the processes it started before it ends")
    }
    if !process.hasClosedOutput {
      return failed(
        "something that it started holds its standard output open",
        "end what it started; a process in a session of its own is not ended by the daemon"
      )
    }
    return isClean && process.exit != 0 ? failed(end, remedy) : nil
  }

  private func ended(with codes: [CInt]) -> Bool {
    process?.exit.map { codes.contains($0) } ?? false
  }

  /// How it ended, and the last it had to say.
  private var end: String {
    let exit = process?.exit ?? 0
    var text =
      switch exit {
      case EX_CONFIG: "it ended with status 78: its settings are wrong"
      case EX_UNAVAILABLE: "it ended with status 69: it cannot work here"
      case 0...: "it ended with status \(exit)"
      default: "it was ended by signal \(-exit) (\(String(cString: strsignal(-exit))))"
      }
    let last = transcript.logs.last { $0.level == "error" }?.message ?? remarks.last
    if exit != 0, let last { text += ", after \"\(PluginTranscript.shown(last, limit: 200))\"" }
    return text
  }

  // MARK: What all of it shows

  private func add(_ id: String, _ what: String, _ outcome: CheckResult.Outcome) {
    let result = CheckResult(id: id, what: what, outcome: outcome)
    results.append(result)
    tell(result)
  }

  private func judgeAll() {
    for rule in PluginTranscript.Fault.Rule.allCases {
      let broken = faults.filter { $0.rule == rule }
      guard let first = broken.first else {
        let detail = rule == .intent && intents == 0 ? "none came, as nothing was pressed" : nil
        add(rule.id, rule.what, detail.map { .noted($0) } ?? .passed(nil))
        continue
      }
      let others = Set(broken.map(\.came)).count - 1
      let more = others > 0 ? " (and \(others) like it)" : ""
      add(
        rule.id,
        rule.what,
        .failed(expected: rule.expected, came: first.came + more, remedy: first.remedy)
      )
    }
  }

  private static func described(_ ready: SinkReport.Ready) -> String {
    var words = [PluginTranscript.shown("\(ready.name) \(ready.version)")]
    words += ready.capabilities.map { PluginTranscript.shown($0) }
    words.append(ready.audible ? "audible" : "not audible")
    let parts = (ready.parts ?? []).map { PluginTranscript.shown($0.name) }
    if !parts.isEmpty { words.append("with the parts " + parts.joined(separator: " ")) }
    return words.joined(separator: ", ")
  }

  private static func text(_ duration: Duration) -> String {
    ValueText.describe(duration.microseconds)
  }
}

extension PluginTranscript.Fault.Rule {
  /// What a program that reads the report knows it by.
  var id: String {
    switch self {
    case .ready: "introduction"
    case .message: "messages"
    case .receipt: "receipts"
    case .intent: "intents"
    }
  }

  /// What a plugin does that keeps it.
  var what: String {
    switch self {
    case .ready: "introduces itself first, once and in full"
    case .message: "writes messages and nothing else"
    case .receipt: "answers each event once"
    case .intent: "sends intents that name what was presented"
    }
  }

  /// What should have come.
  var expected: String {
    switch self {
    case .ready: "one ready with name, version, capabilities and audible before all else"
    case .message: "a JSON object of a known type in each line of standard output"
    case .receipt: "one receipt for each event that was sent"
    case .intent: "intents for occurrences that were presented"
    }
  }
}
