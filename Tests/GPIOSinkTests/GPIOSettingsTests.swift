import SinkKit
import Testing

@testable import GPIOSink

@Suite("The settings") struct GPIOSettingsTests {
  private func read(_ values: [String: String]) throws -> GPIOSettings {
    let settings = SinkSettings(sink: "bedside", values)
    let read = GPIOSettings(settings)
    try settings.finish()
    return read
  }

  private func problems(_ values: [String: String]) -> [String] {
    do {
      _ = try read(values)
      return []
    } catch let error as SettingsError { return error.problems.map(\.description) } catch {
      return ["\(error)"]
    }
  }

  @Test("of the shipped example mean what it says")
  func example() throws {
    var values = Bench.bedside
    values["chip"] = "auto"
    let settings = try read(values)
    #expect(settings.chip == .auto)
    #expect(settings.led.lines == [.name("GPIO22")])
    #expect(settings.buzzer.lines == [.name("GPIO23")])
    #expect(settings.buzzerAfter == .zero && settings.buzzerLimit == .seconds(600))
    let button = try #require(settings.buttons.first)
    #expect(button.name == "snooze")
    #expect(button.source == .line(.name("GPIO17"), InputSettings()))
    #expect(button.rules.gestures == [.press, .hold(.seconds(3))])
    #expect(button.rules.debounce == .milliseconds(20))
    let press = ButtonMap.Meaning(otherwise: .intent(.snooze, duration: nil))
    #expect(button.map.meanings[.press] == press)
  }

  @Test("name chips by label, path, or, with a warning, by number")
  func chips() throws {
    for (text, choice, isNumbered) in [
      ("auto", ChipChoice.auto, false), ("pinctrl-rp1", .label("pinctrl-rp1"), false),
      ("/dev/gpiochip4", .path("/dev/gpiochip4"), false),
      ("gpiochip0", .path("/dev/gpiochip0"), true), ("gpiochip-x", .label("gpiochip-x"), false),
    ] {
      let settings = try read(["chip": text, "led": "GPIO22"])
      #expect(settings.chip == choice)
      #expect(settings.isNumbered == isNumbered)
    }
  }

