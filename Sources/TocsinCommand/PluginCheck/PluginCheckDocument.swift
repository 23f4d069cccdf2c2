/// What `plugin-check` prints with `--json`.
struct PluginCheckDocument: Encodable {
  var schema = schemaVersion
  /// The command line that was checked.
  var command: [String]
  /// Its name in plugins.conf.
  var sink: String
  var checks: [Check]
  /// What it wrote to standard error and to the log.
  var log: [String]
  var failed: Int
  var notTried: Int
  var seconds: Double

  struct Check: Encodable {
    var check: String
    var what: String
    /// `ok`, `note`, `failed` or `notTried`.
    var result: String
    /// What is worth knowing of it.
    var detail: String?
    /// Of a failure: what should have come, what came, and what to do.
    var expected: String?
    var came: String?
    var remedy: String?

    init(_ result: CheckResult) {
      check = result.id
      what = result.what
      switch result.outcome {
      case .passed(let text):
        self.result = "ok"
        detail = text
      case .noted(let text):
        self.result = "note"
        detail = text
      case .failed(let expected, let came, let remedy):
        self.result = "failed"
        self.expected = expected
        self.came = came
        self.remedy = remedy
      case .notTried:
        self.result = "notTried"
      }
    }
  }

  init(
    command: [String],
    sink: String,
    results: [CheckResult],
    remarks: [String],
    seconds: Double
  ) {
    self.command = command
    self.sink = sink
    checks = results.map(Check.init)
    log = remarks
    failed = results.count { $0.hasFailed }
    notTried = results.count { !$0.wasTried }
    self.seconds = seconds
  }
}
