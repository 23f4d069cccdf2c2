import Testing

@testable import SinkKit

@Suite struct SinkArgumentsTests {
  private typealias Attachment = SinkArguments.Attachment

  @Test("Without arguments a sink's program is a plugin")
  func plugin() { #expect(SinkArguments([]) == .plugin) }

  @Test("It joins a daemon by name and socket, with settings as in plugins.conf")
  func attach() {
    #expect(SinkArguments(["--attach"]) == .attach(Attachment()))
    let words = [
      "--attach", "--socket", "/run/a b", "--name", "desk", "on-dismiss=stop", "icon=a=b", "x=",
    ]
    let expected = Attachment(
      socket: "/run/a b",
      name: "desk",
      settings: ["on-dismiss": "stop", "icon": "a=b", "x": ""]
    )
    #expect(SinkArguments(words) == .attach(expected))
    #expect(SinkArguments(Array(words.dropFirst()) + ["--attach"]) == .attach(expected))
  }

  @Test("Help and version are given whatever else is asked")
  func help() {
    #expect(SinkArguments(["--attach", "--help"]) == .help)
    #expect(SinkArguments(["-h", "rubbish"]) == .help)
    #expect(SinkArguments(["--version"]) == .version)
  }

  @Test(
    "What is wrong is named",
    arguments: [
      (["--sync"], "--sync"), (["--attach", "rubbish"], "rubbish"), (["--attach", "=x"], "=x"),
      (["--attach", "--socket"], "--socket"), (["--attach", "--name", ""], "--name"),
      (["a=b"], "--attach"), (["--socket", "/x"], "--attach"), ([""], ""),
    ]
  )
  func wrong(words: [String], named: String) {
    guard case .wrong(let problem) = SinkArguments(words) else {
      Issue.record("\(words) was taken")
      return
    }
    #expect(problem.contains(named) || named.isEmpty)
  }

  @Test("A missing daemon is tried for a few times at once, then hardly or not at all")
  func pace() {
    var pace = RetryPace()
    var pauses: [Duration?] = []
    for _ in 0..<6 { pauses.append(pace.next(isNoticed: true)) }
    #expect(pauses == [100, 200, 400, 800, 1_600, 3_200].map { .milliseconds($0) })
    #expect(pace.next(isNoticed: true) == nil)
    #expect(pace.next(isNoticed: false) == .seconds(60))
  }
}
