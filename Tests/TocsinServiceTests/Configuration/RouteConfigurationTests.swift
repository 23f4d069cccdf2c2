import Testing
import TocsinModel
import TocsinTime

@testable import TocsinService

private let plugins = """
  [plugin speaker]
  run = tocsin-alsa
  [plugin popup]
  run = tocsin-desktop
  enabled = no
  [plugin bedside]
  run = tocsin-gpio

  """

private func parse(_ texts: String...) throws(ConfigurationError) -> Configuration {
  try Configuration(
    texts.enumerated().map { Configuration.Source(name: "f\($0.offset)", text: $0.element) }
  )
}

/// The sentences about some files, without the name of the first.
private func problems(_ texts: String...) -> [String] {
  do {
    _ = try Configuration(
      texts.enumerated().map { Configuration.Source(name: "f\($0.offset)", text: $0.element) }
    )
    return []
  } catch {
    return error.problems.map(\.description)
  }
}

private func route(_ lines: String) throws -> Route {
  let configuration = try parse(plugins + "[route r]\n" + lines)
  return try #require(configuration.routes.first)
}

private let speaker = SinkTarget(sink: "speaker")
private let popup = SinkTarget(sink: "popup")
private let led = SinkTarget(sink: "bedside", part: "led")
private let buzzer = SinkTarget(sink: "bedside", part: "buzzer")

@Suite("Routes of the configuration")
struct RouteConfigurationTests {
  @Test("hold what every key says")
  func everyKey() throws {
    let read = try route(
      """
      match = event:alert kind:alarm title:"Wake, up*" !label:work priority:>=5
      between = 22:00-07:00, weekdays 8:00-17:30, sat+sun 9am - noon, mon-thu fri 0:00-24:00
      to = speaker, popup , bedside.led, speaker
      continue = yes
      fallback = bedside.buzzer after 5s, popup after 0
      escalate = popup, bedside.buzzer after 3min, all after 1h 30min
      delay = 10s
      quiet = 12.5%
      inhibit = speaker, popup while kind:timer, bedside.led label:"a while, b" while event:paused
      """
    )
    var expected = Route(name: "r")
    expected.match = try RouteMatch(
      "event:alert kind:alarm title:\"Wake, up*\" !label:work priority:>=5"
    )
    let hours = { (days: WeekdaySet, start: Int, end: Int) in
      TimeWindow(days: days, start: start * 1_800, end: end * 1_800)
    }
    expected.between = [
      hours(.everyDay, 44, 14), hours(.weekdays, 16, 35), hours(.weekends, 18, 24),
      hours(.weekdays, 0, 48),
    ]
    expected.to = [speaker, popup, led]
    expected.continues = true
    expected.fallback = [
      Route.Step(targets: [popup], after: .zero), Route.Step(targets: [buzzer], after: .seconds(5)),
    ]
    expected.escalate = [
      Route.Step(targets: [popup, buzzer], after: .seconds(180)),
      Route.Step(targets: [], after: .seconds(5_400)),
    ]
    expected.delay = .seconds(10)
    expected.quiet = 0.125
    expected.inhibit = [
      Route.Inhibition(
        targets: [speaker, popup],
        subject: RouteMatch(),
        source: try RouteMatch("event:alert kind:timer")
      ),
      Route.Inhibition(
        targets: [led],
        subject: try RouteMatch("label:\"a while, b\""),
        source: try RouteMatch("event:paused")
      ),
    ]
    #expect(read == expected)
  }

  @Test(
    "inhibit names sinks, events, both, or everything, and means alerts",
    arguments: [
      ("while all", [], "all", "event:alert"),
      ("all while label:a", [], "all", "event:alert label:a"),
      ("kind:timer !label:x while kind:alarm", [], "kind:timer !label:x", "event:alert kind:alarm"),
      ("speaker, popup while event:countdown", [speaker, popup], "all", "event:countdown"),
      ("speaker kind:timer while all", [speaker], "kind:timer", "event:alert"),
      ("title:\"a, while\" while all", [], "title:\"a, while\"", "event:alert"),
    ] as [(String, [SinkTarget], String, String)]
  )
  func inhibitions(text: String, targets: [SinkTarget], subject: String, source: String) throws {
    let expected = Route.Inhibition(
      targets: targets,
      subject: try RouteMatch(subject),
      source: try RouteMatch(source)
    )
    let read = try route("inhibit = \(text)")
    #expect(read.inhibit == [expected])
  }

