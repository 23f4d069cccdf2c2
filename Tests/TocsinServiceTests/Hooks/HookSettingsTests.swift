import Testing

@testable import TocsinService

private func configuration(_ lines: String) throws(ConfigurationError) -> Configuration {
  try Configuration([Configuration.Source(name: "f", text: "[plugin push]\n\(lines)")])
}

@Suite("Keys of programs that run once")
struct HookSettingsTests {
  @Test("are read, and written so that they are read the same")
  func everyKey() throws {
    let read = try configuration(
      """
      run-on-alert = ["/usr/bin/curl", "-d", "a \\"b\\" $HOME", ""]
      run-on-countdown = sh -c 'echo "$TOCSIN_TITLE"'
      run-on-paused = p
      run-on-cleared = c
      run-on-missed = m
      run-on-notice = n
      time-limit = 2min
      at-once = 1
      audible = yes
      enabled = no
      user = nobody
      """
    )
    var push = PluginSettings(name: "push", run: [])
    push.isEnabled = false
    push.sandbox.user = "nobody"
    push.hook.commands = [
      .alert: ["/usr/bin/curl", "-d", "a \"b\" $HOME", ""],
      .countdown: ["sh", "-c", "echo \"$TOCSIN_TITLE\""], .paused: ["p"], .cleared: ["c"],
      .missed: ["m"], .notice: ["n"],
    ]
    push.hook.timeLimit = .seconds(120)
    push.hook.atOnce = 1
    push.hook.isAudible = true
    #expect(read.plugins == [push])
    #expect(push.confirmationTime == .seconds(120))
    #expect(try Configuration([.init(name: "g", text: read.text)]) == read)
  }

  @Test(
    "say what is wrong with them, and where",
    arguments: [
      (
        "run = a\nrun-on-alert = b",
        "f:2:1: [plugin push] has run-on-alert too, take it or run away"
      ),
      (
        "run = a\ntime-limit = 3s",
        "f:3:1: time-limit is for programs that run once, and [plugin push] has run"
      ),
      (
        "run-on-alert = a\nping = 3s",
        "f:3:1: ping is for a program that keeps running, and [plugin push] has run-on-… instead of run"
      ),
      (
        "run-on-alert = a\ntime-limt = 3s",
        "f:3:1: unknown key time-limt in [plugin push], whose programs take none, did you mean time-limit?"
      ),
      (
        "run-on-alert = [\"a\", 5]",
        "f:2:16: run-on-alert: not a list of texts, write [\"/usr/bin/curl\", \"-d\", \"@-\"] or words without ["
      ),
      ("run-on-alert = []", "f:2:16: run-on-alert: it names no program"),
      (
        "run-on-alert = a\ntime-limit = 11min",
        "f:3:14: time-limit: 11min is outside of 1s to 10min"
      ),
      ("run-on-alert = a\nat-once = 65", "f:3:11: at-once: 65 is outside of 1 to 64"),
      ("time-limit = 3s", "f:1:2: [plugin push] has no run, write run = PROGRAM"),
    ]
  )
  func wrong(lines: String, sentence: String) {
    #expect(throws: ConfigurationError.self) { try configuration(lines) }
    do {
      _ = try configuration(lines)
    } catch {
      #expect(error.description == sentence)
    }
  }
}
