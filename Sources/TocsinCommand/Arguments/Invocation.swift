import TocsinTime

/// A command line, read: which options with which values, and the other words in their order.
struct Invocation: Sendable, Hashable {
  /// The words that are neither options nor their values.
  var operands: [String] = []
  /// The values by option; an option without a value has an empty one each time it is given.
  var values: [String: [String]] = [:]

  /// Whether the option was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value given last.
  subscript(name: String) -> String? { values[name]?.last }

  /// Reads the words after the command's name.
  ///
  /// Options and other words may be mixed; `--` ends the options; `--name=value`, `--name value`,
  /// `-n value` and `-nvalue` are the same. A minus before a digit begins a word, so that
  /// `extend -5m` shortens a timer, and one before a space too, as titles of notes do.
  ///
  /// - Throws: a usage failure that names the nearest known option.
  init(_ words: some Sequence<String>, for command: CommandSpec) throws(CommandFailure) {
    var words = Array(words)[...]
    while let word = words.popFirst() {
      if word == "--" {
        operands += words
        break
      }
      if word.hasPrefix("--") {
        try readLong(word.dropFirst(2), &words, command)
      } else if word.hasPrefix("-"), word.count > 1, word.dropFirst().first?.isNumber == false,
        word.dropFirst().first != ".", word.dropFirst().first != " "
      {
        try readShort(word.dropFirst(), &words, command)
      } else {
        operands.append(word)
        guard !command.takesCommand else {
          operands += words
          break
        }
      }
    }
    if has("help") || has("version") { return }
    guard operands.count >= command.count.lowerBound else {
      throw .usage(
        "\(command.name) needs \(command.operands); see: tocsin \(command.name) --help"
      )
    }
    guard operands.count <= command.count.upperBound else {
      let extra = operands[command.count.upperBound]
      throw .usage(
        "\(command.name) takes no \"\(extra.printable)\"; see: tocsin \(command.name) --help"
      )
    }
  }

  private mutating func readLong(
    _ text: Substring,
    _ words: inout ArraySlice<String>,
    _ command: CommandSpec
  ) throws(CommandFailure) {
    let name = String(text.prefix { $0 != "=" })
    guard let option = command.allOptions.first(where: { $0.name == name }) else {
      let near = NearestWord.of(name, in: command.allOptions.map(\.name))
      let remedy = near.map { "did you mean --\($0)?" } ?? "see: tocsin \(command.name) --help"
      throw .usage("\(command.name) has no option --\(name.printable); \(remedy)")
    }
    if text.utf8.count > name.utf8.count {
      let value = String(text.dropFirst(name.count + 1))
      guard option.value != nil else { throw .usage("--\(name) takes no value") }
      try add(value, to: option)
    } else {
      try take(option, &words)
    }
  }

  private mutating func readShort(
    _ letters: Substring,
    _ words: inout ArraySlice<String>,
    _ command: CommandSpec
  ) throws(CommandFailure) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let option = command.allOptions.first(where: { $0.short == letter }) else {
        throw .usage(
          "\(command.name) has no option -\(String(letter).printable); "
            + "see: tocsin \(command.name) --help"
        )
      }
      if option.value != nil, !letters.isEmpty {
        return try add(String(letters.first == "=" ? letters.dropFirst() : letters), to: option)
      }
      try take(option, &words)
    }
  }

  private mutating func take(
    _ option: OptionSpec,
    _ words: inout ArraySlice<String>
  ) throws(CommandFailure) {
    guard let name = option.value else { return try add("", to: option) }
    guard let value = words.popFirst() else { throw .usage("--\(option.name) needs \(name)") }
    try add(value, to: option)
  }

  private mutating func add(_ value: String, to option: OptionSpec) throws(CommandFailure) {
    // Given twice, one of the two would be lost; a flag given twice loses nothing.
    guard option.repeats || option.value == nil || values[option.name] == nil else {
      throw .usage("--\(option.name) is given twice")
    }
    values[option.name, default: []].append(value)
  }
}

extension Invocation {
  /// The option's value as a whole number in the range.
  func number(_ name: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
    guard let text = self[name] else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw .usage(
        "--\(name) is a whole number from \(range.lowerBound) to \(range.upperBound), "
          + "not \"\(text.printable)\""
      )
    }
    return value
  }
}
