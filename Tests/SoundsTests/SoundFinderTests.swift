import Testing

@testable import Sounds

@Suite("The sound theme")
struct SoundFinderTests {
  private let scratch: Scratch
  private let own: String
  private let system: String

  init() throws {
    scratch = try Scratch()
    own = scratch.folder("own")
    system = scratch.folder("system")
  }

  private func finder(theme: String = "freedesktop", locale: String = "C") -> SoundFinder {
    let environment = [
      "HOME": scratch.path, "XDG_DATA_HOME": own, "XDG_DATA_DIRS": "\(system):relative::/nowhere",
      "LANG": locale,
    ]
    return SoundFinder(environment: environment, theme: theme)
  }

  private func theme(
    _ name: String,
    inherits: String? = nil,
    at place: String = "system"
  ) throws {
    var text = "[Sound Theme]\nName=\(name)\n"
    if let inherits { text += "Inherits=\(inherits)\n" }
    text += "Directories=5.1,plain,stereo\n\n[stereo]\nOutputProfile=stereo\n"
    try scratch.write("\(place)/sounds/\(name)/index.theme", text + "[5.1]\nOutputProfile = 5.1\n")
  }

  private func put(_ path: String) throws { try scratch.write(path, "x") }

  private func find(_ text: String, _ finder: SoundFinder? = nil) throws -> String {
    let path = try (finder ?? self.finder()).locate(SoundChoice(text))
    return String(path.dropFirst(scratch.path.count + 1))
  }

  private func code(_ text: String, _ finder: SoundFinder? = nil) -> SoundError.Code? {
    do throws(SoundError) {
      _ = try (finder ?? self.finder()).locate(SoundChoice(text))
      return nil
    } catch {
      return error.code
    }
  }

  @Test("is looked up in the user's folder, then in the system's, in stereo first")
  func order() throws {
    try theme("freedesktop")
    try put("system/sounds/freedesktop/5.1/bell.oga")
    #expect(code("bell") == .notFound)
    try put("system/sounds/freedesktop/plain/bell.wav")
    let plain = try find("bell")
    #expect(plain == "system/sounds/freedesktop/plain/bell.wav")
    try put("system/sounds/freedesktop/stereo/bell.wav")
    try put("system/sounds/freedesktop/stereo/bell.ogg")
    let stereo = try find("bell")
    #expect(stereo == "system/sounds/freedesktop/stereo/bell.ogg")
    try put("system/sounds/freedesktop/stereo/bell.oga")
    let first = try find("bell")
    #expect(first == "system/sounds/freedesktop/stereo/bell.oga")
    try put("own/sounds/freedesktop/stereo/bell.wav")
    let mine = try find("bell")
    #expect(mine == "own/sounds/freedesktop/stereo/bell.wav")
  }

  @Test("inherits, also in circles, then falls back to freedesktop and to no theme")
  func inheritance() throws {
    try theme("a", inherits: "b, c")
    try theme("b", inherits: "a,d")
    try theme("c", inherits: "c,freedesktop")
    try theme("d")
    try theme("freedesktop", inherits: "a")
    let finder = finder(theme: "a")
    #expect(finder.lineage() == ["a", "b", "d", "c", "freedesktop"])
    try put("system/sounds/loose.wav")
    try put("system/sounds/freedesktop/stereo/bell.oga")
    let loose = try find("loose", finder)
    #expect(loose == "system/sounds/loose.wav")
    for theme in ["freedesktop", "c", "d", "b", "a"] {
      try put("system/sounds/\(theme)/stereo/bell.oga")
      let found = try find("bell", finder)
      #expect(found == "system/sounds/\(theme)/stereo/bell.oga")
    }
  }

