import Testing

@testable import TocsinEngine
@testable import TocsinService

@Suite("Zones that are followed")
struct FollowedZonesTests {
  @Test(
    "are watched by what leads to them",
    arguments: [
      ("/a/b/c", [:], ["/a/b/c"]),
      ("/a/./b/../c", [:], ["/a/c"]),
      ("/../a", [:], ["/a"]),
      ("/a/b", ["/a/b": "c"], ["/a/b", "/a/c"]),
      ("/a/b/c", ["/a/b": "/d", "/d/c": "../e/f"], ["/a/b", "/d/c", "/e/f"]),
      ("/a/b", ["/a": "x/y", "/x": "."], ["/a", "/x", "/y/b"]),
    ]
  )
  func trails(path: String, links: [String: String], expected: [String]) {
    #expect(trail(of: path) { links[$0] } == Set(expected))
  }

  @Test("are found in the end where links lead round in a circle")
  func circle() {
    #expect(trail(of: "/a/b") { $0 == "/a" ? "/a" : nil } == ["/a", "/a/b"])
  }

  @Test("are followed up to a number, whatever alarms name")
  func limit() {
    var uses = ZoneUses()
    var followed = FollowedZones()
    for number in 0..<2_000 { uses.add("\(number)") }
    let first = followed.follow(uses)
    #expect(first.count == FollowedZones.limit && followed.follow(uses).isEmpty)
    #expect(followed.isUpToDate(with: uses))
    for name in first { uses.remove(name) }
    #expect(!followed.isUpToDate(with: uses))
    #expect(Set(followed.follow(uses)) == Set(uses.names))
    #expect(followed.paths.count == 1_000)
  }
}
