import TocsinModel

extension CommandTable {
  /// What changes alarms that exist, and what keeps them quiet.
  static let acting = [
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
    switching("enable", "Let a disabled alarm ring again, or start a sink", isEnabled: true),
    switching(
      "disable",
      "Keep an alarm, but let it not ring, or stop a sink",
      isEnabled: false
    ),
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
    CommandSpec(
      "silence",
      takes: "[MATCH… for LENGTH | end N…]",
      count: 0...64,
      "Let nobody present some alarms for a while",
      discussion: """
        MATCH is as in plugins.conf: kind:timer, title:"Wake*", label:work, priority:<=0,
        sound:none, alarm:1b4e; a ! before a term turns it around; all is everything.
        Without words the silences that stand are shown with their numbers. The daemon
        says when one is over; at the latest it is over when the daemon ends.
        """,
      options: [
        OptionSpec("for", value: "LENGTH", "For how long, as after the word for"),
        OptionSpec("all", "With end: all silences"), .json,
      ],
      examples: [
        .init(
          line: "tocsin silence label:work for 2h",
          what: "Nothing labelled work is presented."
        ),
        .init(line: "tocsin silence all for 30m", what: "Nothing at all."),
        .init(line: "tocsin silence end 1", what: "The first is over."),
      ],
      run: runSilence
    ),
  ]

  private static let actionOptions = [
    OptionSpec("all", "All that it can apply to"), OptionSpec.json,
  ]

  private static let actionDiscussion = """
    ID is a UUID, the beginning of one, or a title. Without any, the only alarm that
    it can apply to is meant.
    """

  /// Of alarms, or of sinks.
  private static func switching(
    _ name: String,
    _ abstract: String,
    isEnabled: Bool
  ) -> CommandSpec {
    let command = SwitchCommand(isEnabled: isEnabled)
    return CommandSpec(
      name,
      takes: "[ID…]",
      count: 0...64,
      completion: .alarm,
      abstract,
      discussion: actionDiscussion + """

        If no alarm has the name and a sink has, the sink is meant, until the daemon ends.
        """,
      options: [
        OptionSpec("alarm", "Names are alarms' names"),
        OptionSpec("sink", "Names are sinks' names, as tocsin sinks shows them"),
      ] + actionOptions,
      run: { invocation, session throws(CommandFailure) in try command.run(invocation, session) }
    )
  }

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
