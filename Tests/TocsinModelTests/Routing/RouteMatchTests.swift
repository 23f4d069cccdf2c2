import Testing
import TocsinTime

@testable import TocsinModel

private func subject(
  _ event: RoutedEvent = .alert,
  _ kind: AlarmKind = .alarm,
  title: String = "Wake up",
  labels: [String]? = ["work", "early shift"],
  priority: Int? = 3,
  sound: String? = "birds.ogg"
) throws -> RouteSubject {
  var options = AlarmOptions()
  options.labels = labels
  options.priority = priority
  options.sound = sound
  let alarm = try #require(AlarmID("1b4e0000-0000-0000-0000-00000000000a"))
  return RouteSubject(event: event, kind: kind, alarm: alarm, title: title, options: options)
}

@Suite("What routes match")
struct RouteMatchTests {
  @Test(
    "fits by all of its keys, and by any of the values of one",
    arguments: [
      ("all", true), ("", true), ("event:alert", true), ("event:countdown", false),
      ("event:countdown event:alert", true), ("kind:timer", false),
      ("kind:alarm title:wake*", true),
      ("title:wake", false), ("title:\"Wake up\"", true), ("label:\"early shift\"", true),
      ("label:early*", true), ("label:shift", false), ("label:home label:work", true),
      ("label:home kind:alarm", false), ("!label:home", true), ("!label:work", false),
      ("label:work !title:wake*", false), ("!kind:timer !event:paused", true), ("priority:3", true),
      ("priority:2 priority:3", true), ("priority:>=3", true), ("priority:>3", false),
      ("priority:<=3", true), ("priority:<3", false), ("priority:>2 priority:<5", true),
      ("priority:>3 priority:<5", false), ("priority:>-5", true), ("sound:*.ogg", true),
      ("sound:none", false), ("alarm:1b4e", true), ("alarm:1B4E0000-", true), ("alarm:1b4f", false),
    ]
  )
  func fits(text: String, expected: Bool) throws {
    let match = try RouteMatch(text)
    let event = try subject()
    #expect(match.matches(event) == expected)
  }

  @Test(
    "takes a priority that is not set for 0, and a sound that is not set for none that has a name"
  )
  func absent() throws {
    let event = try subject(labels: nil, priority: nil, sound: nil)
    let zero = try RouteMatch("priority:0")
    let sound = try RouteMatch("sound:*")
    let label = try RouteMatch("label:*")
    #expect(zero.matches(event))
    #expect(!sound.matches(event))
    #expect(!label.matches(event))
  }

  @Test(
    "reads back as it is written",
    arguments: [
      "all", "event:alert kind:alarm", "title:\"Wake up\" !label:a*", "priority:>=5 priority:<=-7",
      "priority:5", "sound:none alarm:1b4e", "title:\"a \\\"b\\\" 'c' \\\\d, e\"",
      "label:'\\' label:\"\u{a0}\" label:\"a\tb\"", "title:a:b title:!c",
    ]
  )
  func roundTrip(text: String) throws {
    let match = try RouteMatch(text)
    let again = try RouteMatch(match.description)
    #expect(again == match)
    #expect(again.description == match.description)
    // As an item of a list, too.
    let items = try ValueText.items(match.description)
    #expect(items.map(\.text) == [match.description])
  }

  @Test(
    "says which word is wrong and what is near",
    arguments: [
      ("event:alert kind:alrm", 12, "unknown kind alrm, did you mean alarm?"),
      ("kind:x", 0, "unknown kind x, there are alarm, timer"),
      (
        "event:x", 0,
        "unknown event x, there are alert, countdown, paused, missed, secondary"
      ),
      ("labels:x", 0, "unknown term labels, did you mean label?"),
      (
        "colour:x", 0,
        "unknown term colour, there are event, kind, title, label, priority, sound, alarm"
      ),
      ("title:\"a b\" label:", 12, "label: has no value"),
      ("all kind:alarm", 0, "all is no term, write such as kind:alarm or label:work"),
      ("  priority:high", 2, "high is no priority, write such as priority:>=5, from -100 to 100"),
      ("priority:101", 0, "101 is no priority, write such as priority:>=5, from -100 to 100"),
      ("alarm:xyz1", 0, "xyz1 is no UUID or beginning of one"),
      ("alarm:1b", 0, "1b is no UUID or beginning of one"),
      ("title:'a", 6, "this quote is not closed"),
    ] as [(String, Int, String)]
  )
  func wrong(text: String, offset: Int, message: String) {
    #expect(throws: ValueText.Unreadable(message: message, offset: offset)) {
      try RouteMatch(text)
    }
  }

  @Test(
    "knows which events it may fit at all",
    arguments: [
      ("label:x", true), ("all", true), ("event:alert", true), ("event:paused", false),
      ("event:paused event:alert", true), ("!event:alert", false), ("!event:paused", true),
    ]
  )
  func mayFit(text: String, expected: Bool) throws {
    #expect(try RouteMatch(text).mayFit(.alert) == expected)
  }

  @Test("tells a snooze and a countdown from an alert by their presentation")
  func presentation() throws {
    var generator = SystemRandomNumberGenerator()
    let alarm = AlarmID(using: &generator)
    let id = OccurrenceID(alarm: alarm, origin: Instant(seconds: 5), serial: 1)
    for (state, event) in [
      (AlarmState.alerting, RoutedEvent.alert), (.countdown, .countdown), (.paused, .paused),
    ] {
      let presentation = Presentation(
        seq: 1,
        occurrence: id,
        title: "T",
        kind: .timer,
        state: state,
        due: Instant(seconds: 5)
      )
      let subject = RouteSubject(presentation)
      #expect(subject.event == event)
      #expect(subject.kind == .timer)
      #expect(subject.alarm == alarm)
      #expect(subject.priority == 0)
    }
  }
}

@Suite("Sinks by name")
struct SinkTargetTests {
  @Test(
    "are a name, or a name and a part",
    arguments: [
      ("speaker", "speaker", nil), ("bedside.led", "bedside", "led"), ("a-1_B.c", "a-1_B", "c"),
    ] as [(String, String, String?)]
  )
  func readable(text: String, sink: String, part: String?) throws {
    let target = try SinkTarget(text)
    #expect(target == SinkTarget(sink: sink, part: part))
    #expect(target.description == text)
  }

  @Test("and nothing else", arguments: ["", ".", "a.", ".b", "a.b.c", "a b", "é", "a/b"])
  func unreadable(text: String) {
    #expect(
      throws: ValueText.Unreadable(message: "\(text) is no sink, write SINK or SINK.PART")
    ) { try SinkTarget(text) }
  }
}
