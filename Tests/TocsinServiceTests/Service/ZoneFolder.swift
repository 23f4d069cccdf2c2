import Foundation
import Glibc
import Testing

@testable import TocsinService

/// A folder of zones of its own; alarms in "Land/City" ring by the rules of whatever lies there.
final class ZoneFolder: Sendable {
  let shelf = Shelf()
  var path: String { shelf.directory }

  /// Makes one; `city` is the real zone whose file lies at "Land/City" in the beginning.
  init(city: String? = nil) throws {
    #expect(mkdir(path + "/Land", 0o700) == 0)
    try put("UTC", as: "UTC")
    if let city { try put(city, as: "Land/City") }
  }

  /// Puts the file of a real zone there, by a rename as packages do it.
  func put(_ zone: String, as name: String) throws {
    try FileManager.default.copyItem(atPath: "/usr/share/zoneinfo/\(zone)", toPath: path + "/new")
    #expect(rename(path + "/new", "\(path)/\(name)") == 0)
  }

  func put(_ bytes: Data, as name: String) throws {
    try bytes.write(to: URL(fileURLWithPath: path + "/new"))
    #expect(rename(path + "/new", "\(path)/\(name)") == 0)
  }

  func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  func remove(_ name: String) { #expect(unlink("\(path)/\(name)") == 0) }

  func run(
    _ store: Store.Location = .memory,
    clocks: HandClocks = HandClocks()
  ) throws -> RunningService {
    try RunningService(store, clocks: clocks) { [path] in
      $0.environment = ["TZ": "UTC", "TZDIR": path]
    }
  }
}
