@testable import GPIOSink

/// Gives a button edges at their times and lets its timers run exactly when they are due.
///
/// Edges are written as a fall or a rise of an active-low line and its time in milliseconds: `F0
/// R3`. What comes out is written as `press@0`, where the time is when it came out, so what acted
/// at once is known from what waited.
struct ButtonBench {
  private var button: Button
  private(set) var isDown: Bool
  private var now = Duration.zero
  private(set) var outputs: [String] = []

  init(_ gestures: Set<Gesture> = [.press], debounce: Int = 20, isDown: Bool = false) {
    let rules = Button.Rules(gestures: gestures, debounce: .milliseconds(debounce))
    button = Button(rules, isDown: isDown, at: .zero)
    self.isDown = isDown
  }

  /// Whether the button thinks that it is down.
  var believesDown: Bool { button.isDown }
  /// Whether it would wake anybody up.
  var isAtRest: Bool { button.deadline == nil }

  /// Plays edges, then lets time pass until nothing waits any more or the end is reached.
  mutating func play(_ text: String, until end: Int = 100_000) {
    for word in text.split(separator: " ") {
      let time = Duration.microseconds(Int((Double(word.dropFirst()) ?? 0) * 1_000))
      edge(isDown: word.first == "F", at: time)
    }
    pass(to: .milliseconds(end))
  }

  mutating func edge(isDown: Bool, at time: Duration, isTold: Bool = true, lost: Int = 0) {
    pass(to: time)
    self.isDown = isDown
    if isTold { note(button.take(Edge(isActive: isDown, stamp: time, lost: lost))) }
  }

  /// Gives all edges only then, as to a thread that was held up.
  mutating func playLate(_ text: String, at late: Int) {
    for word in text.split(separator: " ") {
      isDown = word.first == "F"
      let stamp = Duration.milliseconds(Int(word.dropFirst()) ?? 0)
      now = .milliseconds(late)
      note(button.take(Edge(isActive: isDown, stamp: stamp)))
    }
    pass(to: .milliseconds(100_000))
  }

  mutating func doubt(at time: Duration) {
    pass(to: time)
    button.doubt(at: time)
  }

  mutating func pass(to end: Duration) {
    while let deadline = button.deadline, deadline <= end {
      now = max(now, deadline)
      note(button.advance(to: now, isActive: isDown))
    }
    now = max(now, end)
  }

  private mutating func note(_ new: [Button.Output]) {
    for output in new { outputs.append("\(name(output))@\(now.inMilliseconds)") }
  }

  private func name(_ output: Button.Output) -> String {
    switch output {
    case .gesture(.press, _): "press"
    case .gesture(.double, _): "double"
    case .gesture(.hold(let time), _): "hold\(time.inMilliseconds)"
    case .stuck: "stuck"
    case .flooded: "flooded"
    case .quiet: "quiet"
    }
  }
}

/// What a button is asked for, by a short name.
enum Asked {
  static let press: Set<Gesture> = [.press]
  static let pressAndHold: Set<Gesture> = [.press, .hold(.milliseconds(600))]
  static let all: Set<Gesture> = [.press, .double, .hold(.milliseconds(600))]
}
