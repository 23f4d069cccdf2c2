import Testing

@testable import TocsinModel

@Suite("A path is taken apart at its last slash")
struct PathPartsTests {
  @Test(arguments: [
    ("/run/user/1000/tocsin", "/run/user/1000", "tocsin"),
    ("/tocsin", "/", "tocsin"),
    ("tocsin", ".", "tocsin"),
    ("a/b", "a", "b"),
    ("a/", "a", ""),
    ("/", "/", ""),
    ("", ".", ""),
  ])
  func parts(path: String, directory: String, name: String) {
    let parts = PathParts(path)
    #expect(parts.directory == directory)
    #expect(parts.name == name)
  }
}
