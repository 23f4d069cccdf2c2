import TocsinModel

/// Reads the options of many rows: most say the same as some before them, and JSON is slow.
struct OptionsReader {
  private static let limit = 64
  private var known: [String: AlarmOptions] = [:]

  /// The options in a column's text.
  mutating func read(_ json: String) throws(RowFault) -> AlarmOptions {
    if let options = known[json] { return options }
    do {
      let options = try JSONLine.decode(AlarmOptions.self, from: Array(json.utf8))
      if known.count < Self.limit { known[json] = options }
      return options
    } catch {
      throw RowFault("options: \(error.message)")
    }
  }
}
