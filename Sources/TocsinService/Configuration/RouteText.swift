import TocsinModel

/// How plugins.conf writes what only routes have: sinks, steps, parts of days, inhibitions.
///
/// Each reader tells what is wrong with its place in the value.
enum RouteText {
  typealias Mention = RouteDraft.Mention

  /// `speaker, bedside.led`; `all` alone is every sink and gives none.
  static func targets(
    _ items: some Collection<ValueText.Piece>
  ) throws(ValueText.Unreadable) -> [Mention] {
    var found: [Mention] = []
    for item in items {
      let names = try ValueText.pieces(item.text)
      guard names.count == 1, let name = names.first else {
        throw ValueText.Unreadable(
          message: "\(item.text) is more than one sink, write commas between",
          offset: item.offset
        )
      }
      guard name.text != "all" else {
        guard items.count == 1 else {
          throw ValueText.Unreadable(
            message: "all is every sink, name none beside it",
            offset: item.offset
          )
        }
        return []
      }
      do {
        let target = try SinkTarget(name.text)
        if !found.contains(where: { $0.target == target }) {
          found.append(Mention(target: target, offset: item.offset))
        }
      } catch {
        throw ValueText.Unreadable(message: error.message, offset: item.offset)
      }
    }
    return found
  }

  /// `22:00-07:00, weekdays 12:00-13:00`.
  static func windows(_ text: String) throws(ValueText.Unreadable) -> [TimeWindow] {
    var windows: [TimeWindow] = []
    for item in try ValueText.items(text) {
      do {
        windows.append(try TimeWindow(item.text))
      } catch {
        throw ValueText.Unreadable(message: error.message, offset: item.offset + error.offset)
      }
    }
    return windows
  }

  /// A percentage to two digits behind the point, so that it is written as it was read.
  static func volumeLimit(_ text: String) throws(ValueText.Unreadable) -> Double {
    let limit = try ValueText.percentage(text)
    guard limit >= 0.01 else {
      throw ValueText.Unreadable(
        message: "\(text) would let nobody hear it, write 1% to 100%, or leave the sink out of to"
      )
    }
    return (limit * 10_000).rounded() / 10_000
  }

  /// `popup, bedside.buzzer after 3min, speaker after 6min`: what has no `after` joins the next.
  static func steps(
    _ text: String,
    _ range: ClosedRange<Int64>
  ) throws(ValueText.Unreadable) -> [(targets: [Mention], after: Duration)] {
    var steps: [(targets: [Mention], after: Duration)] = []
    for group in try groups(text, endingWith: "after", such: "speaker after 3min") {
      let names = group.items + (group.before.isEmpty ? [] : [joined(group.before)])
      guard !names.isEmpty else {
        throw ValueText.Unreadable(
          message: "no sink stands before after, write such as speaker after 3min",
          offset: group.offset
        )
      }
      let targets = try targets(names)
      let after = group.after.map(\.text).joined(separator: " ")
      let offset = group.after.first?.offset ?? group.offset
      do {
        steps.append(
          (targets, try ConfigurationKey<RouteDraft>.readDuration(after, range))
        )
      } catch {
        throw ValueText.Unreadable(message: error.message, offset: offset + error.offset)
      }
    }
    return steps
  }

  /// `speaker while kind:alarm, label:x while label:y`: sinks, or which events, or both, are held back
  /// while something else is presented; an alert, unless `event:` says something else.
  static func inhibitions(
    _ text: String
  ) throws(ValueText.Unreadable) -> [(targets: [Mention], subject: RouteMatch, source: RouteMatch)]
  {
    var found: [(targets: [Mention], subject: RouteMatch, source: RouteMatch)] = []
    for group in try groups(text, endingWith: "while", such: "speaker while kind:alarm") {
      guard !group.after.isEmpty else {
        throw ValueText.Unreadable(
          message: "nothing stands behind while, write such as while kind:alarm, or while all",
          offset: group.offset
        )
      }
      var source = try RouteMatch(group.after)
      if !source.terms.contains(where: \.isAboutEvent) {
        source = RouteMatch([RouteMatch.Term(test: .event(.alert))] + source.terms)
      }
      let words = group.before
      let firstTerm = words.firstIndex { $0.text.contains(":") } ?? words.endIndex
      let names = words[..<firstTerm]
      let items = group.items + (names.isEmpty ? [] : [joined(names)])
      found.append((try targets(items), try RouteMatch(words[firstTerm...]), source))
    }
    return found
  }

  /// Some items, of which the last is divided by a word.
  private struct Group {
    /// Those before the last, as they are written.
    var items: [ValueText.Piece]
    /// The words before and behind the dividing one; places count from the start of the value.
    var before: ArraySlice<ValueText.Piece>
    var after: ArraySlice<ValueText.Piece>
    /// Where the dividing word stands.
    var offset: Int
  }

  private static func groups(
    _ text: String,
    endingWith divider: String,
    such example: String
  ) throws(ValueText.Unreadable) -> [Group] {
    var groups: [Group] = []
    var waiting: [ValueText.Piece] = []
    for item in try ValueText.items(text) {
      let words = try ValueText.pieces(item.text).map {
        ValueText.Piece($0.text, at: $0.offset + item.offset)
      }
      guard let middle = words.firstIndex(where: { $0.text == divider }) else {
        waiting.append(item)
        continue
      }
      groups.append(
        Group(
          items: waiting,
          before: words[..<middle],
          after: words[(middle + 1)...],
          offset: words[middle].offset
        )
      )
      waiting = []
    }
    if let left = waiting.first {
      throw ValueText.Unreadable(
        message: "\(left.text) has no \(divider), write such as \(example)",
        offset: left.offset
      )
    }
    return groups
  }

  private static func joined(_ words: ArraySlice<ValueText.Piece>) -> ValueText.Piece {
    ValueText.Piece(words.map(\.text).joined(separator: " "), at: words.first?.offset ?? 0)
  }
}

extension RouteMatch.Term {
  fileprivate var isAboutEvent: Bool {
    if case .event = test { true } else { false }
  }
}
