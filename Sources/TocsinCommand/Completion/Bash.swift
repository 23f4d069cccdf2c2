extension CompletionScript {
  /// A function for `complete -F`; bash 4.4 or newer.
  static func bash(_ commands: [CommandSpec]) -> String {
    let skipping = OptionSpec.common.filter { $0.value != nil }.map { "--\($0.name)" }
    return """
      # bash completion for tocsin, made by: tocsin completion bash

      _tocsin_alarms() {
        "${COMP_WORDS[0]}" ids 2>/dev/null | cut -f 1
      }

      _tocsin() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
        local command='' words='' i
        COMPREPLY=()
        # "=" is a word of its own to bash.
        if [[ $current == '=' ]]; then
          current=''
        elif [[ $previous == '=' && $COMP_CWORD -ge 2 ]]; then
          previous=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        for ((i = 1; i < COMP_CWORD; i++)); do
          case ${COMP_WORDS[i]} in
            \(skipping.joined(separator: " | "))) ((i++)) ;;
            -*) ;;
            *)
              command=${COMP_WORDS[i]}
              break
              ;;
          esac
        done
        case $command:$previous in
      \(bashValues(commands))  esac
        if [[ $current == -* ]]; then
          case $command in
      \(bashOptions(commands))    esac
        else
          case $command in
            '') words='\(commands.map(\.name).joined(separator: " "))' ;;
      \(bashOperands(commands))    esac
        fi
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
      }

      complete -F _tocsin tocsin

      """
  }

  private static func bashValues(_ commands: [CommandSpec]) -> String {
    let lists = [("*", OptionSpec.common)] + commands.map { ($0.name, $0.options) }
    return lists.map { command, options in
      let taking = options.filter { $0.value != nil }
      let silent = taking.filter { $0.completion == .none }
      let patterns = silent.map { bashPattern($0, command) }.joined(separator: " | ")
      let nothing = silent.isEmpty ? "" : "    \(patterns))\n      return\n      ;;\n"
      return nothing
        + taking.filter { $0.completion != .none }.map { bashValue($0, command) }.joined()
    }.joined()
  }

  private static func bashPattern(_ option: OptionSpec, _ command: String) -> String {
    "\(command):--\(option.name)" + (option.short.map { " | \(command):-\($0)" } ?? "")
  }

  private static func bashValue(_ option: OptionSpec, _ command: String) -> String {
    var lines: [String] = []
    switch option.completion {
    case .none: break
    case .words(let words): lines = [bashCompletion("-W '\(words.joined(separator: " "))'")]
    case .file: lines = ["compopt -o filenames 2>/dev/null", bashCompletion("-f")]
    case .alarm: lines = [bashCompletion("-W \"$(_tocsin_alarms)\"")]
    }
    lines = [bashPattern(option, command) + ")"] + (lines + ["return", ";;"]).map { "  \($0)" }
    return lines.map { "    \($0)\n" }.joined()
  }

  private static func bashCompletion(_ what: String) -> String {
    "mapfile -t COMPREPLY < <(compgen \(what) -- \"$current\")"
  }

  private static func bashOptions(_ commands: [CommandSpec]) -> String {
    let common = OptionSpec.common.map { "--\($0.name)" }.joined(separator: " ")
    let lines = commands.map { command in
      let own = command.allOptions.map { "--\($0.name)" }.joined(separator: " ")
      return "      \(command.name)) words='\(own)' ;;\n"
    }
    return lines.joined() + "      *) words='\(common)' ;;\n"
  }

  private static func bashOperands(_ commands: [CommandSpec]) -> String {
    commands.compactMap { command in
      switch command.completion {
      case .none: return nil
      case .words(let words):
        return "      \(command.name)) words='\(words.joined(separator: " "))' ;;\n"
      case .alarm:
        return "      \(command.name)) words=$(_tocsin_alarms) ;;\n"
      case .file:
        return """
                \(command.name))
                  compopt -o filenames 2>/dev/null
                  mapfile -t COMPREPLY < <(compgen -f -- "$current")
                  return
                  ;;

          """
      }
    }.joined()
  }
}
