import Testing

@testable import Sounds

@Suite("What a person writes")
struct SoundChoiceTests {
  static let cases: [(String, SoundChoice)] = [
    ("none", .none), ("tone", .tone), ("", .tone), ("  ", .tone), (" none\n", .none),
    ("alarm-clock-elapsed", .theme("alarm-clock-elapsed")), ("None", .theme("None")),
    ("birds.ogg", .name("birds.ogg")), ("birds/blackbird", .name("birds/blackbird")),
    ("/media/usb/x.wav", .path("/media/usb/x.wav")), ("/", .path("/")), ("~", .path("~")),
    ("~/Music/Über uns.flac", .path("~/Music/Über uns.flac")), ("-r", .theme("-r")),
    ("http://example.org/radio", .stream("http://example.org/radio")),
    ("HTTPS://example.org/x.mp3", .stream("HTTPS://example.org/x.mp3")),
    ("file:///etc/passwd", .stream("file:///etc/passwd")),
  ]

  @Test("is told apart", arguments: cases)
  func kinds(text: String, choice: SoundChoice) {
    #expect(SoundChoice(text) == choice)
  }

  static let choices = cases.map { $0.1 }

  @Test("is kept as written", arguments: choices)
  func text(choice: SoundChoice) {
    #expect(SoundChoice(choice.description) == choice)
  }
}
