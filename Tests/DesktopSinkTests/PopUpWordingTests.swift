import SinkKit
import SinkTesting
import Testing

@testable import DesktopSink

@Suite struct PopUpWordingTests {
  private let buttons = ServerFeatures(hasActions: true)

  private func wording(_ settings: [String: String] = [:]) -> PopUpWording {
    PopUpWording(time: .utc, settings: DesktopSettings(SinkSettings(sink: "popup", settings)))
  }

  private func popUp(
    _ presentation: Presentation,
    after seconds: Double = 0,
    on server: ServerFeatures = ServerFeatures(hasActions: true)
  ) -> PopUp {
    wording().popUp(for: presentation, now: Sample.after(seconds), on: server)
  }

  @Test("An alert has its title, and says for when it was set, how late it is, how often snoozed")
  func alert() {
    var expected = PopUp(
      summary: "Pills",
      body: "07:00",
      icon: "alarm-symbolic",
      urgency: .critical,
      category: "x-tocsin.alarm"
    )
    expected.actions = [
      PopUp.Action(key: "stop", label: "Stop"), PopUp.Action(key: "snooze", label: "Snooze"),
    ]
    #expect(popUp(Sample.ringing()) == expected)
    #expect(popUp(Sample.ringing(late: 240)).body == "07:00 (4 min late)")
    #expect(popUp(Sample.ringing(late: 240, snoozes: 1)).body == "07:00 (4 min late), snoozed once")
    #expect(popUp(Sample.ringing(snoozes: 3)).body == "07:00, snoozed 3 times")
    let timer = popUp(Sample.ringing(title: "Tea", kind: .timer, late: 60))
    #expect(timer.body == "Time is up: 07:00 (1 min late)")
    #expect(timer.category == "x-tocsin.timer")
  }

  @Test("A pop-up without a title is none: it says what it is and when")
  func untitled() {
    for title in ["", "  \n", "\u{202E}"] {
      #expect(popUp(Sample.ringing(title: title)).summary == "Alarm 07:00")
      #expect(popUp(Sample.ringing(title: title, kind: .timer)).summary == "Timer")
    }
    #expect(popUp(Sample.ringing(title: "")).body == "")
    #expect(popUp(Sample.ringing(title: "", late: 240)).body == "07:00 (4 min late)")
  }

  @Test(
    "A title is shown as it was written, whatever it looks like",
    arguments: [
      "<b>&", "We <3 tea & \"rye\"", "&amp;", "</span>", "-x", "--hint=string:x:y", "--version",
      "- [ ] plans", "%s%n", "👨‍👩‍👧‍👦 ☕", "قرص الدواء", "שלום 7:00", "$(reboot)",
    ]
  )
  func literal(title: String) {
    let markup = ServerFeatures(hasActions: true, hasBodyMarkup: true)
    #expect(popUp(Sample.ringing(title: title)).summary == title)
    #expect(popUp(Sample.ringing(title: title), on: markup).summary == title)
    let missed = [Sample.missed(title: title)]
    let plain = wording().popUp(forMissed: missed, now: Sample.seven, on: buttons).body
    #expect(plain == "07:00 \u{2068}\(title)\u{2069} (the machine was off or asleep)")
    let escaped = wording().popUp(forMissed: missed, now: Sample.seven, on: markup).body
    #expect(escaped == PopUpWording.escaped(plain))
    #expect(!escaped.contains { "<>\"'".contains($0) })
  }

  @Test(
    "Only a server that reads markup is sent escapes",
    arguments: [
      ("<b>&</b>", "&lt;b&gt;&amp;&lt;/b&gt;"), ("&amp;", "&amp;amp;"),
      ("\"it's\"", "&quot;it&#39;s&quot;"), ("<3\n☕", "&lt;3\n☕"), ("", ""),
    ]
  )
  func escapes(given: String, expected: String) {
    #expect(PopUpWording.escaped(given) == expected)
  }

