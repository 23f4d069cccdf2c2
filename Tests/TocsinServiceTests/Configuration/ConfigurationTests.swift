import Foundation
import Testing
import TocsinModel

@testable import TocsinService

private func parse(_ texts: String...) throws(ConfigurationError) -> Configuration {
  try Configuration(
    texts.enumerated().map { Configuration.Source(name: "f\($0.offset)", text: $0.element) }
  )
}

/// The sentences about one text, or none.
private func problems(_ texts: String...) -> [String] {
  do {
    _ = try Configuration(
      texts.enumerated().map { Configuration.Source(name: "f\($0.offset)", text: $0.element) }
    )
    return []
  } catch {
    return error.problems.map(\.description)
  }
}

private let packageRoot = URL(filePath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

@Suite("The configuration")
struct ConfigurationTests {
  @Test("holds what every key says")
  func everyKey() throws {
    let configuration = try parse(
      """
      \u{FEFF}# a comment
        ; another
      [daemon]
      snooze = 5min
      ring-for = never
      auto-snooze = 0
      late-grace = 1h 30min
      alarm-limit=20
      history = 30d
      clock-wait = 0
      snooze-limit = 4
      group = "audio"

      [plugin lamp]\r
      run = lamp --name "bed side" it\\'s 'a\\b'\r
      stdout = yes
      enabled = no
      ping = 30s
      receipt-timeout = 2s
      button.snooze.hold-3s = stop
      note = "a \\"b\\" # c"
      list = "a", "b"
      [route night]
      match = event:alert
      to = lamp, lamp.bulb
      """
    )
    var daemon = DaemonSettings()
    daemon.snooze = .seconds(300)
    daemon.ringFor = nil
    daemon.autoSnooze = 0
    daemon.lateGrace = .seconds(5_400)
    daemon.alarmLimit = 20
    daemon.history = .seconds(30 * 86_400)
    daemon.clockWait = .zero
    daemon.snoozeLimit = 4
    daemon.group = "audio"
    #expect(configuration.daemon == daemon)
    var lamp = PluginSettings(name: "lamp", run: ["lamp", "--name", "bed side", "it's", "a\\b"])
    lamp.getsStandardOutput = true
    lamp.isEnabled = false
    lamp.ping = .seconds(30)
    lamp.receiptTimeout = .seconds(2)
    lamp.settings = [
      "button.snooze.hold-3s": "stop", "note": "a \"b\" # c", "list": "\"a\", \"b\"",
    ]
    #expect(configuration.plugins == [lamp])
    var night = Route(name: "night")
    night.match = try RouteMatch("event:alert")
    night.to = [SinkTarget(sink: "lamp"), SinkTarget(sink: "lamp", part: "bulb")]
    #expect(configuration.routes == [night])
  }

  @Test("is the documented defaults when nothing is said")
  func defaults() throws {
    #expect(try parse("") == Configuration())
    #expect(try parse("[daemon]\nsnooze =") == Configuration())
  }

  @Test("lets a later file win key by key, and take keys back")
  func dropIns() throws {
    let configuration = try parse(
      "[plugin a]\nrun = one\nvolume = 80%\ntone = low\n[plugin b]\nrun = two",
      "[plugin a]\nvolume = 10%\ntone =\n[daemon]\nsnooze = 1min",
      "[plugin c]\nrun = three"
    )
    #expect(configuration.plugins.map(\.name) == ["a", "b", "c"])
    #expect(configuration.plugins[0].run == ["one"])
    #expect(configuration.plugins[0].settings == ["volume": "10%"])
    #expect(configuration.daemon.snooze == .seconds(60))
  }

  @Test("reports all that is wrong together, each with its place and the nearest word")
  func together() {
    let found = problems(
      """
      stray = 1
      [deamon]
      ignored = 1
      [daemon]
      snoze = 9min
        ring-for = 9
      auto-snooze = 3.5
      late-grace = 8d
      run = x
      snooze = 1min
      snooze = 2min
      [plugin a]
      rnu = tocsin-console
      [plugin a]
      [plugin]
      [plugin b c d]
      [plugin b!]
      [plugin d] # no
      nonsense
      [route r]
      too = a
      """,
      "[plugin e]\nrun = \"open\nstdout = maybe\nping = 9lightyears"
    )
    let expected = [
      "f0:1:1: the key stray stands before the first section",
      "f0:2:2: unknown section deamon, did you mean daemon?",
      "f0:5:1: unknown key snoze in [daemon], did you mean snooze?",
      "f0:6:14: ring-for: 9 has no unit, write 9s or 9min",
      "f0:7:15: auto-snooze: not a whole number",
      "f0:8:14: late-grace: 8d is outside of 0 to 7d",
      "f0:9:1: unknown key run in [daemon], it belongs into a [plugin NAME] section",
      "f0:11:1: snooze is set in line 10 already",
      "f0:12:2: [plugin a] has no run, is rnu meant to be run?",
      "f0:14:2: [plugin a] is in line 12 already",
      "f0:15:2: [plugin] needs a name: [plugin NAME]",
      "f0:16:1: a section is [daemon], [access], [plugin NAME] or [route NAME]",
      "f0:17:10: a name is made of letters, digits, - and _",
      "f0:18:15: a section's line ends with its ], comments have a line of their own",
      "f0:21:1: unknown key too in [route r], did you mean to?",
      "f1:2:7: run: this quote is not closed",
      "f1:3:10: stdout: write yes or no",
      "f1:4:8: ping: lightyears is not a unit of time, there are ms, s, min, h and d",
    ]
    #expect(found == expected)
  }

  @Test("refuses the same plugin twice in one file, also when it is the same")
  func twice() {
    #expect(
      problems("[plugin a]\nrun = x\n[plugin a]\nrun = x") == [
        "f0:3:2: [plugin a] is in line 1 already"
      ]
    )
  }

  @Test(
    "checks each value's range and form",
    arguments: [
      ("snooze = 0", "snooze: 0 is outside of 1s to 1d"),
      ("snooze = -1s", "snooze: not a duration, write 250ms, 30s, 9min, 1h or 90d"),
      ("snooze = never", "snooze: not a duration, write 250ms, 30s, 9min, 1h or 90d"),
      ("snooze = 1.min", "snooze: not a duration, write 250ms, 30s, 9min, 1h or 90d"),
      ("snooze = 9min 30", "snooze: 30 has no unit, write 30s or 30min"),
      ("snooze = 99999999999999999999d", "snooze: that long no machine runs"),
      ("alarm-limit = 0", "alarm-limit: 0 is outside of 1 to 1000000"),
      ("alarm-limit = 99999999999999999999", "alarm-limit: not a whole number"),
      ("snooze-limit = nan", "snooze-limit: not a whole number"),
      ("group = \"x\\", "group: this quote is not closed"),
    ]
  )
  func ranges(line: String, sentence: String) {
    let found = problems("[daemon]\n\(line)")
    #expect(found.count == 1)
    #expect(found.first?.hasSuffix(sentence) == true, "\(found)")
  }

  @Test("survives any bytes: a hostile file is a list of problems or a configuration")
  func hostile() {
    #expect(problems("[daemon]\nsnooze = 9\u{0}min").count == 1)
    #expect(problems("[plugin \(String(repeating: "x", count: 65))]\nrun = x").count == 1)
    #expect(problems(String(repeating: "[", count: 10_000)).count == 1)
    var generator = SystemRandomNumberGenerator()
    let letters = Array("[]=\"'\\ #;\n\rdaemonplugisz019%,.\u{301}\u{0}é")
    for _ in 0..<2_000 {
      let text = String((0..<60).map { _ in letters.randomElement(using: &generator) ?? " " })
      _ = problems(text, "[daemon]\n\(text)")
    }
  }
}

