import Foundation
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// A title is a person's text, whatever it looks like, from the command to the last sink.
@Suite(.timeLimit(.minutes(10)))
struct TitleTests {
  static let titles = [
    "-x", "--hint=string:x:y", "--version", "--", "- [ ] plans", "<b>&", "We <3 tea & \"rye\"",
    "&amp;", "</span>", "$(touch pwned)", "`touch pwned`; touch pwned", "'\"\\", "%n%s",
    "{\"type\":\"cleared\"}", "=cmd", "\u{202E}nruter", "👩‍🚀🇪🇺", "a\tb",
  ]

  @Test("a title that looks like an option, markup or a script is a title everywhere")
  func literal() async throws {
    try await waiting {
      let place = try Place()
      let hook = try place.script("hook", "#!/bin/sh\ncat >> \"$0.events\"\n")
      try place.configure(Place.console + "[plugin hook]\nrun-on-alert = \(hook)\n")
      let daemon = try place.daemon(output: .pipe)
      let events = try EventStream(place)
      for title in Self.titles {
        try place.done("timer", "10ms", "--", title)
        let alert = try presentation(in: daemon.output.line(with: "\"alerting\""))
        #expect(alert.title == title)
        #expect(try events.presentation(.alerting).title == title)
        let listed = try place.alarms()
        #expect(listed.map(\.alarm.title) == [title])
        try place.done("stop")
      }
      // The last hook has run when the daemon has ended.
      daemon.signal(SIGTERM)
      #expect(try daemon.exitCode() == 0)
      let told = try String(contentsOfFile: "\(hook).events", encoding: .utf8)
      for title in Self.titles {
        let line = try JSONLine.encode(title).dropLast()
        #expect(told.contains("\"title\":" + String(decoding: line, as: UTF8.self)), "\(title)")
      }
      #expect(!FileManager.default.fileExists(atPath: "\(place.directory)/pwned"))
    }
  }

  @Test("a long title is kept whole, and one that fits no line is refused")
  func long() async throws {
    try await waiting {
      let place = try Place(Place.console)
      let daemon = try place.daemon(output: .pipe)
      let title = String(repeating: "wake up é ", count: 1_024)
      try place.done("timer", "10ms", title)
      #expect(try presentation(in: daemon.output.line(with: "\"alerting\"")).title == title)
      #expect(try place.done("list", "--json").contains(title))
      #expect(try place.alarms().map(\.alarm.title) == [title])
      try place.done("stop")
      let refused = try place.tocsin("timer", "10m", String(repeating: "x", count: 70_000))
      #expect(refused.code == 64)
      #expect(refused.err.contains("shorten the title"))
      // As another client would: the daemon tells it, and lives.
      let raw = try RawClient(place.socket)
      let request = "{\"type\":\"schedule\",\"id\":1,\"alarm\":{\"title\":\""
      try raw.send(Array(request.utf8) + [UInt8](repeating: 0x78, count: 1 << 20) + [0x0A])
      #expect(try raw.lines.line()?.contains("\"error\"") == true)
      #expect(try place.alarms().isEmpty)
    }
  }

  static let locales = ["C", "C.UTF-8", "en_US.UTF-8", "de_DE.UTF-8", "ar_SA.UTF-8", "tr_TR.UTF-8"]

  @Test("the same is meant and said under every locale")
  func locales() async throws {
    try await waiting {
      var said: Set<String> = []
      for locale in Self.locales {
        let place = try Place()
        let variables = ["LANG", "LC_ALL", "LC_TIME", "LANGUAGE"]
        for name in variables { place.environment[name] = locale }
        let daemon = try place.daemon()
        let id = "00000000-0000-4000-8000-00000000000a"
        let words = ["alarm", "12:30 AM", "Sunday", "--on", "sun,mon,fri", "--id", id]
        let answer = try place.run(["tocsin"] + words)
        #expect(answer.code == 0, "\(locale): \(answer.err)")
        let when = try place.done("when", "fri-mon 6:00", "-n", "4")
        let schedule = try place.alarms().map { "\($0.alarm.schedule.map { "\($0)" } ?? "")" }
        let listed = try place.done("list").replacing(/\t[0-9]+\t/, with: "\t-\t")
        said.insert("\(answer.out.prefix { $0 != "(" })|\(when)|\(schedule)|\(listed)")
        #expect(try place.done("list", "--json").contains("[\"mon\",\"fri\",\"sun\"]"), "\(locale)")
        #expect(daemon.isRunning)
      }
      #expect(said.count == 1, "\(said)")
    }
  }
}