  @Test("A long title is cut to a hundred characters, never inside one")
  func long() {
    let family = "👨‍👩‍👧‍👦"
    let long = popUp(Sample.ringing(title: String(repeating: family, count: 2_000))).summary
    #expect(long == String(repeating: family, count: 99) + "…")
    #expect(
      popUp(Sample.ringing(title: String(repeating: "x", count: 10_240))).summary.count == 100
    )
    let fits = String(repeating: "é", count: 100)
    #expect(popUp(Sample.ringing(title: fits)).summary == fits)
    #expect(popUp(Sample.ringing(title: fits + "é")).summary.hasSuffix("é…"))
  }

  @Test("Control characters and turned directions do no harm")
  func harmless() {
    let title = "a\u{0}b\u{1B}[2Jc\nd\u{202E}e\u{2069}f"
    #expect(popUp(Sample.ringing(title: title)).summary == "a\u{FFFD}b\u{FFFD}[2Jc def")
  }

  @Test("Buttons bear their own texts, each once, and none is empty")
  func labels() {
    let long = String(repeating: "very ", count: 20)
    let buttons = [
      AlarmButton(role: .stop, text: "Taken <3"), AlarmButton(role: .snooze, text: " \n"),
      AlarmButton(role: .secondary, text: long), AlarmButton(role: .secondary, text: "twice"),
    ]
    let actions = popUp(Sample.ringing(buttons: buttons)).actions
    #expect(actions.map(\.key) == ["stop", "snooze", "secondary"])
    #expect(actions.map(\.label).prefix(2) == ["Taken <3", "Snooze"])
    #expect(actions.last.map { $0.label.count <= 30 && $0.label.hasSuffix("…") } == true)
  }

  @Test("A click on the text is an answer only if it is set, and is kept from being one")
  func click() {
    func actions(_ value: String, _ buttons: [AlarmButton]) -> [String] {
      wording(["default-action": value])
        .popUp(for: Sample.ringing(buttons: buttons), now: Sample.seven, on: self.buttons)
        .actions.map(\.key)
    }
    #expect(actions("none", [Sample.stop, Sample.snooze]) == ["stop", "snooze"])
    #expect(actions("snooze", [Sample.stop, Sample.snooze]) == ["stop", "snooze", "default"])
    // dunst and others take a click for the only button there is.
    #expect(actions("none", [Sample.stop]) == ["stop", "default"])
    #expect(popUp(Sample.counting()).actions.map(\.key) == ["pause", "stop"])
  }

  @Test("Where there are no buttons, none are sent, and the text says how to stop it")
  func noActions() {
    let popUp = popUp(Sample.ringing(late: 240), on: ServerFeatures())
    #expect(popUp.actions.isEmpty)
    #expect(popUp.body == "07:00 (4 min late)\nTo stop it: tocsin stop")
  }

  @Test("A countdown shows what is left as often as the server can bear")
  func countdown() {
    let inPlace = ServerFeatures(hasActions: true, updatesInPlace: true)
    let tea = Sample.counting()
    let shown = popUp(tea, after: 30, on: inPlace)
    #expect(shown.body == "3:30 left, until 07:04")
    #expect(shown.progress == 12)
    #expect(shown.urgency == .low)
    #expect(shown.isTransient)
    #expect(shown.actions.map(\.label) == ["Pause", "Stop"])
    #expect(popUp(tea, after: 30, on: buttons).body == "4 min left, until 07:04")
    #expect(popUp(tea, after: 200, on: buttons).body == "less than a minute left, until 07:04")
    #expect(popUp(tea, after: 300, on: buttons).body == "less than a minute left, until 07:04")
    #expect(popUp(tea, after: 300, on: buttons).progress == 100)
    #expect(popUp(Sample.halted()).body == "Paused, 3:00 left")
    #expect(popUp(Sample.halted()).actions.map(\.label) == ["Resume", "Stop"])
    let long = Sample.counting(total: 7_000)
    #expect(popUp(long, on: inPlace).body == "1 h 57 min left, until 08:56")
    #expect(popUp(Sample.counting(snooze: true)).body == "Snoozed, 4 min left, until 07:04")
  }

  @Test(
    "Numbers no clock has do not trap",
    arguments: [Double.nan, .infinity, -1, 0, 1e300]
  )
  func extremes(total: Double) {
    var presentation = Sample.halted()
    presentation.countdown?.total = total
    #expect(!popUp(presentation).body.isEmpty)
    #expect(!popUp(Sample.ringing(late: total)).summary.isEmpty)
  }

  @Test("What was missed is named with its time, and with its day if that is not today")
  func missed() {
    let missed = [
      Sample.missed(title: "Pills", due: Sample.after(-86_400)),
      Sample.missed(of: 1, title: "", .unanswered), Sample.missed(of: 2, title: "Bus", .zone),
    ]
    let popUp = wording().popUp(forMissed: missed, now: Sample.after(60), on: buttons)
    #expect(popUp.summary == "3 missed alarms")
    #expect(popUp.urgency == .normal)
    #expect(
      popUp.body.split(separator: "\n").map { $0.filter { !"\u{2068}\u{2069}".contains($0) } } == [
        "Thu 14 Jan 07:00 Pills (the machine was off or asleep)",
        "07:00 Alarm (nobody answered)", "07:00 Bus (not in this time zone)",
      ]
    )
    let many = (0..<9).map { Sample.missed(of: UInt32($0)) }
    let body = wording().popUp(forMissed: many, now: Sample.seven, on: buttons).body
    #expect(body.split(separator: "\n").count == 7)
    #expect(body.hasPrefix("3 earlier\n"))
  }

  @Test("Of many notices the newest are shown, each made harmless and not too long")
  func notices() throws {
    let markup = ServerFeatures(hasActions: true, hasBodyMarkup: true)
    let many = (0..<9).map { Sample.notice(.warning, "<b>notice</b> \($0)\nand more") }
    let popUp = try #require(wording().popUp(for: many, on: markup))
    #expect(popUp.urgency == .normal && popUp.expires)
    let lines = popUp.body.split(separator: "\n")
    #expect(lines.count == 7 && lines.first == "3 earlier")
    #expect(lines.last == "&lt;b&gt;notice&lt;/b&gt; 8 and more")
    let long = [Sample.notice(.critical, String(repeating: "long ", count: 1_000))]
    #expect(wording().popUp(for: long, on: buttons)?.body.count == 300)
    #expect(wording().popUp(for: [], on: buttons) == nil)
  }
}
