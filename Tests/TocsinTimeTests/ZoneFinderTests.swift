import Testing

@testable import TocsinTime

struct ZoneFinderTests {
  private static let rule = Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)

  /// A small database: two zones, a link whose package is missing, and the list.
  private static let files: [String: [UInt8]] = {
    // Version 2, no transitions, one offset: the footer is all there is.
    var block = Array("TZif2".utf8) + Array(repeating: 0, count: 15)
    block += [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
    block += [0, 0, 14, 16, 0, 0] + Array("CET\0".utf8)
    let berlin = block + block + rule
    let list = """
      # version 2027a
      Z Europe/Berlin 0:53:28 - LMT 1893 Ap
      Z America/New_York -4:56:2 - LMT 1883 N 18 17u
      L Europe/Berlin Europe/Copenhagen
      """
    return [
      "/usr/share/zoneinfo/Europe/Berlin": berlin,
      "/usr/share/zoneinfo/tzdata.zi": Array(list.utf8),
      "/etc/localtime": berlin,
      "/home/zones/Own": berlin,
    ]
  }()

  private func finder(
    _ environment: [String: String] = [:],
    target: String? = nil,
    files: [String: [UInt8]] = Self.files
  ) -> ZoneFinder {
    ZoneFinder(
      read: { path in try require(files[path], path) },
      environment: environment,
      localtimeTarget: { target }
    )
  }

  @Test(
    "The machine's zone is TZ, else /etc/localtime, else UTC",
    arguments: [
      ("Europe/Berlin", "Europe/Berlin", "CET"), (":Europe/Berlin", "Europe/Berlin", "CET"),
      ("europe/berlin", "Europe/Berlin", "CET"), ("", "UTC", "UTC"), (":", "UTC", "UTC"),
      ("/home/zones/Own", "/home/zones/Own", "CET"), ("EST5EDT", "EST5EDT", "EST"),
      ("/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin", "CET"),
      ("<+0545>-5:45", "<+0545>-5:45", "+0545"), ("UTC", "UTC", "UTC"),
    ]
  )
  func system(variable: String, name: String, abbreviation: String) throws {
    let zone = try finder(["TZ": variable]).system()
    #expect(zone.name == name)
    #expect(zone.offset(at: Instant(seconds: 0)).abbreviation == abbreviation)
  }

  @Test("The link /etc/localtime gives the name")
  func localtime() throws {
    #expect(
      try finder(target: "../usr/share/zoneinfo/Europe/Berlin").system().name == "Europe/Berlin"
    )
    let posix = "/usr/share/zoneinfo/posix/Europe/Berlin"
    #expect(try finder(target: posix).system().name == "Europe/Berlin")
    #expect(try finder().system().name == "Local")
    #expect(try finder(files: [:]).system() === Zone.utc)
    #expect(throws: ZoneError(zone: "Europe/Berlin", reason: .noDatabase)) {
      try finder(target: "/usr/share/zoneinfo/Europe/Berlin", files: [:]).system()
    }
  }

  @Test("TZDIR replaces the usual places")
  func ownDirectory() throws {
    #expect(try finder(["TZDIR": "/home/zones"]).zone(named: "Own").name == "Own")
    #expect(throws: ZoneError.self) {
      try finder(["TZDIR": "/home/zones"]).zone(named: "Europe/Berlin")
    }
  }

  @Test("The files of a name are where it is looked for, and none for what cannot be a name")
  func filesOfName() {
    #expect(finder(["TZDIR": "/home/zones"]).files(of: "Own") == ["/home/zones/Own"])
    #expect(finder().files(of: "Own").first == "/usr/share/zoneinfo/Own")
    #expect(finder().files(of: "../Own").isEmpty)
  }

  @Test(
    "Names that would leave the database are never read",
    arguments: [
      "", "/etc/passwd", "../zoneinfo/Europe/Berlin", "Europe/../Europe/Berlin", "Europe//Berlin",
      "Europe/", "./Europe/Berlin", "Europe/Berlin\u{0}", "Ëurope/Berlin", "a b",
      String(repeating: "A", count: 256),
    ]
  )
  func badNames(name: String) {
    let finder = ZoneFinder(
      read: { path in
        Issue.record("read \(path)")
        return []
      },
      environment: [:],
      localtimeTarget: { nil }
    )
    #expect(throws: ZoneError(zone: name, reason: .badName)) { try finder.zone(named: name) }
  }

  @Test(
    "An unknown zone is named together with the nearest known one",
    arguments: [
      ("Europe/Berln", "Europe/Berlin"), ("Berlin", "Europe/Berlin"),
      ("New_York", "America/New_York"), ("Asia/Berlin", "Europe/Berlin"),
      ("Mars/Olympus_Mons", nil),
    ]
  )
  func unknown(name: String, nearest: String?) {
    #expect(throws: ZoneError(zone: name, reason: .unknown(nearest: nearest))) {
      try finder().zone(named: name)
    }
    #expect(throws: ZoneError(zone: name, reason: .unknown(nearest: nearest))) {
      try finder(["TZ": name]).system()
    }
  }

  @Test("A listed zone without its file, and a machine without any, name the package")
  func packages() {
    #expect(
      throws: ZoneError(zone: "Europe/Copenhagen", reason: .notInstalled(package: "tzdata-legacy"))
    ) {
      try finder().zone(named: "Europe/Copenhagen")
    }
    let none = ZoneError(zone: "Europe/Berlin", reason: .noDatabase)
    #expect(throws: none) { try finder(files: [:]).zone(named: "Europe/Berlin") }
    #expect(none.description.hasSuffix("install the package tzdata"))
    #expect(throws: Never.self) { try finder(files: [:]).zone(named: "UTC") }
  }
}
