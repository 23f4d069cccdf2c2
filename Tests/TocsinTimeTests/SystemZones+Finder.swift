import Foundation

@testable import TocsinTime

extension SystemZones {
  static let finder = ZoneFinder(
    read: { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) },
    environment: [:],
    localtimeTarget: { nil }
  )

  static func meaning(_ text: String, now: Instant, zone: Zone) throws(TimeTextError) -> TimeMeaning
  {
    try TimeText.parse(text, now: now, zone: zone) { name throws(ZoneError) in
      try finder.zone(named: name)
    }
  }

  /// The zone whose clocks a schedule follows on a machine in that zone.
  static func zone(of schedule: WallSchedule, local: Zone) throws -> Zone {
    try schedule.zone.map { try zone($0) } ?? local
  }
}
