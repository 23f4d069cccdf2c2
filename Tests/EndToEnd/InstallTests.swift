import Foundation
import Testing

@Suite(
  "Installing",
  .timeLimit(.minutes(10)),
  .enabled(if: Installation.isPossible, "needs patchelf and binutils")
)
struct InstallTests {
  private static let configuration = "/etc/tocsin/plugins.conf"
  private static let unit = "/usr/local/lib/systemd/system/tocsin.service"
  private static let programs = "/usr/local/lib/tocsin"

  @Test("installs every program of the package")
  func products() throws {
    let manifest = try String(
      contentsOfFile: "\(Installation.package)/Package.swift",
      encoding: .utf8
    )
    let programs = manifest.matches(of: /\sprogram\(\s*"([^"]+)"/).map { String($0.output.1) }
    #expect(programs.count > 1)
    #expect(Set(programs) == Set(Installation.products))
  }

  @Test("programs find the Swift runtime beside them and not in the toolchain, and ring")
  func standalone() async throws {
    try await waiting {
      let here = try Installation(ofThisBuild: true)
      let result = try here.run("install")
      try #require(result.code == 0, "\(result.err)")
      let folder = here.destination + Self.programs
      for name in try FileManager.default.contentsOfDirectory(atPath: folder)
      where FileManager.default.contents(atPath: "\(folder)/\(name)")?.starts(with: elf) == true {
        let dynamic = try here.place.run(["readelf", "-d", "\(folder)/\(name)"]).out
        let paths = dynamic.matches(of: /\(R(?:UN)?PATH\).*\[(.*)\]/).map { String($0.output.1) }
        #expect(paths.allSatisfy { $0 == "$ORIGIN" }, "\(name): \(paths)")
        let libraries = try here.place.run(["ldd", "\(folder)/\(name)"]).out
        #expect(!libraries.contains("not found"), "\(name): \(libraries)")
        let swift = libraries.split(separator: "\n").filter { $0.contains("libswiftCore") }
        #expect(swift.allSatisfy { $0.contains("=> \(folder)/") }, "\(name): \(swift)")
        if Installation.products.contains(name) { #expect(swift.count == 1, "\(name)") }
      }
      let commands = "\(here.destination)/usr/local/bin"
      let check = try here.place.run(
        ["\(commands)/tocsin", "config", "check", "--file", here.destination + Self.configuration]
      )
      #expect(check.code == 0, "\(check.err)")
      // Its plugin is looked for beside it, where the links in bin lead.
      try here.place.configure(Place.console)
      let daemon = try here.place.daemon(["\(commands)/tocsind"], output: .pipe)
      #expect(try here.place.run(["\(commands)/tocsin", "timer", "0.1s", "Tea"]).code == 0)
      #expect(try daemon.output.line(with: "\"type\":\"alert\"").contains("Tea"))
      #expect(try here.place.run(["\(commands)/tocsin", "stop"]).code == 0)
    }
  }

  @Test("lists in the manifest all that it puts, and uninstalls all of it but the configuration")
  func manifest() async throws {
    try await waiting {
      let here = try Installation()
      let result = try here.run("install")
      try #require(result.code == 0, "\(result.err)")
      let there = try here.tree()
      let listed = try here.manifest()
      let files = Set(listed.filter { $0.type != "folder" }.map(\.path))
      #expect(files == Set(there.keys).subtracting([Self.programs + "/manifest"]))
      #expect(listed.count { $0.type == "link" } == Installation.products.count)
      let ours = there.keys.filter { $0.hasPrefix("/etc/") }
      #expect(ours.contains(Self.configuration))
      #expect(try here.run("uninstall").code == 0)
      #expect(Set(try here.tree().keys) == Set(ours))
      #expect(try here.run("uninstall").code == 66)
      #expect(try here.run("uninstall", "--purge").code == 0)
      let left = FileManager.default.enumerator(atPath: here.destination)?.allObjects ?? []
      #expect(left.compactMap { $0 as? String } == ["etc"])
    }
  }

  @Test("changes nothing when it is run again")
  func again() async throws {
    try await waiting {
      let here = try Installation()
      #expect(try here.run("install").code == 0)
      let before = try here.tree()
      #expect(try here.run("install").code == 0)
      #expect(try here.tree() == before)
    }
  }

  @Test("keeps what somebody changed, and puts what is new beside it")
  func upgrade() async throws {
    try await waiting {
      let here = try Installation()
      #expect(try here.run("install").code == 0)
      // A default that nobody changed is replaced.
      let shipped = "\(here.checkout)/plugins.conf"
      try "# one\n".write(toFile: shipped, atomically: true, encoding: .utf8)
      #expect(try here.run("install").code == 0)
      #expect(try here.text(Self.configuration) == "# one\n")
      // Changed by somebody, with no new default: nothing is put beside it.
      try here.append("# mine\n", to: Self.configuration)
      try here.append("# mine\n", to: Self.unit)
      try here.append("mine", to: Self.programs + "/my-plugin")
      let third = try here.run("install")
      #expect(third.code == 0 && third.out.contains(Self.configuration))
      #expect(try here.tree().keys.filter { $0.hasSuffix(".new") } == [])
      // Changed on both sides: the new one lies beside it, until there is no reason for it.
      try "# two\n".write(toFile: shipped, atomically: true, encoding: .utf8)
      for _ in 0..<2 {
        #expect(try here.run("install").code == 0)
        #expect(try here.text(Self.configuration) == "# one\n# mine\n")
        #expect(try here.text(Self.configuration + ".new") == "# two\n")
        #expect(try here.tree().keys.filter { $0.hasSuffix(".new") }.count == 1)
      }
      #expect(try here.text(Self.unit).hasSuffix("# mine\n"))
      #expect(try here.text(Self.programs + "/my-plugin") == "mine")
      // And what somebody changed or added outlives us.
      #expect(try here.run("uninstall").code == 0)
      let mine = [Self.configuration, Self.unit, Self.programs + "/my-plugin"]
      #expect(try here.tree().keys.filter { !$0.contains(".d/") }.sorted() == mine)
    }
  }

  @Test("takes away what a newer version no longer has")
  func obsolete() async throws {
    try await waiting {
      let here = try Installation()
      #expect(try here.run("install").code == 0)
      let page = "/usr/local/share/doc/tocsin/time.md"
      #expect(try !here.text(page).isEmpty)
      try FileManager.default.removeItem(atPath: "\(here.checkout)/docs/time.md")
      #expect(try here.run("install").code == 0)
      #expect(throws: (any Error).self) { try here.text(page) }
    }
  }

  @Test("leaves the old programs in place if the new ones would not start")
  func broken() async throws {
    try await waiting {
      let here = try Installation()
      #expect(try here.run("install").code == 0)
      let before = try here.tree()
      let program = "\(here.build)/tocsin-gpio"
      _ = try here.place.run(["patchelf", "--add-needed", "libmissing.so.1", program])
      let result = try here.run("install")
      #expect(result.code == 69 && result.err.contains("libmissing.so.1"), "\(result.err)")
      #expect(try here.tree() == before)
    }
  }

  @Test("takes back what it put if it fails half way")
  func halfWay() async throws {
    try await waiting {
      let here = try Installation()
      // A file where it needs a folder, after most of its files.
      try here.append("", to: "/etc/tocsin/plugins.conf.d")
      let result = try here.run("install")
      #expect(result.code != 0)
      #expect(Set(try here.tree().keys) == ["/etc/tocsin/plugins.conf.d"])
    }
  }

  @Test("brings the old programs back after a cut between its two renames")
  func cutShort() async throws {
    try await waiting {
      let here = try Installation()
      #expect(try here.run("install").code == 0)
      let before = try here.tree()
      let folder = here.destination + Self.programs
      try FileManager.default.moveItem(atPath: folder, toPath: "\(folder).old")
      let result = try here.run("install")
      #expect(result.code == 0 && result.err.contains("cut short"), "\(result.err)")
      #expect(try here.tree() == before)
    }
  }

  @Test("does not touch a program that is somebody else's")
  func foreign() async throws {
    try await waiting {
      let here = try Installation()
      try here.append("theirs", to: "/usr/local/bin/tocsin")
      let result = try here.run("install")
      #expect(result.code == 73 && result.err.contains("/usr/local/bin/tocsin"))
      #expect(try here.tree() == ["/usr/local/bin/tocsin": Data("theirs".utf8)])
    }
  }

  @Test("refuses options it does not know and folders that units could not name")
  func options() async throws {
    try await waiting {
      let here = try Installation()
      for words in [["--what"], ["--prefix"], ["--prefix", "relative"], ["--prefix", "/a b"]] {
        let path = "\(here.checkout)/contrib/install"
        #expect(try here.place.run(["bash", path] + words).code == 64, "\(words)")
      }
    }
  }

  private let elf = Data([0x7f]) + Data("ELF".utf8)
}
