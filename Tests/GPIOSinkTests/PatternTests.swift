import Testing

@testable import GPIOSink

@Suite("A pattern") struct PatternTests {
  /// Its changes in the first seconds, as `0+ 500-`.
  private func changes(_ pattern: Pattern, until end: Int) -> String {
    var text: [String] = []
    var time = Duration.zero
    while time < .milliseconds(end) {
      text.append("\(time.inMilliseconds)\(pattern.isOn(at: time) ? "+" : "-")")
      guard let next = pattern.nextChange(after: time) else { break }
      #expect(next > time)
      time = next
    }
    return text.joined(separator: " ")
  }

  @Test("goes on and off in turn, over and over")
  func waves() throws {
    let blink = try #require(Pattern("500ms on, 500ms off"))
    #expect(changes(blink, until: 2_100) == "0+ 500- 1000+ 1500- 2000+")
    let beeps = try #require(Pattern("100ms on,50ms off, 100ms on ,1s off"))
    #expect(changes(beeps, until: 1_500) == "0+ 100- 150+ 250- 1250+ 1350- 1400+")
    let late = try #require(Pattern("1s 500ms off, 20ms on"))
    #expect(changes(late, until: 3_100) == "0- 1500+ 1520- 3020+ 3040-")
  }

  @Test("has no change where two steps are the same, also around its end")
  func merged() throws {
    let pattern = try #require(Pattern("100ms on, 100ms on, 100ms off, 100ms on"))
    #expect(changes(pattern, until: 900) == "0+ 200- 300+ 600- 700+")
  }

  @Test("that is steady never changes", arguments: ["on", "off", "1s on", "1s off, 1s off"])
  func steady(text: String) throws {
    let pattern = try #require(Pattern(text))
    #expect(pattern.nextChange(after: .seconds(7)) == nil)
    #expect(pattern.isOn(at: .seconds(7)) == text.contains("on"))
  }

  @Test("is exact after weeks")
  func long() throws {
    let pattern = try #require(Pattern("50ms on, 9950ms off"))
    let month = Duration.seconds(30 * 86_400)
    #expect(pattern.isOn(at: month))
    #expect(!pattern.isOn(at: month + .milliseconds(50)))
    #expect(pattern.isOn(at: month + .milliseconds(49)))
    #expect(pattern.nextChange(after: month) == month + .milliseconds(50))
    #expect(!pattern.isOn(at: month - .nanoseconds(1)))
    let quick = try #require(Pattern("20ms on, 20ms off"))
    let year = Duration.seconds(365 * 86_400)
    #expect(!quick.isOn(at: year - .nanoseconds(1)) && quick.isOn(at: year))
    #expect(quick.nextChange(after: year - .nanoseconds(1)) == year)
  }

  @Test(
    "is not read from anything else",
    arguments: [
      "", "blink", "500ms", "500 on", "on, off", "500ms on,", "500ms on 500ms off", "0ms on",
      "1ms on, 1ms off", "2h on, 1s off", ", 1s on",
    ]
  )
  func wrong(text: String) {
    #expect(Pattern(text) == nil)
  }
}

@Suite("A signal") struct SignalTests {
  @Test("answers on top of what goes on, and inverts it or not")
  func answer() throws {
    let pattern = try #require(Pattern("500ms on, 500ms off"))
    let answer = Duration.milliseconds(480)..<Duration.milliseconds(560)
    for (answers, expected) in [
      (Signal.Answer.inverts, "0+ 480- 500+ 560- 1000+"), (.isOn, "0+ 560- 1000+"),
    ] {
      var signal = Signal(answers: answers)
      signal.parts = [Signal.Part(pattern: pattern, start: .zero)]
      signal.answer = answer
      var text: [String] = []
      var time = Duration.zero
      var last: Bool?
      while time <= .milliseconds(1_000) {
        let isOn = signal.isOn(at: time)
        if isOn != last { text.append("\(time.inMilliseconds)\(isOn ? "+" : "-")") }
        last = isOn
        time = try #require(signal.nextChange(after: time))
      }
      #expect(text.joined(separator: " ") == expected)
    }
  }

  @Test("is off, and stays so, when nothing goes on")
  func rest() {
    let signal = Signal(answers: .inverts)
    #expect(!signal.isOn(at: .seconds(1)))
    #expect(signal.nextChange(after: .seconds(1)) == nil)
  }

  @Test("begins and ends each part at its time")
  func parts() {
    var signal = Signal(answers: .isOn)
    signal.parts = [Signal.Part(pattern: .on, start: .seconds(2), end: .seconds(5))]
    #expect(signal.nextChange(after: .zero) == .seconds(2))
    #expect(!signal.isOn(at: .milliseconds(1_999)) && signal.isOn(at: .seconds(2)))
    #expect(signal.nextChange(after: .seconds(2)) == .seconds(5))
    #expect(signal.isOn(at: .milliseconds(4_999)) && !signal.isOn(at: .seconds(5)))
    #expect(signal.nextChange(after: .seconds(5)) == nil)
  }
}