@Suite("plugins.conf is found")
struct ConfigurationFinderTests {
  private func finder(
    _ files: [String: String],
    environment: [String: String] = ["HOME": "/home/a"],
    program: String = "/opt/tocsin/bin"
  ) -> ConfigurationFinder {
    ConfigurationFinder(
      environment: environment,
      programDirectory: program,
      read: { path in files[path].map { Array($0.utf8) } },
      list: { directory in
        files.keys.filter { $0.hasPrefix(directory + "/") }.map {
          String($0.dropFirst(directory.count + 1))
        }
      }
    )
  }

  @Test("in the order of the reference")
  func order() throws {
    let places = [
      "/cfg/tocsin/plugins.conf", "/etc/tocsin/plugins.conf", "/src/.build/debug/plugins.conf",
      "/src/plugins.conf",
    ]
    var files = Dictionary(uniqueKeysWithValues: places.map { ($0, "") })
    files["/src/Package.swift"] = ""
    let environment = ["XDG_CONFIG_HOME": "/cfg", "HOME": "/home/a"]
    for place in places {
      let found = try finder(files, environment: environment, program: "/src/.build/debug").load()
      #expect(found.files == [place])
      files[place] = nil
    }
    let none = try finder(files, environment: environment, program: "/src/.build/debug").load()
    #expect(none.files.isEmpty)
    #expect(none.configuration == Configuration())
    #expect(finder([:]).candidates[0] == "/home/a/.config/tocsin/plugins.conf")
    #expect(
      finder([:], environment: ["XDG_CONFIG_HOME": "relative", "HOME": "/h"]).candidates[0]
        == "/h/.config/tocsin/plugins.conf"
    )
  }

  @Test("with its drop-ins in the order of their names")
  func dropIns() throws {
    let found = try finder([
      "/etc/tocsin/plugins.conf": "[daemon]\nsnooze = 1min",
      "/etc/tocsin/plugins.conf.d/20.conf": "[daemon]\nsnooze = 3min",
      "/etc/tocsin/plugins.conf.d/10.conf": "[daemon]\nsnooze = 2min",
      "/etc/tocsin/plugins.conf.d/30.conf~": "nonsense",
    ]).load()
    #expect(found.configuration.daemon.snooze == .seconds(180))
    #expect(found.files.count == 3)
  }

  @Test("and --config names a file that must be there")
  func explicit() throws {
    #expect(throws: ConfigurationError(problems: [.init(file: "/x.conf", "there is no such file")]))
    {
      try finder(["/etc/tocsin/plugins.conf": ""]).load(file: "/x.conf")
    }
    #expect(try finder(["/x.conf": ""]).load(file: "/x.conf").files == ["/x.conf"])
  }

  @Test("on a real disk, where unreadable and foreign files are problems with a place")
  func disk() throws {
    let directory = try TemporaryDirectory()
    try directory.write("plugins.conf", "[daemon]\nsnooze = 9min\n")
    mkdir("\(directory.path)/plugins.conf.d", 0o700)
    try Data([0x5B, 0x0A, 0x23, 0xFF, 0x0A]).write(
      to: URL(filePath: "\(directory.path)/plugins.conf.d/a.conf")
    )
    mkdir("\(directory.path)/plugins.conf.d/b.conf", 0o700)
    let finder = ConfigurationFinder(environment: [:], programDirectory: directory.path)
    do {
      _ = try finder.load(file: "\(directory.path)/plugins.conf")
      Issue.record("the problems were not reported")
    } catch {
      #expect(
        error.description == """
          \(directory.path)/plugins.conf.d/a.conf:2:1: this line is not UTF-8, save it as such
          \(directory.path)/plugins.conf.d/b.conf: read \(directory.path)/plugins.conf.d/b.conf: \
          Is a directory
          """
      )
    }
  }
}