  @Test("say with all, always and none what holds without them")
  func words() throws {
    let read = try route(
      "match = all\nbetween = always\nto = all\nfallback = none\nquiet = none\ninhibit = none"
    )
    #expect(read == Route(name: "r"))
  }

  @Test("drop on their own")
  func drop() throws {
    let read = try route("match = kind:timer\nbetween = 23:00-6:00\ndrop = yes\nto =\nquiet = none")
    #expect(read.drop)
  }

  @Test(
    "point at the word that is wrong",
    arguments: [
      ("match = event:alert kind:alrm", 20, "match: unknown kind alrm, did you mean alarm?"),
      ("match = lable:x", 8, "match: unknown term lable, did you mean label?"),
      ("match = title:\"open", 14, "match: this quote is not closed"),
      ("between = 22:00-25:00", 10, "between: hours go from 0 to 23, write such as 7:30 or 19:30"),
      (
        "between = 1:00-2:00, weekdas 8:00-9:00", 21,
        "between: weekdas is no day, did you mean weekdays?"
      ),
      (
        "between = mon+xyz 8:00-9:00", 10,
        "between: xyz is no day, write such as weekdays, sat+sun or mon-fri"
      ),
      (
        "between = weekends", 10,
        "between: weekends has no times, write such as weekdays 8:00-17:30, or mon 0:00-24:00"
      ),
      (
        "between = 22:00", 10,
        "between: 22:00 is no part of a day, write such as mon-fri 8:00-17:30"
      ),
      ("between = 22:00-", 10, "between: nothing is no time, write such as 22:00-07:00"),
      (
        "to = speaker, speeker", 14,
        """
        to: there is no [plugin speeker], did you mean speaker? A sink that joins by itself needs a\
         section with enabled = no
        """
      ),
      (
        "escalate = popup, xylophone.led after 3min", 18,
        """
        escalate: there is no [plugin xylophone]. A sink that joins by itself needs a section with\
         enabled = no
        """
      ),
      (
        "inhibit = bedsid while all", 10,
        """
        inhibit: there is no [plugin bedsid], did you mean bedside? A sink that joins by itself\
         needs a section with enabled = no
        """
      ),
      ("to = speaker popup", 5, "to: speaker popup is more than one sink, write commas between"),
      ("to = speaker, all", 14, "to: all is every sink, name none beside it"),
      ("to = a.b.c", 5, "to: a.b.c is no sink, write SINK or SINK.PART"),
      ("continue = maybe", 11, "continue: write yes or no"),
      (
        "fallback = speaker", 11,
        "fallback: speaker has no after, write such as speaker after 3min"
      ),
      ("fallback = speaker after 5", 25, "fallback: 5 has no unit, write 5s or 5min"),
      ("fallback = speaker after 2h", 25, "fallback: 2h is outside of 0 to 1h"),
      ("escalate = speaker after 0", 25, "escalate: 0 is outside of 1s to 1d"),
      (
        "escalate = after 3min", 11,
        "escalate: no sink stands before after, write such as speaker after 3min"
      ),
      (
        "escalate = speaker after", 19,
        "escalate: not a duration, write 250ms, 30s, 9min, 1h or 90d"
      ),
      ("delay = 61min", 8, "delay: 61min is outside of 0 to 1h"),
      ("quiet = 30", 8, "quiet: not a percentage from 0% to 100%"),
      (
        "quiet = 0%", 8,
        "quiet: 0% would let nobody hear it, write 1% to 100%, or leave the sink out of to"
      ),
      (
        "inhibit = speaker", 10,
        "inhibit: speaker has no while, write such as speaker while kind:alarm"
      ),
      (
        "inhibit = speaker while", 18,
        "inhibit: nothing stands behind while, write such as while kind:alarm, or while all"
      ),
      ("inhibit = kind:tmer while all", 10, "inhibit: unknown kind tmer, did you mean timer?"),
      ("inhibit = while kind:tmer", 16, "inhibit: unknown kind tmer, did you mean timer?"),
      ("drop = perhaps", 7, "drop: write yes or no"),
    ] as [(String, Int, String)]
  )
  func wrong(line: String, column: Int, sentence: String) {
    let found = problems("[route r]\n\(line)\n\(plugins)")
    #expect(found == ["f0:2:\(column + 1): \(sentence)"])
  }

