import Testing

@Suite("Timelines")
struct TimelineTests {
  @Test("It prints what its comments say", arguments: TimelineFile.all)
  func plays(_ file: TimelineFile) throws {
    let played = Played(file.text, name: file.name)
    #expect(played.complaint == "")
    #expect(try played.events() == file.expected)
    #expect(!file.expected.isEmpty)
  }

  @Test(
    "It is the same to the byte when it is played again",
    arguments: TimelineFile.restarting
  )
  func again(_ file: TimelineFile) {
    #expect(Played(file.text).output == Played(file.text).output)
  }

  @Test("All of them are there")
  func count() {
    #expect(TimelineFile.all.count > 150)
  }
}
