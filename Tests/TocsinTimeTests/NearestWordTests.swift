import Testing

@testable import TocsinTime

@Suite struct NearestWordTests {
  @Test(
    "Distances count changes and swaps once",
    arguments: [("list", "lsit", 1), ("", "abc", 3), ("abc", "abc", 0), ("kitten", "sitting", 3)]
  )
  func distances(left: String, right: String, distance: Int) {
    #expect(NearestWord.distance(Array(left.utf8), Array(right.utf8)) == distance)
  }

  @Test("Only what is near is suggested, whatever its case, and long nonsense costs nothing")
  func near() {
    let words = ["snooze", "ring-for", "stop"]
    #expect(NearestWord.of("snoze", in: words) == "snooze")
    #expect(NearestWord.of("RING", in: words) == "ring-for")
    #expect(NearestWord.of("banana", in: words) == nil)
    #expect(NearestWord.of(String(repeating: "snooze", count: 100), in: words) == nil)
    #expect(NearestWord.of("stop", in: []) == nil)
  }
}
