import TocsinModel

/// All commands, in the order of the help.
enum CommandTable {
  static let all: [CommandSpec] = scheduling + asking + acting + serving

  /// Those that the help and the completions show.
  static var visible: [CommandSpec] { all.filter { !$0.isHidden } }

  /// Words of other programs, and what they are called here.
  static let otherWords = [
    "add": "alarm", "set": "alarm", "new": "alarm", "start": "timer", "countdown": "timer",
    "ls": "list", "alarms": "list", "rm": "cancel", "delete": "cancel", "remove": "cancel",
    "dismiss": "stop", "off": "stop", "unpause": "resume", "continue": "resume",
    "info": "show", "log": "history", "explain": "when", "change": "edit", "on": "enable",
    "follow": "watch", "events": "watch", "check": "config", "completions": "completion",
  ]

  private static let scheduling = [
    CommandSpec(
      "alarm",
      takes: "TIME [TITLE]",
      count: 1...64,
      "Set an alarm",
      discussion: """
        TIME is a clock with or without a day, such as 7:30, tomorrow 7am,
        "weekdays 6:00, 7:30", "sat,sun 9:00", 2027-03-28 7:00, or a span: in 10m.
        As many words as mean a time are the time, the rest is the title. Several
        clocks make several alarms. A time that has passed today rings tomorrow.

        With a daemon the alarm is handed over. Without one tocsin itself rings, until
        it is answered: Enter stops, s snoozes, p pauses, q leaves.
        """,
      options: [
        OptionSpec(
          "on",
          value: "DAYS",
          "Ring on these days of every week",
          completion: .words([
            "weekdays", "weekends", "daily", "mon", "tue", "wed", "thu", "fri", "sat", "sun",
          ])
        ),
        OptionSpec("date", value: "DATE", "Ring on this date only, such as 2027-03-28"),
        OptionSpec("tz", value: "ZONE", "Go by this zone's clocks, such as Europe/Berlin"),
        OptionSpec("pre", value: "LENGTH", "Count down this long before it rings"),
      ] + sound + setting,
      examples: [
        .init(
          line: "tocsin alarm 7:30 \"Wake up\" --on weekdays --snooze 9m",
          what: "Every weekday; a snooze lasts nine minutes."
        ),
        .init(line: "tocsin alarm tomorrow 6am Airport", what: "Once."),
        .init(line: "tocsin alarm in 20m Laundry", what: "At a fixed moment."),
        .init(
          line: "tocsin alarm \"sun 2:30\" --tz Europe/Berlin --dry-run",
          what: "Says what would be set, and sets nothing."
        ),
      ],
      run: runAlarm
    ),
    CommandSpec(
      "timer",
      takes: "LENGTH [TITLE]",
      count: 1...64,
      "Count down, then ring",
      discussion: """
        LENGTH is such as 10m, 1h30m, 90s, 0.5s or 1:30:00; zero and less are refused.
        A clock such as 7:30 is for: tocsin alarm.

        With a daemon the timer is handed over. Without one tocsin itself counts and
        rings, until it is answered: Enter stops, s snoozes, p pauses, q leaves.
        """,
      options: sound + setting,
      examples: [
        .init(line: "tocsin timer 10m Tea", what: "Rings in ten minutes."),
        .init(line: "tocsin timer 1h 30m Bread --follow", what: "Stays and shows what is left."),
      ],
      run: runTimer
    ),
    CommandSpec(
      "edit",
      takes: "ID",
      count: 1...1,
      completion: .alarm,
      "Change an alarm in place",
      discussion: "What is not named stays. With --at alone the days stay too.",
      options: [
        OptionSpec("at", value: "TIME", "Ring at this time"),
        OptionSpec("for", value: "LENGTH", "Let a timer run this long"),
        OptionSpec("on", value: "DAYS", "Ring on these days of every week"),
        OptionSpec("date", value: "DATE", "Ring on this date only"),
        OptionSpec("tz", value: "ZONE", "Go by this zone's clocks"),
        OptionSpec("title", value: "TEXT", "Call it this"),
        OptionSpec("pre", value: "LENGTH", "Count down this long before it rings; 0s: not at all"),
      ] + sound + [OptionSpec("dry-run", "Say what would change, and change nothing"), .json],
      examples: [
        .init(line: "tocsin edit 1b4e --at 7:15", what: "The same days, a quarter earlier.")
      ],
      run: runEdit
    ),
    CommandSpec(
      "when",
      takes: "TIME",
      count: 1...64,
      "Say when a time text rings, without setting anything",
      discussion: """
        Tells times that a change of the clocks leaves out (they ring as read with the
        offset before it) and times that come twice (they ring the first time).
        """,
      options: [
        OptionSpec("number", short: "n", value: "N", "Show the next N times; 1 if not given"),
        OptionSpec("tz", value: "ZONE", "Go by this zone's clocks"),
        OptionSpec("from", value: "INSTANT", "Begin there, such as 2027-03-27T12:00:00Z"),
        .json,
      ],
      examples: [
        .init(
          line: "tocsin when \"sun 02:30\" --tz Europe/Berlin -n 5",
          what: "The next five times."
        )
      ],
      run: runWhen
    ),
  ]

