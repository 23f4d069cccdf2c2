import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// What may become of plugins.conf while the daemon runs, and what must not become of its sinks then.
@Suite(.timeLimit(.minutes(10)))
struct ReloadTests {
  struct Slip: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// What stands in the file then; nil if it is gone.
    var text: String?
    /// What the answer names.
    var says: String
  }

  static let slips = [
    Slip(testDescription: "syntax", text: Place.console + "[plugin\n", says: "plugins.conf:5:"),
    Slip(
      testDescription: "an unknown key",
      text: Place.console + "[daemon]\nsnoze = 5min\n",
      says: "did you mean snooze"
    ),
    Slip(
      testDescription: "an unknown section",
      text: Place.console + "[plugins x]\nrun = x\n",
      says: "plugins.conf:5:"
    ),
    Slip(
      testDescription: "a value out of range",
      text: "[daemon]\nalarm-limit = -4\n" + Place.console,
      says: "plugins.conf:2:"
    ),
    Slip(
      testDescription: "a key outside of any section",
      text: "volume = 80%\n" + Place.console,
      says: "before the first section"
    ),
    Slip(testDescription: "UTF-16", text: "\u{FFFE}[\0d\0", says: "plugins.conf"),
    Slip(
      testDescription: "the same plugin twice",
      text: Place.console + Place.console,
      says: "plugins.conf:5:"
    ),
    Slip(testDescription: "no file", text: nil, says: "it is gone; put it back, or restart"),
  ]

  @Test(
    "a plugins.conf that cannot be used changes nothing, whatever is wrong with it",
    arguments: slips
  )
  func kept(_ slip: Slip) async throws {
    try await waiting {
      let place = try Place("[daemon]\nalarm-limit = 2\n" + Place.console)
      let daemon = try place.daemon(output: .pipe)
      try place.done("timer", "1h", "Roast")
      _ = try daemon.output.line(with: "Roast")
      let sinks = try place.done("sinks", "--json")
      if let text = slip.text {
        try place.configure(text)
      } else {
        unlink(place.configuration)
      }
      let refused = try place.tocsin("reload")
      #expect(refused.code == 78)
      #expect(refused.err.contains(slip.says), "\(refused.err)")
      #expect(try place.done("status").contains("plugins.conf was not read again"))
      #expect(try place.done("sinks", "--json") == sinks)
      #expect(try place.done("status").contains("1 of 2 at most"))
      try place.done("timer", "10ms", "Egg")
      _ = try daemon.output.line(with: "\"alerting\"")
      try place.done("stop", "Egg")
      try place.configure("[daemon]\nalarm-limit = 3\n" + Place.console)
      try place.done("reload")
      #expect(try place.done("status").contains("1 of 3 at most"))
    }
  }

  @Test("drop-ins that cannot be read change nothing, as plugins would be missing from then on")
  func dropIns() async throws {
    try await waiting {
      let place = try Place()
      let folder = "\(place.configuration).d"
      try place.makeDirectory("config/tocsin/plugins.conf.d")
      try Place.console.write(toFile: "\(folder)/a.conf", atomically: true, encoding: .utf8)
      let daemon = try place.daemon()
      #expect(try place.done("sinks").contains("console"))
      rename(folder, "\(folder)-away")
      symlink(folder, folder)
      let refused = try place.tocsin("reload")
      #expect(refused.code == 78)
      #expect(refused.err.contains(folder))
      #expect(try place.done("sinks").contains("console"))
      // Gone is not unreadable: whoever takes drop-ins away may mean it, and hears what it comes to.
      unlink(folder)
      try place.done("reload")
      try daemon.errors.wait(for: "was read again")
      while try place.done("sinks").contains("console") {}
      #expect(try place.done("status").contains("nobody would present an alarm"))
    }
  }

  /// A sink that takes one setting, and says and ends as our own do where it is wrong.
  private static let lamp = """
    #!/usr/bin/env python3
    import json, sys
    def say(**message):
        print(json.dumps(message), flush=True)
    for line in sys.stdin:
        event = json.loads(line)
        if event["type"] == "hello":
            if event["settings"].get("led") != "GPIO22":
                print("led is wrong", file=sys.stderr)
                sys.exit(78)
            say(type="ready", name="lamp", version="1", capabilities=["sound"], audible=True)
        elif event["type"] == "ping":
            say(type="pong")
        elif event["type"] == "bye":
            break
        elif event["type"] == "sync":
            for presentation in event["presentations"]:
                print("rings", presentation["title"], file=sys.stderr, flush=True)
        elif "seq" in event:
            say(type="presented", seq=event["seq"])
            if event.get("state") == "alerting":
                print("rings", event["title"], file=sys.stderr, flush=True)

    """

  @Test("a setting that a plugin refuses leaves it as it was, which is said until it is mended")
  func refusedSetting() async throws {
    try await waiting {
      let place = try Place()
      let lamp = try place.script("lamp", Self.lamp)
      let section = "[plugin lamp]\nrun = \(lamp)\nled = "
      try place.configure(section + "GPIO22\n")
      let daemon = try place.daemon()
      try place.done("timer", "10ms", "First")
      try daemon.errors.wait(for: "lamp: rings First")
      try place.done("stop")
      let slips = [
        (section + "GPOI22\n", "its settings are wrong"),
        ("[plugin lamp]\nrun = \(lamp)-none\nled = GPIO22\n", "lamp-none"),
      ]
      for (text, why) in slips {
        try place.configure(text)
        try place.done("reload")
        let line = try daemon.errors.line(with: "lamp goes on as it was set before")
        #expect(line.contains(why), "\(line)")
        try place.done("timer", "10ms", "Next")
        try daemon.errors.wait(for: "lamp: rings Next")
        let status = try place.done("status")
        #expect(status.contains("lamp goes on as it was set before"), "\(status)")
        #expect(try place.done("sinks").contains("goes on as it was set before"))
        try place.done("stop")
      }
      try place.configure(section + "GPIO22\nreceipt-timeout = 4s\n")
      try place.done("reload")
      try place.done("timer", "10ms", "Last")
      try daemon.errors.wait(for: "lamp: rings Last")
      #expect(!(try place.done("status").contains("set before")))
      #expect(!(try place.done("sinks").contains("set before")))
    }
  }
}
