import TocsinModel

/// One thing that a plugin is to do right, and how it is put to the test.
struct PluginCheck: Hashable, Sendable {
  /// What a program that reads the report knows it by.
  var id: String
  /// What a plugin does that passes.
  var what: String
  /// What is done and waited for, in order.
  var steps: [Step]
  /// What its author can do if it fails.
  var remedy: String
  /// Whether it is about a plugin that was just started.
  var isFresh = false

  enum Step: Hashable, Sendable {
    /// Hands it this in one write.
    case write(RouterText)
    /// Lets it read what it has before there is more.
    case pause
    /// Waits until it has done this.
    case wait(Wish)
    /// Closes its input.
    case closeInput
    /// Sends SIGTERM to its process group.
    case terminate
  }

  /// What is waited for.
  enum Wish: Hashable, Sendable {
    /// What it says first.
    case ready
    /// A receipt for each of these events.
    case receipts([UInt64])
    /// An answer to each ping.
    case pong
    /// Its end, with status 0 if `isClean`.
    case end(isClean: Bool)
  }
}

/// Bytes from the router, and what of them has to be or may be answered.
struct RouterText: Hashable, Sendable {
  var bytes: [UInt8]
  /// The events in it.
  var seqs: [UInt64] = []
  /// The pings in it.
  var pings = 0

  /// One text after the other.
  static func + (first: RouterText, second: RouterText) -> RouterText {
    RouterText(
      bytes: first.bytes + second.bytes,
      seqs: first.seqs + second.seqs,
      pings: first.pings + second.pings
    )
  }
}

/// What came of a check.
struct CheckResult: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    /// It did what it should, and this is worth knowing of it.
    case passed(String?)
    /// It may do that, and its author may want to know.
    case noted(String)
    /// What should have come, what came, and what to do.
    case failed(expected: String, came: String, remedy: String)
    /// There was no sense in it, or no time.
    case notTried
  }

  var id: String
  var what: String
  var outcome: Outcome

  /// The line of the report.
  var line: String {
    switch outcome {
    case .passed(let detail): "ok    " + what + (detail.map { ": \($0)" } ?? "")
    case .noted(let detail): "note  \(what): \(detail)"
    case .failed(let expected, let came, let remedy):
      "FAIL  \(what): expected \(expected); \(came); \(remedy)"
    case .notTried: "-     \(what): not tried"
    }
  }

  var hasFailed: Bool {
    if case .failed = outcome { true } else { false }
  }

  var wasTried: Bool { outcome != .notTried }
}
