import ActivityKit
import AlarmKit
import Testing

@Suite("A program's own sounds")
struct AlarmSoundsTests {
  private let root = FileManager.default.temporaryDirectory
    .appendingPathComponent("alarm-sounds-\(UUID().uuidString)").path

  /// Makes folders with files in them, and takes them away.
  private func with(_ files: [String], _ body: () throws -> Void) throws {
    defer { try? FileManager.default.removeItem(atPath: root) }
    for file in files {
      let path = "\(root)/\(file)"
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: true
      )
      try Data("sound".utf8).write(to: URL(fileURLWithPath: path))
    }
    try body()
  }

  @Test("are found by name in the first folder that has them")
  func found() throws {
    try with(["one/a.wav", "two/a.wav", "two/b.flac", "two/b.mp3", "one/deep/c.wav"]) { () throws in
      let folders = ["\(root)/gone", "\(root)/one", "\(root)/two"]
      func file(_ name: String) throws -> String? {
        try AlarmSounds.file(named: name, in: folders)
      }
      #expect(try file("a.wav") == "\(root)/one/a.wav")
      #expect(try file("a") == "\(root)/one/a.wav")
      #expect(try file("b") == "\(root)/two/b.flac")
      #expect(try file("b.mp3") == "\(root)/two/b.mp3")
      for name in ["c.wav", "deep", "d", "a.wa"] {
        #expect(try file(name) == nil, "\(name)")
      }
    }
  }

  @Test("are named by their whole path, and what is not found by its name")
  func wire() throws {
    try with(["Sounds/bell.wav", "Sounds/none"]) { () throws in
      func sound(_ name: String) throws -> String? {
        var configuration = Sample.plain()
        configuration.sound = .named(name)
        let alarm = try configuration.alarm(id: Sample.id, sounds: ["\(root)/Sounds"])
        let back = try AlarmManager.AlarmConfiguration<NoMetadata>(alarm)
        #expect(back.sound == .named(name))
        return alarm.options.sound
      }
      #expect(try sound("bell.wav") == "\(root)/Sounds/bell.wav")
      #expect(try sound("alarm-clock-elapsed") == "alarm-clock-elapsed")
      #expect(try sound("none") == "\(root)/Sounds/none")
    }
  }

  @Test("lie in the bundle, beside the program and in the user's data")
  func folders() throws {
    try with(["bin/program", "bin/b_b.resources/x", "bin/a_a.resources/x", "bin/other/x"]) {
      () throws in
      let folders = AlarmSounds.folders(
        of: "kitchen",
        environment: ["XDG_DATA_HOME": "/data", "HOME": "/home/ada"],
        resources: "/bundle",
        program: "\(root)/bin/program"
      )
      #expect(
        folders == [
          "/bundle", "\(root)/bin", "\(root)/bin/a_a.resources", "\(root)/bin/b_b.resources",
          "/data/kitchen/Sounds",
        ]
      )
    }
  }

  @Test("lie in the home of whoever has no folder for data of their own")
  func home() {
    func folders(_ application: String, _ environment: [String: String]) -> [String] {
      AlarmSounds.folders(
        of: application,
        environment: environment,
        resources: nil,
        program: nil
      )
    }
    #expect(folders("a", ["HOME": "/home/ada"]) == ["/home/ada/.local/share/a/Sounds"])
    #expect(
      folders("a", ["HOME": "/home/ada", "XDG_DATA_HOME": "data"])
        == ["/home/ada/.local/share/a/Sounds"]
    )
    #expect(folders("a", [:]) == [] && folders("../a", ["HOME": "/home/ada"]) == [])
    #expect(folders("", ["HOME": "/home/ada"]) == [])
  }
}
