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
