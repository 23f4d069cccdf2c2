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

  let options: Options
  private let plan: CheckPlan
  private let tell: (CheckResult) -> Void
  private let deadline: ContinuousClock.Instant
  var process: CheckedProcess?
  var transcript: PluginTranscript
  private(set) var results: [CheckResult] = []
  /// What every process of this run said wrong.
  private var faults: [PluginTranscript.Fault] = []
  private var intents = 0
  /// The last lines of its standard error and of its log, for `--verbose` and for what went wrong.
  private(set) var remarks: [String] = []
  private var noted: Set<String> = []
  /// It hangs: whatever would follow has no sense.
  var isHung = false

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

  func say(_ text: RouterText) {
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

  func turn(
    until deadline: ContinuousClock.Instant,
    _ isDone: () -> Bool
  ) throws -> CheckedProcess.Turn {
    guard let process else { return .ended }
    let turn = process.run(until: deadline, isDone)
    if case .signal(let signal) = turn { throw Interrupted(signal: signal) }
    return turn
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
}
