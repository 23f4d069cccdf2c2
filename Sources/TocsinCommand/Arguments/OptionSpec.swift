/// One option of a command, as data: the parser, the help and the completions read the same table.
struct OptionSpec: Sendable, Hashable {
  /// Without its dashes, such as "snooze-limit".
  var name: String
  /// One letter that means the same, if there is one.
  var short: Character?
  /// What its value is called in the help; nil for an option without one.
  var value: String?
  /// What it does, without a full stop.
  var help: String
  /// Whether it may be given more than once.
  var repeats = false
  /// What its value can be completed to.
  var completion = Completion.none

  init(
    _ name: String,
    short: Character? = nil,
    value: String? = nil,
    _ help: String,
    repeats: Bool = false,
    completion: Completion = .none
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
    self.repeats = repeats
    self.completion = completion
  }
}

/// What a word of the command line can be completed to.
enum Completion: Sendable, Hashable {
  /// Nothing that could be known.
  case none
  /// These words.
  case words([String])
  /// A file.
  case file
  /// An alarm that exists, asked for when it is needed.
  case alarm
}

/// One command, as data.
struct CommandSpec: Sendable {
  /// The word that calls it.
  var name: String
  /// The names of what follows, as the usage line shows them.
  var operands: String
  /// How many words may follow, options not counted.
  var count: ClosedRange<Int>
  /// What those words can be completed to.
  var completion: Completion
  /// One line for the list of commands, without a full stop.
  var abstract: String
  /// What one has to know beside the options; lines of at most 78 columns.
  var discussion: String
  /// The options beside `OptionSpec.common`.
  var options: [OptionSpec]
  /// Whole command lines that work, and what they do.
  var examples: [Example]
  /// Kept out of the help: for programs such as the completions.
  var isHidden: Bool
  /// Whether what follows is another program's command line: its options are not read.
  var takesCommand: Bool
  /// Does it.
  var run: @Sendable (Invocation, Session) throws(CommandFailure) -> ExitCode

  struct Example: Sendable {
    var line: String
    var what: String
  }

  init(
    _ name: String,
    takes operands: String = "",
    count: ClosedRange<Int> = 0...0,
    completion: Completion = .none,
    _ abstract: String,
    discussion: String = "",
    options: [OptionSpec] = [],
    examples: [Example] = [],
    isHidden: Bool = false,
    takesCommand: Bool = false,
    run: @escaping @Sendable (Invocation, Session) throws(CommandFailure) -> ExitCode
  ) {
    self.name = name
    self.operands = operands
    self.count = count
    self.completion = completion
    self.abstract = abstract
    self.discussion = discussion
    self.options = options
    self.examples = examples
    self.isHidden = isHidden
    self.takesCommand = takesCommand
    self.run = run
  }

  /// All options it takes, its own first.
  var allOptions: [OptionSpec] { options + OptionSpec.common }
}

extension OptionSpec {
  /// The options that every command takes.
  static let common = [
    OptionSpec(
      "socket",
      value: "PATH",
      "Ask the daemon at this socket only",
      completion: .file
    ),
    OptionSpec(
      "color",
      value: "WHEN",
      "Colour: always, never or auto",
      completion: .words(["always", "never", "auto"])
    ),
    OptionSpec("help", short: "h", "Show this help"),
    OptionSpec("version", "Show the version"),
  ]

  /// For each command that prints data.
  static let json = OptionSpec("json", "Print JSON with \"schema\": 1 instead of text")
}
