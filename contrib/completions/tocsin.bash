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
      --socket | --color) ((i++)) ;;
      -*) ;;
      *)
        command=${COMP_WORDS[i]}
        break
        ;;
    esac
  done
  case $command:$previous in
    *:--socket)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    *:--color)
      mapfile -t COMPREPLY < <(compgen -W 'always never auto' -- "$current")
      return
      ;;
    alarm:--date | alarm:--tz | alarm:--pre | alarm:--volume | alarm:--fade | alarm:--snooze | alarm:--snooze-limit | alarm:--ring-for | alarm:--auto-snooze | alarm:--priority | alarm:--label | alarm:--title | alarm:--id)
      return
      ;;
    alarm:--on)
      mapfile -t COMPREPLY < <(compgen -W 'weekdays weekends daily mon tue wed thu fri sat sun' -- "$current")
      return
      ;;
    alarm:--sound)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    timer:--volume | timer:--fade | timer:--snooze | timer:--snooze-limit | timer:--ring-for | timer:--auto-snooze | timer:--priority | timer:--label | timer:--title | timer:--id)
      return
      ;;
    timer:--sound)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    edit:--at | edit:--for | edit:--on | edit:--date | edit:--tz | edit:--title | edit:--pre | edit:--volume | edit:--fade | edit:--snooze | edit:--snooze-limit | edit:--ring-for | edit:--auto-snooze | edit:--priority | edit:--label)
      return
      ;;
    edit:--sound)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    when:--number | when:-n | when:--tz | when:--from)
      return
      ;;
    list:--limit)
      return
      ;;
    list:--state)
      mapfile -t COMPREPLY < <(compgen -W 'scheduled countdown paused alerting' -- "$current")
      return
      ;;
    history:--number | history:-n)
      return
      ;;
    snooze:--for)
      return
      ;;
    config:--file)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
  esac
  if [[ $current == -* ]]; then
    case $command in
      alarm) words='--on --date --tz --pre --sound --volume --fade --snooze --snooze-limit --ring-for --auto-snooze --priority --label --title --id --disabled --follow --dry-run --json --socket --color --help --version' ;;
      timer) words='--sound --volume --fade --snooze --snooze-limit --ring-for --auto-snooze --priority --label --title --id --disabled --follow --dry-run --json --socket --color --help --version' ;;
      edit) words='--at --for --on --date --tz --title --pre --sound --volume --fade --snooze --snooze-limit --ring-for --auto-snooze --priority --label --dry-run --json --socket --color --help --version' ;;
      when) words='--number --tz --from --json --socket --color --help --version' ;;
      list) words='--state --limit --json --socket --color --help --version' ;;
      next) words='--json --socket --color --help --version' ;;
      show) words='--json --socket --color --help --version' ;;
      history) words='--missed --number --json --socket --color --help --version' ;;
      watch) words='--json --socket --color --help --version' ;;
      stop) words='--all --json --socket --color --help --version' ;;
      snooze) words='--for --all --json --socket --color --help --version' ;;
      pause) words='--all --json --socket --color --help --version' ;;
      resume) words='--all --json --socket --color --help --version' ;;
      skip) words='--undo --all --json --socket --color --help --version' ;;
      enable) words='--all --json --socket --color --help --version' ;;
      disable) words='--all --json --socket --color --help --version' ;;
      cancel) words='--yes --all --json --socket --color --help --version' ;;
      extend) words='--all --json --socket --color --help --version' ;;
      restart) words='--all --json --socket --color --help --version' ;;
      simulate) words='--json --socket --color --help --version' ;;
      sinks) words='--json --socket --color --help --version' ;;
      status) words='--json --socket --color --help --version' ;;
      reload) words='--socket --color --help --version' ;;
      backup) words='--socket --color --help --version' ;;
      restore) words='--socket --color --help --version' ;;
      config) words='--file --json --socket --color --help --version' ;;
      completion) words='--socket --color --help --version' ;;
      *) words='--socket --color --help --version' ;;
    esac
  else
    case $command in
      '') words='alarm timer edit when list next show history watch stop snooze pause resume skip enable disable cancel extend restart simulate sinks status reload backup restore config completion' ;;
      edit) words=$(_tocsin_alarms) ;;
      show) words=$(_tocsin_alarms) ;;
      history) words=$(_tocsin_alarms) ;;
      stop) words=$(_tocsin_alarms) ;;
      snooze) words=$(_tocsin_alarms) ;;
      pause) words=$(_tocsin_alarms) ;;
      resume) words=$(_tocsin_alarms) ;;
      skip) words=$(_tocsin_alarms) ;;
      enable) words=$(_tocsin_alarms) ;;
      disable) words=$(_tocsin_alarms) ;;
      cancel) words=$(_tocsin_alarms) ;;
      extend) words=$(_tocsin_alarms) ;;
      restart) words=$(_tocsin_alarms) ;;
      simulate)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
      backup)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
      restore)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return
        ;;
      config) words='check show' ;;
      completion) words='bash zsh fish' ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -F _tocsin tocsin
