extension CompletionScript {
  /// Lines of `complete`.
  static func fish(_ commands: [CommandSpec]) -> String {
    var script = """
      # fish completion for tocsin, made by: tocsin completion fish

      complete -c tocsin -f

      """
    for option in OptionSpec.common { script += fishOption(option, condition: nil) }
    for command in commands {
      script += "complete -c tocsin -n __fish_use_subcommand -a \(command.name) "
      script += "-d \(fishQuoted(command.abstract))\n"
    }
    for command in commands {
      let condition = "__fish_seen_subcommand_from \(command.name)"
      for option in command.options { script += fishOption(option, condition: condition) }
      switch command.completion {
      case .none: break
      case .words(let words):
        script += "complete -c tocsin -n '\(condition)' -a '\(words.joined(separator: " "))'\n"
      case .file: script += "complete -c tocsin -n '\(condition)' -F\n"
      case .alarm:
        script += "complete -c tocsin -n '\(condition)' -a '(tocsin ids 2>/dev/null)'\n"
      }
    }
    return script
  }

  private static func fishOption(_ option: OptionSpec, condition: String?) -> String {
    var line = "complete -c tocsin"
    if let condition { line += " -n '\(condition)'" }
    line += " -l \(option.name)"
    if let short = option.short { line += " -s \(short)" }
    if option.value != nil {
      switch option.completion {
      case .none: line += " -x"
      case .words(let words): line += " -x -a '\(words.joined(separator: " "))'"
      case .file: line += " -r -F"
      case .alarm: line += " -x -a '(tocsin ids 2>/dev/null)'"
      }
    }
    return line + " -d \(fishQuoted(option.help))\n"
  }

  /// In fish's single quotes only the quote and the backslash are special.
  private static func fishQuoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
