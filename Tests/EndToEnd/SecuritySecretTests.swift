import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// What is private stays where it belongs, and no text makes a log say what did not happen.
@Suite(.timeLimit(.minutes(10)))
struct SecuritySecretTests {
  @Test("titles, routes' words and the daemon's environment are in no log and in no plugin's hands")
  func secrets() async throws {
    try await waiting {
      let place = try Place()
      let seen = "\(place.directory)/seen"
      let script = try place.script("plugin", "#!/bin/sh\nenv > \(seen)\nexit 3\n")
      try place.configure("\(Place.console)\n[plugin broken]\nrun = \(script)\n")
      let daemon = try place.daemon(
        output: .pipe,
        ["API_TOKEN": "SECRET-TOKEN", "LD_DEBUG_OUTPUT": "SECRET-FILE", "LD_BIND_NOT": "SECRET-LD"]
      )
      let good = try place.connect()
      try good.request(.schedule(timer(0.1, "SECRET-TITLE")))
      _ = try daemon.output.line(with: "\"alerting\"")
      try place.done("stop", "SECRET-TITLE")
      #expect(try place.tocsin("skip", "SECRET-TITLE").code != 0)
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode() == 0)
      #expect(!(try daemon.errors.rest()).contains("SECRET"))
      let environment = try String(contentsOfFile: seen, encoding: .utf8)
      #expect(environment.contains("TOCSIN_SINK=broken") && !environment.contains("SECRET"))
    }
  }

  @Test("no title and no plugin's word moves a cursor, forges a line or turns a text around")
  func injection() async throws {
    try await waiting {
      let place = try Place()
      let hostile = "a\\033[2Jb\\r<0>forged\\302\\205c\\342\\200\\256d\\342\\200\\250<0>e"
      let script = try place.script(
        "plugin",
        "#!/bin/sh\nprintf '\(hostile)\\n' >&2\n"
          + "printf '{\"type\":\"log\",\"level\":\"error\",\"message\":\"m\\\\u001b[2J\\\\n<0>f\"}\\n'\n"
          + "cat > /dev/null\n"
      )
      try place.configure("[plugin \u{1B}bad]\nrun = x\n")
      #expect(!(try place.run(["tocsind"])).err.contains("\u{1B}"))
      try place.configure("[plugin rude]\nrun = \(script)\n")
      let daemon = try place.daemon(["tocsind"], ["JOURNAL_STREAM": "1:1"])
      let good = try place.connect()
      try good.request(
        .schedule(timer(3_600, "t\u{1B}]0;x\u{7}\n<0>forged\u{202E}\u{2028}<0>g"))
      )
      for words in [["list"], ["history"], ["next"], ["stop", "nobody\u{1B}[2J\n<0>"]] {
        let result = try place.run(["tocsin"] + words)
        let text = result.out + result.err
        for scalar in "\u{1B}\u{7}\u{85}\u{202E}\u{2028}".unicodeScalars {
          #expect(!text.unicodeScalars.contains(scalar), "\(words)")
        }
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("<0>") })
      }
      let first = try daemon.errors.line(with: "rude: a")
      let said = try daemon.errors.line(with: "rude: m")
      daemon.signal(SIGTERM)
      let log = first + "\n" + said + "\n" + (try daemon.errors.rest())
      for scalar in "\u{1B}\r\u{85}\u{202E}\u{2028}".unicodeScalars {
        #expect(!log.unicodeScalars.contains(scalar))
      }
      #expect(!log.split(separator: "\n").contains { $0.hasPrefix("<0>") })
    }
  }
}
