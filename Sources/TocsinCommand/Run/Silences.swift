import TocsinClient
import TocsinModel
import TocsinTime

/// `tocsin silence`: keeps alarms quiet for a while, lists what is, and ends it.
func runSilence(_ invocation: Invocation, _ session: Session) throws(CommandFailure) -> ExitCode {
  let wish = try SilenceWish(invocation, session.time)
  let connection = try session.connect()
  switch wish {
  case .list: try list(connection, session)
  case .end(let numbers): try end(numbers, connection, session)
  case .make(let match, let seconds): try make(match, seconds, connection, session)
  }
  return .success
}

/// What the words of `tocsin silence` ask for; pure.
enum SilenceWish: Hashable {
  case list
  /// Those with these numbers; nil is all of them.
  case end([Int]?)
  case make(RouteMatch, seconds: Double)

  init(_ invocation: Invocation, _ time: TimeReading) throws(CommandFailure) {
    var words = invocation.operands
    let isAll = invocation.has("all")
    if words.first == "end" {
      self = .end(try Self.numbers(Array(words.dropFirst()), isAll: isAll, invocation))
      return
    }
    guard !isAll else {
      throw .usage("--all ends all silences; write tocsin silence end --all")
    }
    var length = invocation["for"]
    if let index = words.lastIndex(of: "for") {
      guard length == nil else { throw .usage("it says for how long twice; leave one out") }
      length = words[(index + 1)...].joined(separator: " ")
      words.removeSubrange(index...)
    }
    guard let length else {
      guard words.isEmpty else {
        throw .usage("say for how long: tocsin silence \(words.joined(separator: " ")) for 2h")
      }
      self = .list
      return
    }
    guard !words.isEmpty else {
      throw .usage("say what is to be silent, such as label:work or title:\"Wake*\", or all")
    }
    guard !length.isEmpty else { throw .usage("for needs a length, such as 2h") }
    let match = try Self.match(words)
    self = .make(match, seconds: try time.seconds(of: length))
  }

  private static func numbers(
    _ words: [String],
    isAll: Bool,
    _ invocation: Invocation
  ) throws(CommandFailure) -> [Int]? {
    guard invocation["for"] == nil else { throw .usage("silence end takes no length") }
    if isAll {
      guard words.isEmpty else { throw .usage("--all means every silence; leave the number out") }
      return nil
    }
    guard !words.isEmpty else {
      throw .usage("say which: tocsin silence lists their numbers; or all of them with --all")
    }
    var numbers: [Int] = []
    for word in words {
      guard let number = Int(word), number >= 0 else {
        throw .usage("\"\(word.printable)\" is no number of a silence; tocsin silence lists them")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// The shell has taken the quotes off: each word is a term; or all of it was one word.
  private static func match(_ words: [String]) throws(CommandFailure) -> RouteMatch {
    do throws(ValueText.Unreadable) {
      return try RouteMatch(words.map { ValueText.Piece($0, at: 0) })
    } catch {
      if let match = try? RouteMatch(words.joined(separator: " ")) { return match }
      throw .usage(error.message)
    }
  }
}

private func make(
  _ match: RouteMatch,
  _ seconds: Double,
  _ connection: Connection,
  _ session: Session
) throws(CommandFailure) {
  let request = Request.Body.silence(match: match.description, seconds: seconds)
  let (silences, outcome) = try ask(request, connection)
  if let warning = outcome.warning { session.warn(warning) }
  if session.json { return try session.print(document: SilencesDocument(silences: silences)) }
  guard let silence = silences.last else { return session.say("\(match): silenced") }
  let rows = SilenceRows(zone: session.shownZone(), now: session.now())
  session.say(rows.made(silence))
  // Only asked to be told: what cannot be had is no failure of the silence.
  let alarms = (try? connection.alarms(.list(Request.ListFilter(limit: 500)))) ?? []
  session.say(rows.meant(rows.ringing(alarms, match, until: silence.until)))
}

private func list(_ connection: Connection, _ session: Session) throws(CommandFailure) {
  let (silences, _) = try ask(.silences, connection)
  if session.json { return try session.print(document: SilencesDocument(silences: silences)) }
  if silences.isEmpty, session.outputIsTerminal { return session.say("nothing is silenced") }
  let rows = SilenceRows(zone: session.shownZone(), now: session.now())
  show(rows.table(silences), flexible: 1, session)
}

private func end(
  _ numbers: [Int]?,
  _ connection: Connection,
  _ session: Session
) throws(CommandFailure) {
  var ended: [Silence] = []
  for number in numbers.map({ $0.map(Optional.some) }) ?? [nil] {
    let (silences, outcome) = try ask(.unsilence(number: number), connection)
    ended += silences
    if let warning = outcome.warning { session.warn(warning) }
    guard !session.json else { continue }
    if silences.isEmpty {
      session.say(number.map { "silence \($0) is over" } ?? "all silences are over")
    }
    for silence in silences { session.say("\(silence.match.printable): no longer silenced") }
  }
  if session.json { try session.print(document: SilencesDocument(silences: ended)) }
}

private func ask(
  _ body: Request.Body,
  _ connection: Connection
) throws(CommandFailure) -> ([Silence], Reply.Outcome) {
  var silences: [Silence] = []
  let outcome = try connection.ask(body) { reply in
    if case .silence(_, let silence) = reply { silences.append(silence) }
  }
  return (silences, outcome)
}
