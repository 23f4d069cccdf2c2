import Testing
import TocsinClient

@Suite("Where the socket is looked for")
struct SocketPathTests {
  @Test(
    "a named socket alone, else the user's, then the system's",
    arguments: [
      ([:], ["/run/tocsin/tocsin.sock"]),
      (["XDG_RUNTIME_DIR": "/run/user/7"], ["/run/user/7/tocsin.sock", "/run/tocsin/tocsin.sock"]),
      (
        ["XDG_RUNTIME_DIR": "/run/user/7/"], ["/run/user/7/tocsin.sock", "/run/tocsin/tocsin.sock"]
      ),
      (["XDG_RUNTIME_DIR": "relative"], ["/run/tocsin/tocsin.sock"]),
      (["TOCSIN_SOCKET": "", "XDG_RUNTIME_DIR": ""], ["/run/tocsin/tocsin.sock"]),
      (["TOCSIN_SOCKET": "t.sock", "XDG_RUNTIME_DIR": "/run/user/7"], ["t.sock"]),
    ] as [([String: String], [String])]
  )
  func candidates(environment: [String: String], paths: [String]) throws {
    #expect(try SocketPath.candidates { environment[$0] } == paths)
  }

  @Test("107 bytes fit and 108 are refused, letters beyond ASCII counted in bytes")
  func length() throws {
    let fitting = "/" + String(repeating: "a", count: 106)
    #expect(try SocketPath.candidates { $0 == "TOCSIN_SOCKET" ? fitting : nil } == [fitting])
    for long in [fitting + "a", "/" + String(repeating: "ü", count: 54)] {
      #expect(throws: ClientError.pathTooLong(path: long)) {
        try SocketPath.candidates { $0 == "TOCSIN_SOCKET" ? long : nil }
      }
      #expect(throws: ClientError.pathTooLong(path: long)) { try Connection(to: long) }
    }
    #expect(ClientError.pathTooLong(path: fitting + "a").description.contains("108 bytes"))
  }
}