  @Test("report all that is wrong together, in the order of the files")
  func together() {
    let found = problems(
      """
      [route a]
      match = kind:x
      to = speeker, popop
      [route b]
      drop = yes
      to = speaker
      continue = yes
      """,
      plugins + "[route a]\nquiet = 3\n[plugin all]\nrun = x"
    )
    let joins = "A sink that joins by itself needs a section with enabled = no"
    let hint = "has no meaning where drop = yes lets nobody present, take one of them out"
    #expect(
      found == [
        "f0:2:9: match: unknown kind x, there are alarm, timer",
        "f0:3:6: to: there is no [plugin speeker], did you mean speaker? \(joins)",
        "f0:3:15: to: there is no [plugin popop], did you mean popup? \(joins)",
        "f0:6:1: to \(hint)", "f0:7:1: continue \(hint)",
        "f1:9:9: quiet: not a percentage from 0% to 100%",
        "f1:10:2: all is every sink to routes, give this plugin another name",
      ]
    )
  }

  @Test("are refused behind one that takes everything, wherever that stands")
  func unreachable() {
    let remedy = "takes everything, give that a match, a between or continue = yes, or put it last"
    #expect(
      problems("[route a]\n[route b]\nmatch = kind:timer\n", "[route c]\n") == [
        "f0:2:2: [route b] is never reached: [route a] in line 1 \(remedy)",
        "f1:1:2: [route c] is never reached: [route a] in line 1 of f0 \(remedy)",
      ]
    )
    for line in ["match = kind:alarm", "between = 1:00-2:00", "continue = yes"] {
      #expect(problems("[route a]\n\(line)\n[route b]\n").isEmpty)
    }
    #expect(problems("[route a]\nmatch = kind:x\n[route b]\n").count == 1)
  }

  @Test("take keys from later files and give them back, in the place they had")
  func dropIns() throws {
    let configuration = try parse(
      plugins + "[route a]\nmatch = label:x\nto = popup\nquiet = 20%\n[route b]\nto = speaker",
      "[route b]\nmatch = kind:timer\nto = popup\n[route a]\nquiet =\nto = bedside\n[route c]\n"
    )
    #expect(configuration.routes.map(\.name) == ["a", "b", "c"])
    #expect(configuration.routes[0].to == [SinkTarget(sink: "bedside")])
    #expect(configuration.routes[0].quiet == nil)
    #expect(configuration.routes[0].match.description == "label:x")
    #expect(configuration.routes[1].to == [popup])
  }

  @Test(
    "read back as they are written",
    arguments: [
      "", "match = title:\"a, \\\"b\\\" 'c\" !label:\"d e\" priority:>-3 sound:none alarm:1B4E",
      "between = 22:00-7:00, weekdays 8:00:30-17:30, sat sun 0:00-24:00, fri-mon 1:00-1:00",
      "match = kind:timer\ndrop = yes",
      "to = speaker, bedside.led\ncontinue = yes\nquiet = 33.333%",
      "fallback = all after 250ms, popup after 5s\nescalate = popup, speaker after 90s",
      "delay = 1min\nquiet = 7%",
      "inhibit = while all, speaker, popup label:\"x, y\" while event:alert kind:alarm",
      "inhibit = !title:\"a while\" while event:countdown",
    ]
  )
  func roundTrip(lines: String) throws {
    let first = try parse(plugins + "[route r]\n" + lines)
    let text = first.text
    let again = try parse(text)
    #expect(again == first, "\(text)")
    #expect(again.text == text)
  }

  @Test("survive any value: each is a list of problems or reads back as it is written")
  func hostile() throws {
    var generator = SystemRandomNumberGenerator()
    let words = [
      "speaker", "popup", ",", " ", " after ", " while ", "3min", "all", "none", "kind:timer",
      "title:", "\"", "'", "\\", "!", "-", "22:00", "mon", "+", "24:00", "%", "9", ".", "\u{301}",
      "é",
    ]
    for _ in 0..<200 {
      for key in RouteDraft.keys {
        let value = (0..<6).map { _ in words.randomElement(using: &generator) ?? "" }.joined()
        guard let read = try? parse(plugins + "[route r]\n\(key.name) = \(value)") else { continue }
        let again = try parse(read.text)
        #expect(again == read, "\(key.name) = \(value)")
      }
    }
  }
}
