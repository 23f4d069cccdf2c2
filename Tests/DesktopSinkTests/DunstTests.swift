import Glibc
import SinkKit
import Testing

@testable import DesktopSink

@Suite(
  .serialized,
  .timeLimit(.minutes(2)),
  .enabled(
    if: PrivateBus.isPossible && ChildProcess.exists("dunst", "dunstctl", "Xvfb"),
    "needs dbus-daemon, dunst and Xvfb"
  )
)
struct DunstTests {
  /// dunst on a screen that nobody sees, and a menu from which a file's word is chosen.
  private final class Dunst {
    let bus: PrivateBus
    let environment: [String: String]
    private let screen: ChildProcess
    private let dunst: ChildProcess

    init() throws {
      bus = try PrivateBus()
      let words = ["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"]
      screen = try ChildProcess(words, ["PATH": "/usr/bin:/bin"])
      guard let display = try screen.line() else {
        throw ChildProcess.Failure(description: "Xvfb: \(try screen.line(2) ?? "")")
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
      dunst = try ChildProcess(["dunst", "-conf", file], environment)
      // It answers once it has its name.
      var rounds = 0
      while try !ChildProcess.run(["dunstctl", "is-paused"], environment).contains("false") {
        rounds += 1
        guard rounds < 200 else { throw ChildProcess.Failure(description: "dunst does not come") }
      }
    }

    func control(_ words: String...) throws -> String {
      let text = try ChildProcess.run(["dunstctl"] + words, environment)
      return text.split(separator: "\n").joined(separator: " ")
    }

    /// Asks until so many are displayed: newer versions do so a moment after they have answered.
    func waitUntilDisplayed(_ count: Int) throws {
      for _ in 0..<200 where try control("count", "displayed") == "\(count)" { return }
      let seen = try control("count", "displayed")
      throw ChildProcess.Failure(description: "dunst displays \(seen), not \(count)")
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
    let desktop = try SpawnedDesktop(dunst.environment)
    try desktop.send(.present(Sample.alert(seq: 7, title: "Pills <3 & tea")))
    #expect(try desktop.report() == .presented(seq: 7))
    try dunst.waitUntilDisplayed(1)
    try dunst.choose(button)
    let action: AlarmAction = button == "Stop" ? .stop : .snooze
    #expect(
      try desktop.report() == .intent(Intent(action, .occurrence(Sample.occurrence())))
    )
    try desktop.send(Sample.cleared(seq: 8))
    #expect(try desktop.report() == .presented(seq: 8))
    try dunst.waitUntilDisplayed(0)
  }

  @Test("A countdown is one pop-up that changes in place, and is gone at the end")
  func countdown() throws {
    let dunst = try Dunst()
    let desktop = try SpawnedDesktop(dunst.environment)
    try desktop.send(.present(Sample.countdown(seq: 1)))
    #expect(try desktop.report() == .presented(seq: 1))
    try desktop.send(.present(Sample.paused(seq: 2)))
    #expect(try desktop.report() == .presented(seq: 2))
    try dunst.waitUntilDisplayed(1)
    try dunst.choose("Resume")
    #expect(
      try desktop.report() == .intent(Intent(.resume, .occurrence(Sample.occurrence())))
    )
    desktop.process.signal(SIGTERM)
    #expect(try desktop.process.exitCode() == 0)
    try dunst.waitUntilDisplayed(0)
  }
}