@Suite("What ships")
struct ShippedConfigurationTests {
  @Test("turns on console, sound and pop-ups, and holds together with every comment taken off")
  func shipped() throws {
    let file = packageRoot.appending(path: "plugins.conf")
    let text = try String(contentsOf: file, encoding: .utf8)
    let configuration = try parse(text)
    #expect(configuration.daemon == DaemonSettings())
    var console = PluginSettings(name: "console", run: ["tocsin-console"])
    console.getsStandardOutput = true
    console.settings = ["format": "text"]
    var speaker = PluginSettings(name: "speaker", run: ["tocsin-alsa"])
    speaker.settings = [
      "device": "default", "sound": "alarm-clock-elapsed", "volume": "80%", "fade-in": "30s",
    ]
    let popup = PluginSettings(name: "popup", run: ["tocsin-desktop"])
    #expect(configuration.plugins == [console, speaker, popup])
    let all = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0
    }.joined(separator: "\n")
    #expect(
      try parse(all).plugins.map(\.name) == ["console", "speaker", "popup", "bedside", "mine"]
    )
    #expect(configuration.routes.isEmpty)
    #expect(try parse(all).routes.map(\.name) == ["wakeup"])
  }

  @Test("is documented key by key: names, values and defaults are those of the code")
  func documented() throws {
    let file = packageRoot.appending(path: "docs/plugins.conf.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.split(separator: "|").prefix(3).map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
      }
    }
    let keys =
      DaemonSettings.keys.map { [$0.name, $0.values, $0.fallback] }
      + PluginSettings.keys.map { [$0.name, $0.values, $0.fallback] }
      + RouteDraft.keys.map { [$0.name, $0.values, $0.fallback] }
      + AccessSettings.keys.map { [$0.name, $0.values, $0.fallback] }
    #expect(rows == keys)
  }

  @Test("has routes in the reference that hold together")
  func examples() throws {
    let file = packageRoot.appending(path: "docs/plugins.conf.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(text.range(of: "## [route NAME]"))
    let blocks = text[section.upperBound...].split(separator: "```")
    let block = try #require(blocks.first { $0.hasPrefix("ini\n") })
    let plugins = ["speaker", "popup", "bedside"].map { "[plugin \($0)]\nrun = x\n" }.joined()
    let routes = try parse(plugins + block.dropFirst(4)).routes
    #expect(routes.map(\.name) == ["wakeup", "night"])
    // Inhibitions stand in the text.
    let inline = text[section.upperBound...].split(separator: "`").filter {
      $0.hasPrefix("inhibit = ")
    }
    #expect(inline.count == 3)
    for line in inline { _ = try parse(plugins + "[route r]\n" + line) }
  }

  @Test("has defaults that each key would read as it writes them")
  func fallbacks() throws {
    for key in DaemonSettings.keys where key.name != "group" {
      var settings = DaemonSettings()
      try key.read(key.fallback, &settings)
      #expect(settings == DaemonSettings(), "\(key.name)")
    }
    for key in PluginSettings.keys where key.name != "run" {
      var settings = PluginSettings(name: "a", run: ["b"])
      try key.read(key.fallback, &settings)
      #expect(settings == PluginSettings(name: "a", run: ["b"]), "\(key.name)")
    }
    for key in AccessSettings.keys {
      var settings = AccessSettings()
      try key.read(key.fallback, &settings)
      #expect(settings == AccessSettings(), "\(key.name)")
    }
    for key in RouteDraft.keys {
      var draft = RouteDraft(name: "a")
      try key.read(key.fallback, &draft)
      #expect(draft.route == Route(name: "a"), "\(key.name)")
    }
  }
}
