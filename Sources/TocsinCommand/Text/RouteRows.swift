import TocsinModel
import TocsinTime

/// How the steps of a route stand on a page.
struct RouteRows {
  let zone: Zone
  let now: Instant

  /// The options that describe an alarm, so that none that exists is meant.
  static let optionsOfMadeUp = ["kind", "label", "priority", "sound"]

  /// The line above: what would ring, and when.
  func heading(_ title: String, _ steps: [RouteStep], isMadeUp: Bool) -> String {
    let kind = isMadeUp ? " (made up)" : ""
    guard let first = steps.first else { return "\(title.printable)\(kind): goes nowhere" }
    return "\(title.printable)\(kind): \(Wording.moment(first.at, in: zone, now: now))"
  }

  /// A row for each step, in their order.
  func table(_ steps: [RouteStep]) -> Table {
    var table = Table(["TIME", "WHAT", "SINKS", "VOLUME", "WHY"])
    let day = steps.first.map { zone.date(at: $0.at) }
    for step in steps {
      let limit = step.volumeLimit.map { "\(Int(($0 * 100).rounded()))%" } ?? ""
      table.rows.append([
        .init(time(step.at, day), raw: step.at.rfc3339),
        .init(step.kind.rawValue, style: Self.style(step.kind)),
        .init(step.sinks.joined(separator: ", "), raw: step.sinks.joined(separator: ",")),
        .init(limit.isEmpty ? "" : "at most \(limit)", raw: limit),
        .init(step.why),
      ])
    }
    return table
  }

  /// The time with its seconds, and with the date if that is not the first step's.
  private func time(_ instant: Instant, _ day: CivilDate?) -> String {
    let time = Wording.exactTime(instant, in: zone)
    let milliseconds = instant.microseconds / 1_000 % 1_000
    let exact = milliseconds > 0 ? "\(time).\(String(1_000 + milliseconds).dropFirst())" : time
    let date = zone.date(at: instant)
    return date == day ? exact : "\(Wording.date(date, now: zone.date(at: now))) \(exact)"
  }

  private static func style(_ kind: RouteStep.Kind) -> Style {
    switch kind {
    case .alert: .green
    case .fallback, .escalate, .withheld: .yellow
    case .report, .missed: .red
    case .snooze: .dim
    }
  }
}
