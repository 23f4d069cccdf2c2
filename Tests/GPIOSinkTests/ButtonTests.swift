import ProcessTesting
import Testing

@testable import GPIOSink

@Suite("A button") struct ButtonTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var edges: String
    var expected: [String]

    init(_ what: String, _ edges: String, _ expected: [String]) {
      testDescription = what
      self.edges = edges
      self.expected = expected
    }
  }

  static let presses = [
    Case("bounces on both edges", "F0 R3 F7 R9 F12 R180 F183 R186", ["press@0"]),
    Case("a clean press", "F0 R100", ["press@0"]),
    Case("a press and its chatter on release", "F0 R1500 F1503 R1506 F1509 R1511", ["press@0"]),
    Case(
      "quick taps",
      "F0 R30 F250 R300 F500 R620 F750 R1000",
      ["press@0", "press@250", "press@500", "press@750"]
    ),
    Case("the same edge twice, as the kernel reads the level late", "F0 F1 R100 R101", ["press@0"]),
    Case("an edge whose level had bounced back already", "R0 F4 R100", ["press@4"]),
    Case("only the end of a bounce", "R0 R2", []),
    Case("a long bounce that stays within itself", "F0 R15 F30 R45 F60 R75 F90 R500", ["press@0"]),
    Case("a press within the release's chatter", "F0 R200 F215 R400", ["press@0"]),
    Case("a bounce in the middle of a hold", "F0 R300 F302 R700", ["press@0"]),
    Case("nothing but held", "F0", ["press@0", "stuck@30000"]),
  ]

  @Test("that is only pressed acts on the first edge", arguments: presses)
  func press(one: Case) {
    var bench = ButtonBench(Asked.press)
    bench.play(one.edges)
    #expect(bench.outputs == one.expected)
    #expect(bench.believesDown == bench.isDown)
    #expect(bench.isAtRest)
  }

  static let holds = [
    Case("a tap acts when it is let go", "F0 R150", ["press@170"]),
    Case("a hold acts at its time and not on release", "F0 R700", ["hold600@600"]),
    Case("a little too short", "F0 R590", ["press@610"]),
    Case("a little longer than needed", "F0 R610", ["hold600@600"]),
    Case("just the time", "F0 R600", ["hold600@600"]),
    Case("a bounce does not split it", "F0 R300 F302 R700", ["hold600@600"]),
    Case("a bounce at its time delays it by that bounce", "F0 R599 F603 R900", ["hold600@623"]),
    Case("bounces everywhere", "F0 R3 F7 R640 F645 R650", ["hold600@600"]),
    Case("a glitch is no press", "F0 R4", []),
    Case("nor is a burst of them", "F0 R1 F2 R3 F4 R5 F6 R7", []),
    Case("two taps are two presses", "F0 R100 F300 R400", ["press@120", "press@420"]),
    Case("held for ever", "F0", ["hold600@600", "stuck@30000"]),
  ]

  @Test("that is held, too", arguments: holds)
  func hold(one: Case) {
    var bench = ButtonBench(Asked.pressAndHold)
    bench.play(one.edges)
    #expect(bench.outputs == one.expected)
    #expect(bench.believesDown == bench.isDown)
  }

  static let doubles = [
    Case("one press waits for the second", "F0 R100", ["press@400"]),
    Case("the second acts at once", "F0 R100 F300 R400", ["double@300"]),
    Case("too late for a second", "F0 R100 F450 R550", ["press@400", "press@850"]),
    Case("just too late", "F0 R100 F400 R500", ["press@400", "press@800"]),
    Case(
      "three presses are two and one",
      "F0 R100 F200 R300 F400 R500",
      ["double@200", "press@800"]
    ),
    Case("a hold is none of it", "F0 R700 F800 R900", ["hold600@600", "press@1200"]),
    Case("a second that is held is a double", "F0 R100 F200 R1000", ["double@200"]),
    Case("bounces are no second press", "F0 R100 F103 R106", ["press@400"]),
  ]

  @Test("that is pressed twice, too", arguments: doubles)
  func double(one: Case) {
    var bench = ButtonBench(Asked.all)
    bench.play(one.edges)
    #expect(bench.outputs == one.expected)
  }

  @Test("with two holds acts at each one's time")
  func severalHolds() {
    var bench = ButtonBench([.press, .hold(.seconds(1)), .hold(.seconds(5))])
    bench.play("F0 R5500 F6000 R8000 F9000 R9100")
    #expect(bench.outputs == ["hold1000@1000", "hold5000@5000", "hold1000@7000", "press@9120"])
  }

  @Test("of which only a hold or a double press is asked does nothing on a press")
  func onlyOthers() {
    var held = ButtonBench([.hold(.milliseconds(600))])
    held.play("F0 R100 F1000 R1700")
    #expect(held.outputs == ["hold600@1600"])
    var twice = ButtonBench([.double])
    twice.play("F0 R100 F1000 R1100 F1200 R1300")
    #expect(twice.outputs == ["double@1200"])
  }

  @Test("heard of late, all at once, is understood by its stamps")
  func late() {
    for (edges, expected) in [
      ("F0 R150", ["press@5000"]), ("F0 R700", ["hold600@5000"]),
      ("F0 R100 F1000 R1100", ["press@5000", "press@5000"]),
      ("F0 R300 F302 R700", ["hold600@5000"]),
      ("F0 R590 F3000 R3100", ["press@5000", "press@5000"]),
    ] {
      var bench = ButtonBench(Asked.pressAndHold)
      bench.playLate(edges, at: 5_000)
      #expect(bench.outputs == expected, "\(edges)")
    }
  }

  @Test("that was down before means nothing until it was up", arguments: [true, false])
  func heldAtStart(isLetGo: Bool) {
    var bench = ButtonBench(Asked.all, isDown: true)
    bench.play(isLetGo ? "R2000 F3000 R3100" : "", until: 100_000)
    #expect(bench.outputs == (isLetGo ? ["press@3400"] : ["stuck@30000"]))
    #expect(bench.isAtRest)
  }

  @Test("that is stuck is told of once, and its release is no press")
  func stuck() {
    var bench = ButtonBench([.press, .double])
    bench.play("F0 R40000 F50000 R50100")
    #expect(bench.outputs == ["stuck@30000", "press@50400"])
  }

  @Test("does nothing of what flickers, and works within a second of quiet")
  func flood() {
    var bench = ButtonBench(Asked.pressAndHold)
    // 1 kHz for two seconds, then a press 0.8 s later.
    for millisecond in 0..<2_000 {
      bench.edge(isDown: millisecond % 2 == 0, at: .milliseconds(millisecond))
    }
    bench.play("F2800 R2900")
    #expect(bench.outputs == ["flooded@100", "quiet@2500", "press@2920"])
    #expect(!bench.believesDown)
  }

  @Test("that bounces on and on is ignored, too")
  func endlessBounce() {
    var bench = ButtonBench(Asked.press)
    for index in 0..<120 {
      bench.edge(isDown: index % 2 == 0, at: .milliseconds(index * 15))
    }
    bench.play("F4000 R4100")
    #expect(bench.outputs == ["press@0", "flooded@1005", "quiet@2205", "press@4000"])
  }

  @Test("pressed faster than anybody can is ignored")
  func tooFast() {
    var bench = ButtonBench(Asked.press, debounce: 5)
    for press in 0..<30 {
      bench.edge(isDown: true, at: .milliseconds(press * 30))
      bench.edge(isDown: false, at: .milliseconds(press * 30 + 15))
    }
    bench.pass(to: .seconds(3))
    #expect(bench.outputs.filter { $0.hasPrefix("press") }.count == 20)
    #expect(bench.outputs.filter { $0.hasPrefix("flooded") }.count == 1)
    #expect(bench.outputs.last?.hasPrefix("quiet") == true)
  }

  @Test("counts lost edges as edges")
  func lostEdges() {
    var bench = ButtonBench(Asked.press)
    bench.edge(isDown: true, at: .zero)
    bench.edge(isDown: false, at: .milliseconds(5), lost: 200)
    #expect(bench.outputs == ["press@0", "flooded@5"])
  }

  @Test("whose release was lost is seen to be up when it is looked at")
  func lostRelease() {
    var bench = ButtonBench(Asked.pressAndHold)
    bench.edge(isDown: true, at: .zero)
    bench.edge(isDown: false, at: .milliseconds(10), isTold: false)
    bench.pass(to: .seconds(100))
    #expect(bench.outputs == [])
    #expect(!bench.believesDown && bench.isAtRest)
  }

  @Test("found down without an edge does nothing, as nobody was seen to press it")
  func foundDown() {
    var bench = ButtonBench(Asked.all)
    bench.edge(isDown: true, at: .milliseconds(10), isTold: false)
    bench.doubt(at: .milliseconds(20))
    bench.play("R5000 F6000 R6100", until: 50_000)
    #expect(bench.outputs == ["press@6400"])
  }

  @Test("let go a little before its hold's time is no hold, though both are heard of at once")
  func releaseAndTimer() {
    var button = Button(Button.Rules(gestures: Asked.pressAndHold), isDown: false, at: .zero)
    #expect(button.take(Edge(isActive: true, stamp: .zero)) == [])
    #expect(button.take(Edge(isActive: false, stamp: .milliseconds(590))) == [])
    #expect(button.advance(to: .milliseconds(600), isActive: false) == [])
    let outputs = button.advance(to: .milliseconds(610), isActive: false)
    #expect(outputs == [.gesture(.press, began: .zero)])
  }

  @Test("pressed again when the time for it is just over is pressed twice, once each")
  func secondTooLate() {
    var button = Button(Button.Rules(gestures: [.press, .double]), isDown: false, at: .zero)
    #expect(button.take(Edge(isActive: true, stamp: .zero)) == [])
    #expect(button.take(Edge(isActive: false, stamp: .milliseconds(100))) == [])
    let outputs = button.take(Edge(isActive: true, stamp: .milliseconds(400)))
    #expect(outputs == [.gesture(.press, began: .zero)])
  }

  @Test("tells since when it was pressed, not when that was known")
  func began() {
    let rules = Button.Rules(gestures: Asked.pressAndHold)
    var button = Button(rules, isDown: false, at: .zero)
    _ = button.take(Edge(isActive: true, stamp: .milliseconds(1_000)))
    _ = button.take(Edge(isActive: false, stamp: .milliseconds(1_200)))
    let outputs = button.advance(to: .milliseconds(1_220), isActive: false)
    #expect(outputs == [.gesture(.press, began: .milliseconds(1_000))])
  }

  @Test("always ends as its line is, whatever happens, and then rests", arguments: 0..<20)
  func random(seed: UInt64) {
    var generator = SeededGenerator(state: seed &* 7_919 &+ 1)
    for _ in 0..<50 {
      let asked = [Asked.press, Asked.pressAndHold, Asked.all].randomElement(using: &generator)
      let debounce = [0, 5, 20, 100].randomElement(using: &generator) ?? 20
      var bench = ButtonBench(asked ?? Asked.press, debounce: debounce)
      var time = Duration.zero
      var down = false
      for _ in 0..<Int.random(in: 1...200, using: &generator) {
        let longest = [200, 6_000, 50_000, 800_000].randomElement(using: &generator) ?? 1
        time += .microseconds(Int.random(in: 1...longest, using: &generator))
        down.toggle()
        let told = Int.random(in: 0..<10, using: &generator) > 0
        bench.edge(isDown: down, at: time, isTold: told, lost: told ? 0 : 1)
        // What is told by no edge is told by the gap before the next, or by the kernel.
        if !told { bench.doubt(at: time) }
      }
      bench.pass(to: time + .seconds(100))
      #expect(bench.believesDown == bench.isDown)
      #expect(bench.isAtRest)
    }
  }
}
