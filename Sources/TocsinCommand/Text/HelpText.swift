/// The help, from the table of commands.
enum HelpText {
  /// The list of commands.
  static func overview(_ commands: [CommandSpec]) -> String {
    let width = commands.map(\.name.count).max() ?? 0
    let lines = commands.map { command in
      let gap = String(repeating: " ", count: width - command.name.count + 2)
      return "  \(command.name)\(gap)\(command.abstract)\n"
    }.joined()
    return """
      Alarms and timers that reach you.

      Usage: tocsin COMMAND [OPTION]… [WORD]…

        tocsin timer 10m Tea
        tocsin alarm 7:30 "Wake up" --on weekdays

      Commands:
      \(lines)
      More about a command: tocsin COMMAND --help

      """
  }

  /// All about one command.
  static func page(for command: CommandSpec) -> String {
    var page = "\(command.abstract).\n\nUsage: \(usage(command))\n"
    if !command.discussion.isEmpty { page += "\n\(command.discussion)\n" }
    page += "\nOptions:\n" + options(command.allOptions)
    if !command.examples.isEmpty {
      page += "\nExamples:\n"
      for example in command.examples { page += "  \(example.line)\n      \(example.what)\n" }
    }
    return page
  }

  /// The usage line.
  static func usage(_ command: CommandSpec) -> String {
    ["tocsin", command.name, command.operands, "[OPTION]…"].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// How an option is written, such as `-n, --number N`.
  static func name(_ option: OptionSpec) -> String {
    let short = option.short.map { "-\($0), " } ?? ""
    return "\(short)--\(option.name)" + (option.value.map { " \($0)" } ?? "")
  }

  private static func options(_ options: [OptionSpec]) -> String {
    let width = options.map { name($0).count }.max() ?? 0
    return options.map { option in
      let name = name(option)
      let gap = String(repeating: " ", count: width - name.count + 2)
      return "  \(name)\(gap)\(option.help)\n"
    }.joined()
  }
}
