import Testing

@testable import SinkKit

@Suite struct SinkSettingsTests {
  @Test(
    "Arguments are words as the key run has them",
    arguments: [
      ("mpg123 -q  {url}", ["mpg123", "-q", "{url}"]), ("", []), ("  ", []),
      ("a \"b c\" 'd \\ e'", ["a", "b c", "d \\ e"]), ("a\\ b \"\"", ["a b", ""]),
      ("\"a\\\"b\\\\c\\d\"", ["a\"b\\c\\d"]), ("x'y'\"z\"", ["xyz"]),
      ("\"a", nil), ("'a", nil), ("a\\", nil),
    ] as [(String, [String]?)]
  )
  func arguments(text: String, expected: [String]?) {
    let settings = SinkSettings(sink: "x", ["decoder": text])
    #expect(settings.arguments("decoder") == expected)
    #expect(settings.arguments("none") == nil)
    let isAccepted = (try? settings.finish()) != nil
    #expect(isAccepted == (expected != nil))
  }

  private enum Format: String, CaseIterable { case text, json }

  @Test("Each kind of setting is read, and a missing one is its default")
  func reading() throws {
    let settings = SinkSettings(
      sink: "x",
      [
        "device": "hw:0", "rate": "48000", "fade": " 30s ", "volume": "80%", "guard": "off",
        "format": "json", "devices": "hw:0, ,default ", "button.snooze": "GPIO17",
        "button.stop": "GPIO18",
      ]
    )
    #expect(settings.string("device") == "hw:0")
    #expect(settings.string("missing") == nil)
    #expect(settings.int("rate", in: 8_000...192_000, default: 1) == 48_000)
    #expect(settings.duration("fade", in: .zero ... .seconds(60), default: .zero) == .seconds(30))
    #expect(settings.percentage("volume", default: 1) == 0.8)
    #expect(settings.percentage("gain", default: 0.5) == 0.5)
    #expect(!settings.flag("guard", default: true))
    #expect(settings.word("format", default: Format.text) == .json)
    #expect(settings.list("devices", default: []) == ["hw:0", "default"])
    #expect(settings.keys(beginningWith: "button.") == ["button.snooze", "button.stop"])
    for key in settings.keys(beginningWith: "button.") { _ = settings.string(key) }
    try settings.finish()
  }

  @Test("Everything wrong is told at once, with the nearest known word")
  func problems() {
    let settings = SinkSettings(
      sink: "speaker",
      [
        "rate": "fast", "size": "9", "fade": "2h", "volume": "70", "format": "jsno",
        "voulme": "1", "zebra": "1",
      ]
    )
    _ = settings.int("rate", in: 1...5, default: 3)
    _ = settings.int("size", in: 1...5, default: 3)
    _ = settings.duration("fade", in: .zero ... .seconds(600), default: .zero)
    _ = settings.percentage("volume", default: 1)
    _ = settings.word("format", default: Format.text)
    var error: SettingsError?
    do { try settings.finish() } catch let thrown { error = thrown }
    #expect(
      error?.problems.map(\.description) == [
        "rate = \"fast\" is not a whole number",
        "size = \"9\" is not between 1 and 5",
        "fade = \"2h\" is not between 0 and 10min",
        "volume = \"70\" is not a percentage from 0% to 100%",
        "format = \"jsno\" is none of text, json; did you mean json?",
        "voulme is no setting of this sink; did you mean volume?",
        "zebra is no setting of this sink",
      ]
    )
  }
}
