import Foundation
import Testing

@testable import TocsinTime

/// Holds every row of the tables in docs/time.md against the code.
struct DocumentedTextsTests {
  private let now = Instant(seconds: 1_796_036_400)

  @Test("Every accepted text means what the page says")
  func acceptedTexts() throws {
    let berlin = try TestZones.zone("Europe/Berlin")
    #expect(now.text(in: berlin, now: now) == "Mon 30 Nov 12:00")
    let rows = try Self.rows(of: "Accepted", columns: 3)
    #expect(rows.count > 60)
    for row in rows {
      let meaning = try TestZones.meaning(row[0], now: now, zone: berlin)
      #expect(meaning.understood == row[1], "\(row[0])")
      #expect(try first(meaning, berlin)?.rfc3339 == row[2], "\(row[0])")
    }
  }

  @Test("Every refused text gets the answer of the page")
  func refusedTexts() throws {
    let berlin = try TestZones.zone("Europe/Berlin")
    let rows = try Self.rows(of: "Refused", columns: 2)
    #expect(rows.count > 50)
    for row in rows {
      do throws(TimeTextError) {
        let meaning = try TestZones.meaning(row[0], now: now, zone: berlin)
        Issue.record("\(row[0]) is taken as \(meaning.understood)")
      } catch {
        #expect("\(error.understood); \(error.remedy)" == row[1], "\(row[0])")
        #expect(error.text == row[0])
      }
    }
  }

  @Test("Every duration is read as the page says")
  func durations() throws {
    let rows = try Self.rows(of: "Durations", columns: 2)
    #expect(rows.count > 15)
    for row in rows {
      do throws(TimeTextError) {
        #expect(try TimeText.duration(row[0]).text(units: 9) == row[1], "\(row[0])")
      } catch {
        #expect("\(error.understood); \(error.remedy)" == row[1], "\(row[0])")
      }
    }
  }

  private func first(_ meaning: TimeMeaning, _ local: Zone) throws -> Instant? {
    switch meaning {
    case .span(let duration): return now + duration
    case .schedules(let schedules):
      switch schedules.first {
      case .fixed(let instant): return instant
      case .wall(let schedule):
        let zone = try TestZones.zone(of: schedule, local: local)
        return schedule.next(after: now, in: zone)?.instant
      case nil: return nil
      }
    }
  }

  /// The cells of the table under a heading, without the code marks of the first.
  private static func rows(of heading: String, columns: Int) throws -> [[String]] {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/time.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let section = text.components(separatedBy: "### \(heading)\n").last ?? ""
    let body = section.components(separatedBy: "\n#").first ?? ""
    return try body.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
      guard cells.count == columns else { throw Missing(what: "a column in \(line)") }
      return [String(cells[0].dropFirst().dropLast())] + cells.dropFirst()
    }
  }
}