  @Test("of a button can be its own")
  func button() throws {
    let settings = try read([
      "chip": "pinctrl-rp1", "button.a": "17", "button.a.active-low": "no",
      "button.a.debounce": "5ms", "button.a.double-time": "500ms", "button.a.double": "stop",
      "debounce": "30ms", "button.b": "GPIO4", "button.b.bias": "disabled",
      "button.b.press.alerting": "snooze 5min", "button.b.press.countdown": "pause",
      "button.b.press.paused": "resume", "button.b.hold-1500ms": "say-next",
      "say-next": "say 'a b'",
    ])
    let a = settings.buttons[0]
    #expect(a.source == .line(.offset(17), InputSettings(activeLow: false, bias: .pullDown)))
    #expect(a.rules.debounce == .milliseconds(5) && a.rules.doubleTime == .milliseconds(500))
    let b = settings.buttons[1]
    #expect(b.source == .line(.name("GPIO4"), InputSettings(activeLow: true, bias: .disabled)))
    #expect(b.rules.debounce == .milliseconds(30))
    #expect(b.rules.gestures == [.press, .hold(.milliseconds(1_500))])
    #expect(
      b.map.meanings[.press]?.byState == [
        .alerting: .intent(.snooze, duration: 300), .countdown: .intent(.pause, duration: nil),
        .paused: .intent(.resume, duration: nil),
      ]
    )
    #expect(settings.sayNext == ["say", "a b"])
  }

  @Test("of a key name it or give its number")
  func keys() throws {
    for (text, code) in [
      ("key:KEY_PLAYPAUSE", 164), ("key:164", 164), ("key:0xa4", 164), ("key:KEY_A", 30),
      ("key:KEY_1", 2), ("key:KEY_F13", 183), ("key:KEY_0", 11), ("key:KEY_M", 50),
    ] as [(String, UInt16)] {
      let settings = try read([
        "button.x": text, "button.x.press": "stop", "button.x.grab": "yes",
        "button.x.device": "gpio-keys",
      ])
      #expect(settings.buttons[0].source == .key(code, device: "gpio-keys", grab: true))
    }
  }

  struct Wrong: CustomTestStringConvertible, Sendable {
    var values: [String: String]
    var expected: [String]
    var testDescription: String { expected.joined() }
  }

  static let wrong: [Wrong] = [
    Wrong(
      values: [:],
      expected: ["led is not set, nor buzzer or a button: there is nothing to do"]
    ),
    Wrong(
      values: ["chip": "0", "led": "GPIO22"],
      expected: ["chip = \"0\" is no label such as pinctrl-rp1, no path, and not auto"]
    ),
    Wrong(
      values: ["led": "22"],
      expected: ["led = \"22\" is a number: write GPIO22, or say whose line with chip ="]
    ),
    Wrong(
      values: ["led": "GPIO22", "led.alert": "fast"],
      expected: [
        "led.alert = \"fast\" is not on, off, or steps of 20ms to 1h such as 500ms on, 500ms off"
      ]
    ),
    Wrong(
      values: ["led": "GPIO22", "buzzer": "GPIO22"],
      expected: ["buzzer = \"GPIO22\" needs a line of its own: led has GPIO22 already"]
    ),
    Wrong(
      values: ["led": "GPIO17", "button.a": "GPIO17", "button.a.press": "stop"],
      expected: ["button.a = \"GPIO17\" needs a line of its own: led has GPIO17 already"]
    ),
    Wrong(
      values: ["button.a.press": "stop"],
      expected: [
        "button.a is not set: write button.a = GPIO17, or button.a = key:KEY_PLAYPAUSE"
      ]
    ),
    Wrong(
      values: ["button.a": "GPIO17"],
      expected: ["button.a = \"GPIO17\" means nothing: write button.a.press = snooze"]
    ),
    Wrong(
      values: ["button.a": "GPIO17", "button.a.press": "dismiss"],
      expected: [
        "button.a.press = \"dismiss\" is none of snooze, stop, pause, resume, secondary, skip, "
          + "extend, restart, say-next"
      ]
    ),
    Wrong(
      values: ["button.a": "GPIO17", "button.a.press": "snooze 5"],
      expected: ["button.a.press = \"snooze 5\" needs a duration of 1s to 1d, such as snooze 5min"]
    ),
    Wrong(
      values: ["button.a": "GPIO17", "button.a.press": "stop 5min"],
      expected: ["button.a.press = \"stop 5min\" takes nothing after stop"]
    ),
    Wrong(
      values: ["button.a": "GPIO17", "button.a.hold-3": "stop"],
      expected: [
        "button.a.hold-3 = \"stop\" is no gesture: a hold lasts 100ms to 20s, such as hold-3s"
      ]
    ),
    Wrong(
      values: ["button.a": "GPIO17", "button.a.press.paused": "snooze"],
      expected: ["button.a.press.paused = \"snooze\" cannot be done to what is paused"]
    ),
    Wrong(
      values: ["button.a": "GPIO17", "button.a.press.ringing": "snooze"],
      expected: [
        "button.a.press.ringing = \"snooze\" ends with none of alerting, countdown, paused"
      ]
    ),
    Wrong(
      values: ["button.a": "GPIO17", "button.a.press": "say-next"],
      expected: [
        "button.a = \"GPIO17\" has a gesture that means say-next, but say-next = names no program"
      ]
    ),
    Wrong(
      values: ["button.a": "key:KEY_FOO", "button.a.press": "stop"],
      expected: [
        "button.a = \"key:KEY_FOO\" is no key: write a number, or a name such as key:KEY_PLAYPAUSE"
      ]
    ),
    Wrong(
      values: ["button.a": "GPIO17", "button.a.press": "stop", "button.a.device": "x"],
      expected: ["button.a.device is no setting of this sink; did you mean button.a.debounce?"]
    ),
    Wrong(
      values: ["led": "GPIO22", "say-next": "say \"no end"],
      expected: [
        "say-next = \"say \"no end\" is no program with arguments: this quote is not closed"
      ]
    ),
    Wrong(
      values: ["buzzer": "GPIO23", "buzzer.limit": "0s", "buzzer.after": "soon"],
      expected: [
        "buzzer.after = \"soon\" is not a duration such as 250ms, 30s, 9min or 1h",
        "buzzer.limit = \"0s\" is not between 1s and 1h",
      ]
    ),
  ]

  @Test("that are wrong are told with key, value and remedy", arguments: wrong)
  func mistakes(one: Wrong) {
    #expect(problems(one.values) == one.expected)
  }

  @Test("that are wrong are told all at once")
  func together() {
    let all = problems([
      "chip": "7", "led": "GPIO22", "led.paused": "x", "button.a": "GPIO1", "button.a.press": "y",
      "colour": "red",
    ])
    #expect(all.count == 4)
  }
}
