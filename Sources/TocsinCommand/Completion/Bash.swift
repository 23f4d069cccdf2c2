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
    var lines = OptionSpec.common.compactMap { bashValue($0, command: "*") }
    for command in commands {
      lines += command.options.compactMap { bashValue($0, command: command.name) }
    }
    return lines.joined()
  }

  private static func bashValue(_ option: OptionSpec, command: String) -> String? {
    guard option.value != nil else { return nil }
    let short = option.short.map { " | \(command):-\($0)" } ?? ""
    let action =
      switch option.completion {
      case .none: "return"
      case .words(let words):
        "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$current\")\n"
          + "      return"
      case .file:
        "compopt -o filenames 2>/dev/null\n"
          + "      mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n      return"
      case .alarm:
        "mapfile -t COMPREPLY < <(compgen -W \"$(_tocsin_alarms)\" -- \"$current\")\n      return"
      }
    return "    \(command):--\(option.name)\(short))\n      \(action)\n      ;;\n"
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
