import SinkKit
import Testing

@testable import ConsoleSink

@Suite struct ConsoleSettingsTests {
  private static let tty = ConsoleTerminal(isTerminal: true)
  private static let pipe = ConsoleTerminal(isTerminal: false)
  private static let dumb = ConsoleTerminal(isTerminal: true, isCapable: false)
  private static let plain = ConsoleTerminal(isTerminal: true, noColor: true)

  private static func look(_ color: Bool, _ live: Bool, _ bell: Bool) -> ConsoleScreen.Look {
    ConsoleScreen.Look(color: color, live: live, bell: bell)
  }

  @Test(
    "Colour, live line and bell depend on the settings and on what the output is",
    arguments: [
      ([:], tty, look(true, true, true)), ([:], pipe, look(false, false, false)),
      ([:], dumb, look(false, false, true)), ([:], plain, look(false, true, true)),
      (["color": "yes"], plain, look(true, true, true)),
      (["color": "yes", "bar": "yes", "bell": "yes"], pipe, look(true, false, false)),
      (["color": "no", "bar": "no", "bell": "no"], tty, look(false, false, false)),
      (["bar": "yes"], dumb, look(false, true, true)),
      (["format": "json", "color": "yes", "bar": "yes"], tty, look(false, false, false)),
    ] as [([String: String], ConsoleTerminal, ConsoleScreen.Look)]
  )
  func decides(settings: [String: String], terminal: ConsoleTerminal, expected: ConsoleScreen.Look)
  {
    let read = ConsoleSettings(SinkSettings(sink: "console", settings))
    #expect(read.look(on: terminal) == expected)
  }
}
