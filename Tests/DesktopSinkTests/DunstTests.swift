import Glibc
import ProcessTesting
import SinkKit
import SinkTesting
import Testing

@testable import DesktopSink

@Suite(
  .serialized,
  .timeLimit(.minutes(10)),
  .enabled(
    if: PrivateBus.isPossible && ["dunst", "dunstctl", "Xvfb"].allSatisfy(Program.exists),
    "needs dbus-daemon, dunst and Xvfb"
  )
)
struct DunstTests {
  /// dunst on a screen that nobody sees, and a menu from which a file's word is chosen.
  private final class Dunst {
    let bus: PrivateBus
    let environment: [String: String]
    private let screen: Program
    private let dunst: Program

    init() throws {
      bus = try PrivateBus()
      let words = ["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"]
      screen = try Program(words, environment: ["PATH": "/usr/bin:/bin"])
      guard let display = try screen.output.line() else {
        throw Failure("Xvfb: \(try screen.errors.rest())")
      }
      let menu = """
        #!/bin/sh
        grep -m 1 -- "$(cat '\(bus.directory)/choice')"
        """
      let path = try bus.write("menu", menu, mode: 0o755)
      let configuration = """
        [global]
            dmenu = \(path)
            mouse_left_click = do_action
            idle_threshold = 0
        """
      let file = try bus.write("dunstrc", configuration)
      environment = bus.environment.merging(["DISPLAY": ":\(display)"]) { $1 }
      dunst = try Program(["dunst", "-conf", file], environment: environment)
      // It answers once it has its name.
      var rounds = 0
      while try !Program.run(["dunstctl", "is-paused"], environment: environment).out.contains(
        "false"
      ) {
        rounds += 1
        guard rounds < 200 else { throw Failure("dunst does not come") }
      }
    }

    func control(_ words: String...) throws -> String {
      let text = try Program.run(["dunstctl"] + words, environment: environment).out
      return text.split(separator: "\n").joined(separator: " ")
    }

    /// Asks until so many are displayed: newer versions do so a moment after they have answered.
    func waitUntilDisplayed(_ count: Int) throws {
      for _ in 0..<200 where try control("count", "displayed") == "\(count)" { return }
      let seen = try control("count", "displayed")
      throw Failure("dunst displays \(seen), not \(count)")
    }

    /// Opens the menu of all buttons and chooses the first whose text has this in it.
    func choose(_ text: String) throws {
      try bus.write("choice", text)
      _ = try control("context")
    }
  }

  @Test("A button pressed in dunst is an intent of the process", arguments: ["Stop", "Snooze"])
  func press(button: String) throws {
    let dunst = try Dunst()
    let desktop = try SpawnedSink.desktop(dunst.environment)
    try desktop.send(.present(Sample.ringing(seq: 7, title: "Pills <3 & tea")))
    #expect(try desktop.answer() == .presented(seq: 7))
    try dunst.waitUntilDisplayed(1)
    try dunst.choose(button)
    let action: AlarmAction = button == "Stop" ? .stop : .snooze
    #expect(
      try desktop.answer() == .intent(Intent(action, .occurrence(Sample.occurrence())))
    )
    try desktop.send(.cleared(Sample.cleared(seq: 8)))
    #expect(try desktop.answer() == .presented(seq: 8))
    try dunst.waitUntilDisplayed(0)
  }

  @Test("A countdown is one pop-up that changes in place, and is gone at the end")
  func countdown() throws {
    let dunst = try Dunst()
    let desktop = try SpawnedSink.desktop(dunst.environment)
    try desktop.send(.present(Sample.counting(seq: 1)))
    #expect(try desktop.answer() == .presented(seq: 1))
    try desktop.send(.present(Sample.halted(seq: 2)))
    #expect(try desktop.answer() == .presented(seq: 2))
    try dunst.waitUntilDisplayed(1)
    try dunst.choose("Resume")
    #expect(
      try desktop.answer() == .intent(Intent(.resume, .occurrence(Sample.occurrence())))
    )
    desktop.signal(SIGTERM)
    #expect(try desktop.exitCode() == 0)
    try dunst.waitUntilDisplayed(0)
  }
}
