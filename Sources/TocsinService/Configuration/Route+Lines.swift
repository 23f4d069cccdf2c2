import TocsinModel

extension Route {
  /// The section's lines as plugins.conf would have them; what is left out holds anyway.
  var lines: [String] {
    var lines = ["match = \(match)"]
    if !between.isEmpty { lines.append("between = \(Self.list(between))") }
    if !drop || to != nil { lines.append("to = \(Self.targets(to ?? []))") }
    if continues { lines.append("continue = yes") }
    if !fallback.isEmpty { lines.append("fallback = \(Self.list(fallback.map(\.written)))") }
    if !escalate.isEmpty { lines.append("escalate = \(Self.list(escalate.map(\.written)))") }
    if delay != .zero { lines.append("delay = \(delay.written)") }
    if let quiet { lines.append("quiet = \(Self.percentage(quiet))") }
    if !inhibit.isEmpty { lines.append("inhibit = \(Self.list(inhibit.map(\.written)))") }
    if drop { lines.append("drop = yes") }
    return lines
  }

  fileprivate static func targets(_ targets: [SinkTarget]) -> String {
    targets.isEmpty ? "all" : list(targets)
  }

  fileprivate static func list(_ items: [some CustomStringConvertible]) -> String {
    items.map(\.description).joined(separator: ", ")
  }

  private static func percentage(_ part: Double) -> String {
    let hundredths = Int((part * 10_000).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)%" }
    return "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
  }
}

extension Route.Step {
  fileprivate var written: String { "\(Route.targets(targets)) after \(after.written)" }
}

extension Route.Inhibition {
  fileprivate var written: String {
    let events = subject.terms.isEmpty ? [] : [subject.description]
    let held = targets.map(\.description) + events
    return (held.isEmpty ? "" : held.joined(separator: ", ") + " ") + "while \(source)"
  }
}
