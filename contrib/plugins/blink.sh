#!/bin/sh
# A sink that blinks a light while something rings: the keyboard's Caps Lock, or any other LED that
# Linux knows of; without one it prints a line. Any POSIX shell runs it, and nothing else is needed.
#
#   [plugin blink]
#   run = /path/to/blink.sh
#   led = /sys/class/leds/input3::capslock
#
# `led` is the LED's folder; without it the first Caps Lock there is. Its files belong to root: give
# the daemon's user the right to write `brightness` and `trigger` (a udev rule), or it says failed.
# With `stdout = yes` the line goes to the daemon's standard output, else to its log.
LC_ALL=C
set -f
led='' before='' rings='' # the occurrences that ring, each with a space behind it

# Takes a line apart: type, seq, occurrence, title, and of a sync its items. A title may hold
# anything, so it is read as JSON is: first all that is escaped is taken out, so that each quote that
# is left begins or ends a text; then the texts are told from what stands between them.
parse() {
  type='' seq='' occurrence='' title='' items='' setting=''
  item_type='' item_seq='' item_occurrence=''
  case $1 in '{'*'}') rest=$1 text='' ;; *) return 1 ;; esac
  while :; do
    case $rest in
      *\\*) text=$text${rest%%\\*} rest=${rest#*\\} rest=${rest#?} ;;
      *) break ;;
    esac
  done
  IFS='"'
  # shellcheck disable=SC2086 # it is to be split, at quotes
  set -- $text$rest
  unset IFS
  depth=0 word='' key='' in_text='' is_value=''
  for part; do
    if [ "$in_text" ]; then
      word=$part in_text=''
      continue
    fi
    in_text=1 part=${part#"${part%%[! ]*}"} part=${part%"${part##*[! ]}"}
    case $part in
      :*)
        number=${part#"${part%%[0-9]*}"} number=${number%%[!0-9]*} key=$word
        case $depth$key in 1seq) seq=$number ;; 3seq) item_seq=$number ;; esac
        ;;
      *)
        [ "$is_value" ] && case $depth$key in
          1type) type=$word ;; 1occurrence) occurrence=$word ;; 1title) title=$word ;;
          3type) item_type=$word ;; 3occurrence) item_occurrence=$word ;; 2led) setting=$word ;;
        esac
        ;;
    esac
    is_value=''
    [ "$part" = : ] && is_value=1
    while part=${part#"${part%%[][\{\}]*}"} && [ "$part" ]; do
      case $part in
        [\[\{]*) depth=$((depth + 1)) ;;
        *)
          depth=$((depth - 1))
          if [ $depth = 2 ] && [ "$item_seq" ]; then
            items="$items $item_type=$item_seq=$item_occurrence" item_type='' item_seq=''
          fi
          ;;
      esac
      part=${part#?}
    done
  done
}

say() { printf '%s\n' "$1"; }

put() { { printf '%s\n' "$1" >"$led/$2"; } 2>/dev/null; }

# Lets the light do what `rings` says, and answers the event with the number $1.
show() {
  state=presented
  if [ -z "$led" ]; then
    [ -z "$2" ] || { printf '%s rings\n' "$2" >&3; } 2>/dev/null || printf '%s rings\n' "$2" >&2
  elif [ "$rings" ]; then
    # The kernel blinks by itself where it can; elsewhere the light is on.
    put timer trigger || put 1 brightness || state=failed
  else
    put "${before:-none}" trigger
    put 0 brightness
  fi
  if [ $state = failed ]; then
    say "{\"type\":\"failed\",\"seq\":$1,\"reason\":\"the light cannot be switched: see blink.sh\"}"
  elif [ "$1" ]; then
    say "{\"type\":\"presented\",\"seq\":$1}"
  fi
}

# Takes an occurrence off the list.
forget() { case $rings in *"$1 "*) rings=${rings%%"$1 "*}${rings#*"$1 "} ;; esac; }

while IFS= read -r line; do
  parse "$line" || continue
  case $type in
    hello)
      set +f
      for led in "$setting" /sys/class/leds/*::capslock; do [ -e "$led/brightness" ] && break; led=''; done
      set -f
      [ -n "$led$setting" ] && led=${setting:-$led}
      [ "$led" ] && before=$(sed -n 's/.*\[\(.*\)\].*/\1/p' "$led/trigger" 2>/dev/null)
      say '{"type":"ready","name":"blink","version":"1","capabilities":["light"],"audible":false}'
      ;;
    sync)
      rings=''
      for item in $items; do [ "${item%%=*}" = alert ] && rings="$rings${item##*=} "; done
      show ''
      for item in $items; do item=${item#*=} && show "${item%%=*}" ''; done
      ;;
    alert) forget "$occurrence" && rings="$rings$occurrence " && show "$seq" "${title:-Something}" ;;
    countdown | paused | cleared) forget "$occurrence" && show "$seq" ;;
    ping) say '{"type":"pong"}' ;;
    bye) break ;;
  esac
done
rings='' && show ''
