import Glibc
import TocsinModel
import TocsinTime

// What is told of something that did not come, or came otherwise.
extension CheckRun {
  func expected(_ wish: PluginCheck.Wish) -> String {
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
  func silence(_ wish: PluginCheck.Wish) throws -> String {
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

  func waitForEnd(isClean: Bool, remedy: String) throws -> CheckResult.Outcome? {
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

  func ended(with codes: [CInt]) -> Bool {
    process?.exit.map { codes.contains($0) } ?? false
  }

  /// How it ended, and the last it had to say.
  var end: String {
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

  private static func text(_ duration: Duration) -> String {
    ValueText.describe(duration.microseconds)
  }
}
