import TocsinModel
import TocsinTime

/// All that a plugin is put through once it has said `ready`, in order.
struct CheckPlan: Sendable {
  private(set) var checks: [PluginCheck] = []
  /// The occurrences that it is told of, and that its intents may name.
  let occurrences: Set<OccurrenceID>

  private static let readLines =
    "read standard input line by line and answer each event with its seq"
  private static let skipLines = "skip a line that cannot be read and go on with the next"

  /// Makes the plan for alarms that are due now.
  init(now: Instant) {
    var lines = RouterLines(now: now)
    var checks: [PluginCheck] = []

    /// Events, each of which wants its receipt, and whether it is still there afterwards.
    func add(
      _ id: String,
      _ what: String,
      _ texts: [RouterText],
      pausing: Bool = false,
      answered: [UInt64]? = nil,
      _ remedy: String
    ) {
      var steps: [PluginCheck.Step] = []
      if pausing {
        for text in texts { steps += [.write(text), .pause] }
      } else {
        steps = [.write(texts.dropFirst().reduce(texts[0], +))]
      }
      let seqs = answered ?? texts.flatMap(\.seqs)
      if !seqs.isEmpty { steps.append(.wait(.receipts(seqs))) }
      steps += [.write(RouterLines.ping), .wait(.pong)]
      checks.append(PluginCheck(id: id, what: what, steps: steps, remedy: remedy))
    }

    add(
      "ping",
      "takes an empty sync and answers ping",
      [RouterLines.sync([])],
      "write {\"type\":\"pong\"} as soon as a ping is read, and flush standard output"
    )
    add(
      "sync",
      "takes a sync in which something rings",
      [RouterLines.sync([lines.presentation(1, .alerting)])],
      "present what sync holds as if each had come as an event, and answer its seq"
    )
    add("alert", "answers an alert", [lines.present(2)], Self.readLines)
    add("cleared", "answers cleared", [lines.clear(2), lines.clear(1)], Self.readLines)
    add(
      "at-once",
      "answers an alert and its end in one go",
      [lines.present(3), lines.clear(3)],
      answered: [lines.seq],
      "look for more than one line in what was read at once"
    )
    add(
      "snooze",
      "answers a snooze, a pause and the next ring of the same occurrence",
      [
        lines.present(4), lines.present(4, .countdown), lines.present(4, .paused), lines.present(4),
      ],
      answered: [lines.seq],
      "take each event for the whole new state of its occurrence"
    )
    add(
      "rerouted",
      "answers the end of what goes on elsewhere",
      [lines.clear(4, .rerouted)],
      "withdraw whatever the reason of cleared is, known or not"
    )
    add(
      "parts",
      "answers an alert that is for a part it may not have",
      [lines.present(35, parts: ["no-such-part"])],
      "without parts ignore the key; with parts answer failed for one that is not there"
    )
    add(
      "unknown-keys",
      "ignores keys it does not know",
      [RouterLines.withUnknownKeys(lines.present(5))],
      "use a JSON parser and look only at the keys you need"
    )
    add(
      "unknown-type",
      "ignores types it does not know",
      [RouterLines.unknownType],
      "ignore a type you do not know: later versions add some"
    )
    add(
      "asides",
      "takes missed, secondary and notice",
      [lines.asides()],
      answered: [],
      "ignore the types you have no use for"
    )
    add(
      "title",
      "takes a title with quotes, line ends, escapes and emoji",
      [lines.present(6, title: RouterLines.wildTitle)],
      "use a JSON parser, and write texts with one"
    )
    add(
      "nested",
      "takes metadata 200 arrays deep",
      [lines.present(7, metadata: RouterLines.nested(200))],
      "skip values you do not need without recursion, or with a parser that goes 200 deep"
    )
    add(
      "long",
      "takes a line of 63 KiB",
      [
        lines.present(
          8,
          title: String(repeating: "long ", count: 3_000),
          metadata: .string(String(repeating: "x", count: 49_200))
        )
      ],
      "make room for lines of 64 KiB"
    )
    let halves = lines.present(9)
    let half = halves.bytes.count / 2
    add(
      "halves",
      "takes a line that comes in two halves",
      [
        RouterText(bytes: Array(halves.bytes[..<half]), seqs: halves.seqs),
        RouterText(bytes: Array(halves.bytes[half...])),
      ],
      pausing: true,
      "keep what was read until its line end has come"
    )
    for (id, what, text) in [
      ("empty-line", "skips an empty line", "\n"),
      ("garbage", "skips a line that is no JSON", "}{ this is \"no JSON\n"),
      ("no-object", "skips a line that is no object", "[1,\"type\",null]\n"),
    ] {
      add(id, what, [RouterText(bytes: Array(text.utf8))], Self.skipLines)
    }
    add(
      "no-utf8",
      "skips a line that is not UTF-8",
      [RouterText(bytes: [0x22, 0xff, 0xfe, 0x80, 0xc3, 0x22, 10])],
      "read bytes, and skip a line that cannot be decoded"
    )
    // Stopped, rung and snoozed by a hundred hands; only the last state of each is to be seen.
    var storm = RouterText(bytes: [])
    var newest: [UInt64] = []
    for round in 0..<25 {
      let state: AlarmState = round % 2 == 0 ? .alerting : .countdown
      let states = (10..<30).map { lines.present($0, state) }
      newest = states.flatMap(\.seqs)
      storm = states.reduce(storm, +)
    }
    add(
      "newest",
      "answers the newest of 500 states of 20 alarms",
      [storm],
      answered: newest,
      "read on while you present, and of one occurrence present what came last"
    )
    add(
      "replaced",
      "takes a sync in place of all that rang",
      [RouterLines.sync([lines.presentation(30, .alerting)])],
      "sync replaces everything: withdraw what is not in it"
    )
    checks += Self.endings(&lines)
    self.checks = checks
    occurrences = lines.occurrences
  }

  /// The three ways in which it is told to end, each while something rings.
  private static func endings(_ lines: inout RouterLines) -> [PluginCheck] {
    [
      PluginCheck(
        id: "bye",
        what: "ends after bye",
        steps: [.write(RouterLines.bye), .closeInput, .wait(.end(isClean: true))],
        remedy: "withdraw everything, end your own children, and exit with status 0"
      ),
      PluginCheck(
        id: "end-of-input",
        what: "ends when its input does",
        steps: [
          .write(RouterLines.sync([lines.presentation(31, .alerting)])),
          .wait(.receipts([lines.seq])),
          .closeInput, .wait(.end(isClean: true)),
        ],
        remedy: "take the end of standard input for a bye",
        isFresh: true
      ),
      PluginCheck(
        id: "sigterm",
        what: "ends on SIGTERM",
        steps: [
          .write(RouterLines.sync([lines.presentation(32, .alerting)])),
          .wait(.receipts([lines.seq])),
          .terminate, .wait(.end(isClean: false)),
        ],
        remedy: "do not ignore SIGTERM, nor let a child outlive it",
        isFresh: true
      ),
    ]
  }
}
