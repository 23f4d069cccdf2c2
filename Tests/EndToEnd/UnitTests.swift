import Foundation
import ProcessTesting
import Testing

/// The units as they are installed; no service manager runs here.
@Suite(
  "Units",
  .timeLimit(.minutes(10)),
  .enabled(if: Installation.isPossible, "needs patchelf and binutils")
)
struct UnitTests {
  @Test("and the desktop's entry name programs and pages that are installed, below any prefix")
  func paths() async throws {
    try await waiting {
      for prefix in ["/usr/local", "/opt/tocsin"] {
        let here = try Installation()
        #expect(try here.run("install", "--prefix", prefix).code == 0)
        let units = try here.tree().filter { file in
          [".service", ".desktop"].contains { file.key.hasSuffix($0) }
        }
        #expect(units.count == 4)
        for (unit, content) in units {
          let text = String(decoding: content, as: UTF8.self)
          let programs = text.matches(of: /(?m)^Exec\w*=(\S+)/).map { String($0.output.1) }
          #expect(!programs.isEmpty)
          for program in programs {
            #expect(program.hasPrefix("\(prefix)/bin/"), "\(unit)")
            let isThere = FileManager.default.isExecutableFile(atPath: here.destination + program)
            #expect(isThere, "\(unit): \(program)")
          }
          for page in text.matches(of: /file:(\S+)/).map({ String($0.output.1) }) {
            #expect(try !here.text(page).isEmpty, "\(unit)")
          }
        }
      }
    }
  }

  @Test("for one person lie where that person's service manager looks")
  func personal() async throws {
    try await waiting {
      let here = try Installation()
      let prefix = "\(here.place.directory)/.local"
      #expect(try here.run("install", "--user", "--prefix", prefix).code == 0)
      let paths = try here.tree().keys
      #expect(paths.contains("\(prefix)/share/systemd/user/tocsin.service"))
      #expect(paths.allSatisfy { $0.hasPrefix("\(prefix)/") })
    }
  }

  @Test("--no-units puts none, nor rules, nor users")
  func none() async throws {
    try await waiting {
      let here = try Installation()
      #expect(try here.run("install", "--no-units").code == 0)
      let paths = try here.tree().keys
      #expect(paths.contains("/etc/tocsin/plugins.conf"))
      let parts = ["systemd", "udev", "sysusers"]
      #expect(!paths.contains { path in parts.contains { path.contains("/\($0)") } })
    }
  }

  @Test(
    "are understood by systemd",
    .enabled(if: Program.exists("systemd-analyze"), "needs systemd-analyze")
  )
  func verified() async throws {
    try await waiting {
      let here = try Installation()
      #expect(try here.run("install").code == 0)
      for (folder, manager) in [("system", "--system"), ("user", "--user")] {
        let units = "/usr/local/lib/systemd/\(folder)"
        // As if installed here: programs have to be there.
        var files: [String] = []
        for path in try here.tree().keys.filter({ $0.hasPrefix("\(units)/") }) {
          let text = try here.text(path).replacing(
            "/usr/local/",
            with: "\(here.destination)/usr/local/"
          )
          try text.write(toFile: here.destination + path, atomically: true, encoding: .utf8)
          files.append(here.destination + path)
        }
        #expect(!files.isEmpty)
        let result = try here.place.run(["systemd-analyze", manager, "verify"] + files)
        #expect(result.code == 0, "\(result.err)")
        #expect(!result.err.contains("tocsin"), "\(result.err)")
      }
    }
  }

  @Test(
    "of the machine leaves little open: an exposure below 2",
    .enabled(if: Program.exists("systemd-analyze"), "needs systemd-analyze")
  )
  func exposure() async throws {
    try await waiting {
      let unit = "\(Installation.package)/contrib/systemd/tocsin.service"
      let result = try Place().run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=19", unit]
      )
      #expect(result.code == 0, "\(result.out.split(separator: "\n").last ?? "")")
    }
  }
}
