import Foundation
import TocsinTime

/// The zones of the machine that runs the tests.
enum SystemZones {
  static let directory = "/usr/share/zoneinfo"

  static let areInstalled = FileManager.default.fileExists(atPath: directory + "/Europe/Berlin")

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name)))
  }

  static func zone(_ name: String) throws -> Zone {
    try Zone(name: name, tzif: bytes(name))
  }
}

func instant(_ text: String) throws -> Instant {
  try require(Instant(rfc3339: text), text)
}

func date(_ text: String) throws -> CivilDate {
  try require(CivilDate(text), text)
}

func clock(_ text: String) throws -> TimeOfDay {
  try require(TimeOfDay(text), text)
}

struct Missing: Error {
  let what: String
}

func require<Value>(_ value: Value?, _ what: String) throws -> Value {
  guard let value else { throw Missing(what: what) }
  return value
}