  private static let asking = [
    CommandSpec(
      "list",
      "Show the alarms, the next to ring first",
      discussion: """
        A table on a terminal; in a pipe one line each without headings, with tabs
        between: UUID, next time, seconds left, state, title, days.
        """,
      options: [
        OptionSpec(
          "state",
          value: "STATE",
          "Only those in this state",
          completion: .words(["scheduled", "countdown", "paused", "alerting"])
        ),
        OptionSpec("limit", value: "N", "At most this many"),
        .json,
      ],
      run: runList
    ),
    CommandSpec("next", "Show the alarm that rings next", options: [.json], run: runNext),
    CommandSpec(
      "show",
      takes: "ID…",
      count: 1...64,
      completion: .alarm,
      "Show all about an alarm",
      options: [.json],
      run: runShow
    ),
    CommandSpec(
      "history",
      takes: "[ID]",
      count: 0...1,
      completion: .alarm,
      "Show what happened, the newest first",
      options: [
        OptionSpec("missed", "Only what reached nobody"),
        OptionSpec("number", short: "n", value: "N", "At most this many; 100 if not given"),
        .json,
      ],
      run: runHistory
    ),
    CommandSpec(
      "watch",
      "Print what happens, as it happens",
      discussion: "With --json one object a line: the events that sinks read.",
      options: [.json],
      run: runWatch
    ),
  ]

  private static let acting = [
    action("stop", "Stop what rings", discussion: "--all means all that ring or snooze.", .stop),
    action(
      "snooze",
      "Silence what rings, and ring again later",
      options: [OptionSpec("for", value: "LENGTH", "Snooze this long")],
      discussion: "--all means all that ring.",
      .snooze,
      duration: "for"
    ),
    action("pause", "Halt a countdown", .pause),
    action("resume", "Go on with a halted countdown", .resume),
    action(
      "skip",
      "Leave out the next time of a repeating alarm",
      options: [OptionSpec("undo", "Take a skip back")],
      .skip
    ),
    action("enable", "Let a disabled alarm ring again", .enable),
    action("disable", "Keep an alarm, but let it not ring", .disable),
    action(
      "cancel",
      "Delete an alarm, whatever it does",
      options: [OptionSpec("yes", short: "y", "Do not ask before --all")],
      discussion: "--all asks on a terminal, and elsewhere needs --yes.",
      .cancel
    ),
    CommandSpec(
      "extend",
      takes: "[ID…] LENGTH",
      count: 1...64,
      completion: .alarm,
      "Lengthen a countdown, or shorten it with a minus",
      discussion: actionDiscussion,
      options: actionOptions,
      examples: [
        .init(line: "tocsin extend 5m", what: "The only countdown ends five minutes later."),
        .init(line: "tocsin extend Tea -30s", what: "Tea ends half a minute earlier."),
      ],
      run: { invocation, session throws(CommandFailure) in
        try ActionCommand(action: .extend).run(invocation, session)
      }
    ),
    action("restart", "Count again from the full length", .restart),
  ]

