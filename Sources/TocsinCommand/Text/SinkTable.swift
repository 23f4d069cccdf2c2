import TocsinModel

/// One row for each sink, in their order.
func sinkTable(_ sinks: [SinkStatus]) -> Table {
  var table = Table([
    "SINK", "STATE", "CAPABILITIES", "AUDIBLE", "PARTS", "PID", "RESTARTS", "DROPPED", "REASON",
  ])
  for sink in sinks {
    let style: Style =
      switch sink.state {
      case "ready", "attached": .green
      case "failed": .red
      case "off": .dim
      default: .yellow
      }
    let parts = sink.ready?.parts ?? []
    let audible = sink.ready.map { $0.audible || parts.contains(where: \.audible) }
    table.rows.append([
      .init(sink.sink), .init(sink.state, style: style),
      .init(sink.ready?.capabilities.joined(separator: ",") ?? ""),
      .init(audible.map { $0 ? "yes" : "no" } ?? ""),
      .init(parts.map(\.name).joined(separator: ",")), .init(sink.pid.map(String.init) ?? ""),
      .init(String(sink.restarts)), .init(String(sink.dropped)), .init(sink.reason ?? ""),
    ])
  }
  return table
}
