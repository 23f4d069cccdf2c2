import TocsinModel
import TocsinTime

/// What was said to a plugin since it was started, what it said, and what of that is wrong.
struct PluginTranscript {
  /// Something it should not have said.
  struct Fault: Hashable, Sendable {
    /// Which of the rules it breaks.
    enum Rule: Hashable, Sendable, CaseIterable { case ready, message, receipt, intent }

    var rule: Rule
    var came: String
    var remedy: String
  }

  /// Its last answer to an event.
  enum Answer: Hashable, Sendable {
    case none
    case presented
    case failed(reason: String, retries: Bool)
  }

  private(set) var ready: SinkReport.Ready?
  private(set) var faults: [Fault] = []
  /// How many faults there were beyond those that are kept.
  private(set) var furtherFaults = 0
  /// The intents it sent.
  private(set) var intents: [Intent] = []
  /// What it wrote to the log.
  private(set) var logs: [SinkReport.Log] = []
  private var answers: [UInt64: Answer] = [:]
  private var pings = 0
  private var pongs = 0
  private let occurrences: Set<OccurrenceID>

  /// No more than these are kept of what a plugin may say without end.
  private static let limit = 100
  static let capabilities = ["sound", "visual", "light", "buttons"]
  static let types = ["ready", "presented", "failed", "intent", "log", "pong"]

  /// - Parameter occurrences: those that its intents may name.
  init(occurrences: Set<OccurrenceID>) { self.occurrences = occurrences }

  /// Notes what was said to it.
  mutating func said(_ text: RouterText) {
    for seq in text.seqs { answers[seq] = Answer.none }
    pings += text.pings
  }

  /// Its last answer to an event.
  func answer(to seq: UInt64) -> Answer { answers[seq] ?? .none }

  /// Whether it has done that; its end is not for a transcript to know.
  func fulfils(_ wish: PluginCheck.Wish) -> Bool {
    switch wish {
    case .ready: ready != nil
    case .receipts(let seqs): seqs.allSatisfy { answers[$0] != Answer.none }
    case .pong: pongs >= pings
    case .end: false
    }
  }

  /// Takes a line of its standard output.
  mutating func take(_ item: LineReader.Item) {
    guard case .line(let line) = item else {
      return fault(
        .message,
        "a line longer than \(JSONLine.limit / 1024) KiB came",
        "end each line with a newline, and keep it below 64 KiB"
      )
    }
    guard !JSONLine.isBlank(line) else { return }
    let text = String(decoding: line, as: UTF8.self)
    do {
      take(try JSONLine.decode(SinkReport.self, from: line), line, text)
    } catch {
      fault(
        .message,
        "the line \(Self.shown(text)) came, and \(error.message.printable)",
        "write messages only to standard output; what is for the log goes to standard error"
      )
    }
  }

  private mutating func take(_ report: SinkReport, _ line: [UInt8], _ text: String) {
    let isFirst = ready == nil
    switch report {
    case .log(let entry):
      if logs.count < Self.limit { logs.append(entry) }
      return
    case .ready(let said):
      guard isFirst else {
        return fault(.ready, "ready came again", "write ready once, in answer to hello")
      }
      ready = said
      judge(said, line)
      return
    case .unknown(let type):
      let near = NearestWord.of(type, in: Self.types)
      return fault(
        .message,
        "the line \(Self.shown(text)) came, whose type no version knows",
        near.map { "did you mean \($0)?" } ?? "the types are \(Self.types.joined(separator: ", "))"
      )
    case .pong:
      pongs += 1
    case .presented(let seq):
      answer(.presented, to: seq)
    case .failed(let failed):
      answer(.failed(reason: failed.reason, retries: failed.retry ?? false), to: failed.seq)
    case .intent(let intent):
      if intents.count < Self.limit { intents.append(intent) }
      if case .occurrence(let occurrence) = intent.target, !occurrences.contains(occurrence) {
        fault(
          .intent,
          "an intent named \(occurrence), which was never presented",
          "give back the occurrence of the event that was answered, unchanged"
        )
      }
    }
    if isFirst {
      fault(.ready, "\(Self.shown(text)) came before ready", "write ready before anything else")
    }
  }

  private mutating func answer(_ answer: Answer, to seq: UInt64) {
    guard let before = answers[seq] else {
      return fault(
        .receipt,
        "a receipt for event \(seq) came, which was never sent",
        "give back the seq of the event itself, not one of a value within it"
      )
    }
    answers[seq] = answer
    switch (before, answer) {
    case (.presented, .presented):
      fault(.receipt, "event \(seq) was confirmed twice", "write one receipt for each event")
    case (.failed(_, retries: false), _):
      fault(
        .receipt,
        "event \(seq) was answered again after it had failed",
        "say \"retry\":true in failed if you go on trying"
      )
    default: break
    }
  }

  private mutating func judge(_ ready: SinkReport.Ready, _ line: [UInt8]) {
    if ready.name.isEmpty {
      fault(.ready, "ready has an empty name", "name the program")
    }
    if case .object(let keys)? = try? JSONLine.decode(JSONValue.self, from: line) {
      for key in ["version", "capabilities", "audible"] where keys[key] == nil {
        fault(.ready, "ready has no \(key)", Self.missing[key] ?? "add it")
      }
    }
    let parts = ready.parts ?? []
    for word in ready.capabilities + parts.flatMap(\.capabilities)
    where !Self.capabilities.contains(word) {
      let near = NearestWord.of(word, in: Self.capabilities)
      fault(
        .ready,
        "ready has the capability \(Self.shown(word))",
        near.map { "did you mean \($0)?" }
          ?? "there are \(Self.capabilities.joined(separator: ", "))"
      )
    }
    var names: Set<String> = []
    for part in parts {
      if !names.insert(part.name).inserted {
        fault(.ready, "two parts are called \(Self.shown(part.name))", "give each its own name")
      }
      if part.name.isEmpty || !part.name.utf8.allSatisfy(Self.isOfName) {
        fault(
          .ready,
          "a part is called \(Self.shown(part.name))",
          "a part's name is made of letters, digits, - and _"
        )
      }
    }
  }

  private static let missing = [
    "version": "say which version of the program it is",
    "capabilities": "say what it can do, such as [\"visual\"]; [] if it is nothing of it",
    "audible": "say whether a person asleep would hear it: routes decide by it",
  ]

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private mutating func fault(_ rule: Fault.Rule, _ came: String, _ remedy: String) {
    guard faults.count < Self.limit else {
      furtherFaults += 1
      return
    }
    faults.append(Fault(rule: rule, came: came, remedy: remedy))
  }

  /// A text from the plugin, short and fit for one line.
  static func shown(_ text: String, limit: Int = 60) -> String {
    let start = text.prefix(limit + 1).printable
    return start.count > limit ? start.prefix(limit) + "…" : start
  }
}