  private static let serving = [
    CommandSpec(
      "simulate",
      takes: "FILE",
      count: 1...1,
      completion: .file,
      "Play a timeline on a virtual clock",
      discussion: "Prints one JSON object a line for each event. - reads standard input.",
      options: [OptionSpec("json", "The same: simulate always prints JSON")],
      run: runSimulate
    ),
    CommandSpec(
      "sinks",
      "Show what presents alarms, and how it does",
      options: [.json],
      run: runSinks
    ),
    CommandSpec("status", "Show how the daemon does", options: [.json], run: runStatus),
    CommandSpec("reload", "Let the daemon read plugins.conf again", run: runReload),
    CommandSpec(
      "backup",
      takes: "FILE",
      count: 1...1,
      completion: .file,
      "Copy the store into a file",
      run: runBackup
    ),
    CommandSpec(
      "restore",
      takes: "FILE",
      count: 1...1,
      completion: .file,
      "Put a copy of the store in its place",
      discussion: "Only while no daemon runs.",
      run: runRestore
    ),
    CommandSpec(
      "config",
      takes: "check|show",
      count: 1...1,
      completion: .words(["check", "show"]),
      "Check plugins.conf, or show what it comes to",
      options: [
        OptionSpec("file", value: "FILE", "This file, not the one in use", completion: .file),
        .json,
      ],
      run: runConfig
    ),
    CommandSpec(
      "completion",
      takes: "bash|zsh|fish",
      count: 1...1,
      completion: .words(["bash", "zsh", "fish"]),
      "Print completions for a shell",
      examples: [
        .init(
          line: "tocsin completion bash > ~/.local/share/bash-completion/completions/tocsin",
          what: "For bash; new shells have them."
        )
      ],
      run: runCompletion
    ),
    pluginCheck,
    CommandSpec(
      "help",
      takes: "[COMMAND]",
      count: 0...1,
      "Show this help",
      isHidden: true,
      run: runHelp
    ),
    CommandSpec("ids", "List alarms for completions", isHidden: true, run: runIDs),
  ]

  private static let sound = [
    OptionSpec(
      "sound",
      value: "SOUND",
      "A sound file, a name of the sound theme, or none",
      completion: .file
    ),
    OptionSpec("volume", value: "PERCENT", "How loud, such as 80%"),
    OptionSpec("fade", value: "LENGTH", "Grow to that volume over this time"),
    OptionSpec("snooze", value: "LENGTH", "How long a snooze lasts"),
    OptionSpec("snooze-limit", value: "N", "How often it can be snoozed by hand; 0: never"),
    OptionSpec("ring-for", value: "LENGTH", "Ring unanswered this long; 0s: until answered"),
    OptionSpec("auto-snooze", value: "N", "How often it snoozes itself before it counts as missed"),
    OptionSpec("priority", value: "N", "Of several that ring the highest is heard: -100 to 100"),
    OptionSpec("label", value: "WORD", "A word for routes; may be given again", repeats: true),
  ]

  private static let setting = [
    OptionSpec("title", value: "TEXT", "The title; then all other words are the time"),
    OptionSpec("id", value: "UUID", "Its identity; a random one if not given"),
    OptionSpec("disabled", "Keep it, but let it not ring yet"),
    OptionSpec("follow", "Stay and show it until it ends"),
    OptionSpec("dry-run", "Say what would be set, and set nothing"),
    .json,
  ]

  private static let actionOptions = [
    OptionSpec("all", "All that it can apply to"), OptionSpec.json,
  ]

  private static let actionDiscussion = """
    ID is a UUID, the beginning of one, or a title. Without any, the only alarm that
    it can apply to is meant.
    """

  private static func action(
    _ name: String,
    _ abstract: String,
    options: [OptionSpec] = [],
    discussion: String = "",
    _ action: AlarmAction,
    duration: String? = nil
  ) -> CommandSpec {
    let command = ActionCommand(action: action, durationOption: duration)
    return CommandSpec(
      name,
      takes: "[ID…]",
      count: 0...64,
      completion: .alarm,
      abstract,
      discussion: discussion.isEmpty ? actionDiscussion : actionDiscussion + "\n" + discussion,
      options: options + actionOptions,
      run: { invocation, session throws(CommandFailure) in try command.run(invocation, session) }
    )
  }
}

/// `tocsin help`.
private func runHelp(_ invocation: Invocation, _ session: Session) throws(CommandFailure)
  -> ExitCode
{
  guard let name = invocation.operands.first else {
    session.write(HelpText.overview(CommandTable.visible))
    return .success
  }
  guard let command = CommandTable.all.first(where: { $0.name == name }) else {
    throw .usage("there is no command \"\(name.printable)\"; see: tocsin --help")
  }
  session.write(HelpText.page(for: command))
  return .success
}
