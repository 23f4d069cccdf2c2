/// Rows under headings, each column as wide as its widest cell.
struct Table {
  var headings: [String]
  var rows: [[Cell]] = []

  /// One cell: how it stands on a terminal, and what a script gets.
  struct Cell: Hashable {
    var text: String
    var raw: String
    var style = Style.plain

    init(_ text: String, raw: String? = nil, style: Style = .plain) {
      self.text = text.printable
      self.raw = (raw ?? text).printable
      self.style = style
    }
  }

  init(_ headings: [String]) { self.headings = headings }

  /// The rows for a person.
  ///
  /// - Parameters:
  ///   - width: the terminal's columns; only the cell of `flexible` is cut to keep a row within it.
  ///   - flexible: which column may be cut.
  ///   - colors: whether styles are shown.
  /// - Returns: a line for the headings and one for each row.
  func rendered(width: Int, flexible: Int, colors: Bool) -> String {
    var widths = headings.map(\.columns)
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], cell.text.columns)
      }
    }
    let whole = widths.reduce(0, +) + 2 * (widths.count - 1)
    if whole > width {
      widths[flexible] = max(8, headings[flexible].columns, widths[flexible] - (whole - width))
    }
    let head = headings.map { Cell($0, style: .dim) }
    return ([head] + rows).map { row in
      line(row, widths: widths, colors: colors) + "\n"
    }.joined()
  }

  /// The rows for a script: tabs between, no headings, nothing cut.
  var tabSeparated: String {
    rows.map { $0.map(\.raw).joined(separator: "\t") + "\n" }.joined()
  }

  private func line(_ row: [Cell], widths: [Int], colors: Bool) -> String {
    var line = ""
    for (column, cell) in row.enumerated() {
      let text = cut(cell.text, to: widths[column])
      line += cell.style.applied(to: text, colors: colors)
      if row[(column + 1)...].contains(where: { !$0.text.isEmpty }) {
        line += String(repeating: " ", count: widths[column] - text.columns + 2)
      } else {
        break
      }
    }
    return line
  }

  private func cut(_ text: String, to width: Int) -> String {
    guard text.columns > width else { return text }
    var kept = ""
    for character in text {
      if kept.columns + String(character).columns > width - 1 { break }
      kept.append(character)
    }
    return kept + "…"
  }
}

/// How a text stands out on a terminal that shows colours.
enum Style: Hashable {
  case plain, bold, dim, red, yellow, green

  /// The text with the escape sequences around it (ECMA-48, 8.3.117), if colours are on.
  func applied(to text: String, colors: Bool) -> String {
    let code =
      switch self {
      case .plain: 0
      case .bold: 1
      case .dim: 2
      case .red: 31
      case .yellow: 33
      case .green: 32
      }
    return colors && self != .plain && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