  @Test("gives a shorter name of the theme before the whole name of its parent")
  func shortened() throws {
    try theme("a", inherits: "b")
    try theme("b")
    try put("system/sounds/b/stereo/alarm-clock-elapsed.oga")
    let finder = finder(theme: "a")
    let whole = try find("alarm-clock-elapsed", finder)
    #expect(whole == "system/sounds/b/stereo/alarm-clock-elapsed.oga")
    try put("system/sounds/a/stereo/alarm.oga")
    let short = try find("alarm-clock-elapsed", finder)
    #expect(short == "system/sounds/a/stereo/alarm.oga")
    try put("system/sounds/a/stereo/alarm-clock.oga")
    let longer = try find("alarm-clock-elapsed", finder)
    #expect(longer == "system/sounds/a/stereo/alarm-clock.oga")
  }

  @Test("speaks the user's language first")
  func locales() throws {
    #expect(
      SoundFinder.locales("de_DE.UTF-8@euro") == [
        "de_DE.UTF-8@euro", "de_DE.UTF-8", "de_DE", "de", "C",
      ]
    )
    #expect(SoundFinder.locales("C") == ["C"])
    #expect(SoundFinder.locales("../../etc") == ["C"])
    try theme("freedesktop")
    let finder = finder(locale: "de_DE.UTF-8")
    for folder in ["", "C/", "de/", "de_DE/"] {
      try put("system/sounds/freedesktop/stereo/\(folder)hello.oga")
      let found = try find("hello", finder)
      #expect(found == "system/sounds/freedesktop/stereo/\(folder)hello.oga")
    }
  }

  @Test("says what is switched off, so that no alarm is silent for it")
  func disabled() throws {
    try theme("freedesktop")
    try put("own/sounds/freedesktop/stereo/bell.disabled")
    try put("system/sounds/freedesktop/stereo/bell.oga")
    #expect(code("bell") == .disabled)
    #expect(code("bell-loud") == .disabled)
  }

  @Test("does not lead out of its folder")
  func confined() throws {
    try scratch.write(
      "system/sounds/freedesktop/index.theme",
      "[Sound Theme]\nInherits=../../x\nDirectories=../../..,/etc,stereo\n"
    )
    try put("bell.oga")
    #expect(code("bell") == .notFound)
    #expect(finder().lineage() == ["freedesktop"])
  }

  @Test("is not needed for a file of the sound folders")
  func files() throws {
    #expect(code("birds.ogg") == .notFound)
    try theme("nature")
    try put("system/sounds/nature/stereo/birds.ogg")
    let themed = try find("birds.ogg")
    #expect(themed == "system/sounds/nature/stereo/birds.ogg")
    try put("own/sounds/birds.ogg")
    let loose = try find("birds.ogg")
    #expect(loose == "own/sounds/birds.ogg")
    try put("own/sounds/birds/blackbird.mp3")
    let below = try find("birds/blackbird.mp3")
    #expect(below == "own/sounds/birds/blackbird.mp3")
    try theme("freedesktop")
    try put("system/sounds/freedesktop/stereo/v1.5.oga")
    let dotted = try find("v1.5")
    #expect(dotted == "system/sounds/freedesktop/stereo/v1.5.oga")
  }

  @Test("is not needed for a path")
  func paths() throws {
    let home = try find("~/x.wav")
    #expect(home == "x.wav")
    let absolute = try finder().locate(.path("/a/b.wav"))
    #expect(absolute == "/a/b.wav")
    #expect(code("~somebody/x.wav") == .notFound)
  }

  @Test("is missed in words that help")
  func words() {
    do throws(SoundError) {
      _ = try finder().locate(.theme("gong"))
    } catch {
      let text = error.description
      #expect(text.contains("gong") && text.contains("\(own)/sounds"))
      #expect(text.contains("\(system)/sounds") && text.contains("path of a file"))
    }
  }

  @Test("is the freedesktop one unless told otherwise, where it is installed")
  func defaults() {
    let finder = SoundFinder(environment: ["HOME": "/home/me"])
    #expect(
      finder.folders == [
        "/home/me/.local/share/sounds", "/usr/local/share/sounds", "/usr/share/sounds",
      ]
    )
    #expect(SoundFinder(environment: [:]).folders.count == 2)
  }
}
