extension CompletionScript {
  /// A function for `compdef`, with `_arguments` for each command.
  static func zsh(_ commands: [CommandSpec]) -> String {
    let names = commands.map { "        \(quoted("\($0.name):\($0.abstract)"))\n" }.joined()
    return """
      #compdef tocsin
      # zsh completion for tocsin, made by: tocsin completion zsh

      _tocsin_alarms() {
        local -a alarms
        alarms=(${(f)"$(_call_program alarms $service ids 2>/dev/null)"})
        alarms=(${alarms//$'\\t'/:})
        _describe -t alarms alarm alarms
      }

      _tocsin() {
        local curcontext=$curcontext state line
        typeset -A opt_args
        _arguments -C \\
      \(OptionSpec.common.map { "    " + zshOption($0) + " \\\n" }.joined())\
          '1: :->command' \\
          '*:: :->argument' && return
        case $state in
          command)
            local -a commands
            commands=(
      \(names)      )
            _describe -t commands command commands
            ;;
          argument)
            case $words[1] in
      \(commands.map(zshCommand).joined())      esac
            ;;
        esac
      }

      if [[ $funcstack[1] == _tocsin ]]; then
        _tocsin "$@"
      else
        compdef _tocsin tocsin
      fi

      """
  }

  private static func zshCommand(_ command: CommandSpec) -> String {
    let options = command.allOptions.map { "            " + zshOption($0) + " \\\n" }.joined()
    let operands = command.operands.replacingZshColons
    let rest =
      switch command.completion {
      case .none: command.count.upperBound == 0 ? "" : "'*:\(operands): '"
      case .words(let words): "'1:\(operands):(\(words.joined(separator: " ")))'"
      case .file: "'1:\(operands):_files'"
      case .alarm: "'*:\(operands):_tocsin_alarms'"
      }
    let last = rest.isEmpty ? "" : "            \(rest)\n"
    return "        \(command.name))\n          _arguments -s \\\n"
      + (rest.isEmpty ? String(options.dropLast(3)) + "\n" : options) + last + "          ;;\n"
  }

  private static func zshOption(_ option: OptionSpec) -> String {
    let help = option.help.filter { $0 != "[" && $0 != "]" }.replacingZshColons
    var value = ""
    if let name = option.value {
      let action =
        switch option.completion {
        case .none: " "
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .file: "_files"
        case .alarm: "_tocsin_alarms"
        }
      value = ":\(name):\(action)"
    }
    let long = "--\(option.name)\(option.value == nil ? "" : "=")"
    let star = option.repeats ? "*" : ""
    guard let short = option.short else {
      return quoted("\(star)\(long)[\(help)]\(value)")
    }
    let shortForm = "-\(short)\(option.value == nil ? "" : "+")"
    return quoted("(-\(short) --\(option.name))") + "{\(shortForm),\(long)}"
      + quoted("[\(help)]\(value)")
  }
}

extension String {
  /// A colon ends a field of `_arguments` unless it is escaped.
  fileprivate var replacingZshColons: String {
    split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:")
  }
}
