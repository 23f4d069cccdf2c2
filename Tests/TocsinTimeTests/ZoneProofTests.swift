import Testing

@testable import TocsinTime

/// Holds every zone of the installed database against Python's zoneinfo.
///
/// See zone_oracle.py for what is asked: all transitions from 1970 to 2100 and in two spans far
/// ahead, and the occurrences around every change of offset from 2024 to 2040.
@Suite(.timeLimit(.minutes(10)), .enabled(if: PythonOracle.isThere, "needs python3 with zoneinfo"))
struct ZoneProofTests {
  @Test("Every zone agrees with Python's zoneinfo on transitions and occurrences")
  func everyZoneAgreesWithPython() throws {
    var records = try PythonOracle.run("zone_oracle.py")
    var comparison = Comparison()
    while let kind = records.kind() {
      try comparison.read(kind, &records)
    }
    comparison.finishSpan()
    #expect(comparison.differences.isEmpty, "\(comparison.differences.prefix(20))")
    // Guards against a script that prints nothing.
    #expect(comparison.zones > 300)
    #expect(comparison.transitions > 10_000)
    #expect(comparison.occurrences > 50_000)
  }
}

private struct Comparison {
  var zones = 0
  var transitions = 0
  var occurrences = 0
  var differences: [String] = []

  private var zone = Zone.utc
  private var expected: [(second: Int64, offset: ZoneOffset)] = []
  private var end: Int64 = 0

  mutating func read(_ kind: Character, _ records: inout PythonOracle.Records) throws {
    switch kind {
    case "Z":
      finishSpan()
      let names = records.text().split(separator: " ").map(String.init)
      zone = try SystemZones.zone(names[0])
      zones += names.count
      for name in names.dropFirst() {
        let twin = try SystemZones.zone(name)
        if twin.transitions != zone.transitions { differences.append("\(name) is no \(names[0])") }
      }
    case "R":
      finishSpan()
      let start = records.number()
      end = records.number()
      expected = [(start, offset(&records))]
    case "T":
      expected.append((records.number(), offset(&records)))
    default:
      compareOccurrence(&records)
    }
  }

  private func offset(_ records: inout PythonOracle.Records) -> ZoneOffset {
    let seconds = Int32(records.number())
    let isDaylight = records.number() == 1
    return ZoneOffset(seconds: seconds, isDaylight: isDaylight, abbreviation: records.text())
  }

  /// Compares Python's transitions of one span with ours, and what holds beside each.
  mutating func finishSpan() {
    guard let first = expected.first else { return }
    var own = [(second: first.second, offset: zone.offset(at: Instant(seconds: first.second)))]
    while let change = zone.nextTransition(after: Instant(seconds: own[own.count - 1].second)),
      change.instant.seconds < end
    {
      let before = zone.offset(at: change.instant.advanced(byMicroseconds: -1))
      let after = zone.offset(at: change.instant)
      if before != change.before || after != change.after {
        differences.append("\(zone.name) disagrees with itself at \(change.instant)")
      }
      own.append((change.instant.seconds, change.after))
    }
    for index in 0..<max(own.count, expected.count) {
      let ours = index < own.count ? own[index] : nil
      let theirs = index < expected.count ? expected[index] : nil
      guard ours?.second == theirs?.second, ours?.offset == theirs?.offset else {
        differences.append(
          "\(zone.name): \(String(describing: ours)), not \(String(describing: theirs))"
        )
        break
      }
    }
    transitions += expected.count
    expected = []
  }

  private mutating func compareOccurrence(_ records: inout PythonOracle.Records) {
    let weekdays = WeekdaySet(rawValue: UInt8(records.number()))
    let time = TimeOfDay(secondOfDay: Int(records.number()))
    let schedule = WallSchedule(time: time, days: .weekly(weekdays))
    let moment = Instant(seconds: records.number())
    let next = schedule.next(after: moment, in: zone)
    let latest = schedule.latest(
      atOrBefore: moment,
      after: moment - .seconds(8 * 86_400),
      in: zone
    )
    let wantedDay = records.number()
    let wantedSecond = records.number()
    let (from, to) = (Int32(records.number()), Int32(records.number()))
    let latestDay = records.number()
    let latestSecond = records.number()
    let shift: Occurrence.Shift = from == to ? .none : from < to ? .gap(from: from, to: to) : .fold
    let wanted = Occurrence(
      instant: Instant(seconds: wantedSecond),
      date: CivilDate(daysSince1970: Int32(wantedDay)),
      shift: shift
    )
    if next != wanted {
      differences.append(
        "\(zone.name) \(time) after \(moment): \(String(describing: next)), not \(wanted)"
      )
    }
    if Int64(latest?.date.daysSince1970 ?? 0) != latestDay
      || (latest?.instant.seconds ?? 0) != latestSecond
    {
      differences.append("\(zone.name) \(time) up to \(moment): \(String(describing: latest))")
    }
    occurrences += 1
  }
}
