import TocsinModel
import TocsinTime

@testable import TocsinCommand

/// A session that prints on a page instead of a terminal.
final class Page {
  private(set) var out = ""
  private(set) var err = ""

  func print(_ text: String) { out += text }

  func complain(_ text: String) { err += text }

  /// Runs a command line in Berlin at a fixed time.
  ///
  func run(
    _ words: String...,
    now: String = "2026-11-30T22:18:00Z",
    environment: [String: String] = [:],
    terminal: Bool = false,
    width: Int = 80,
    answer: String? = nil
  ) -> Int32 {
    run(
      words,
      now: now,
      environment: environment,
      terminal: terminal,
      width: width,
      answer: answer
    )
  }

  func run(
    _ words: [String],
    now: String = "2026-11-30T22:18:00Z",
    environment: [String: String] = [:],
    terminal: Bool = false,
    width: Int = 80,
    answer: String? = nil
  ) -> Int32 {
    var variables = [
      "TZ": "Europe/Berlin", "TOCSIN_SOCKET": "/nowhere/tocsin.sock", "TERM": "xterm",
    ]
    variables.merge(environment) { _, new in new }
    let instant = Instant(rfc3339: now) ?? Instant(seconds: 0)
    out = ""
    err = ""
    let session = Session(
      environment: variables,
      now: { instant },
      outputIsTerminal: terminal,
      inputIsTerminal: answer != nil,
      width: width,
      write: { [unowned self] in out += $0 },
      complain: { [unowned self] in err += $0 },
      ask: { answer }
    )
    return TocsinCommand.run(words, session: session).rawValue
  }
}

/// The alarm with that number as its identity.
func id(_ number: UInt64) -> AlarmID { AlarmID(high: number << 32, low: number) }

func instant(_ text: String) -> Instant { Instant(rfc3339: text) ?? Instant(seconds: 0) }

/// A status of that alarm, changed by the closure.
func status(
  _ number: UInt64,
  _ title: String,
  _ state: AlarmState = .scheduled,
  schedule: Schedule? = nil,
  _ change: (inout AlarmStatus) -> Void = { _ in }
) -> AlarmStatus {
  var status = AlarmStatus(
    alarm: Alarm(id: id(number), title: title, schedule: schedule),
    state: state
  )
  change(&status)
  return status
}
