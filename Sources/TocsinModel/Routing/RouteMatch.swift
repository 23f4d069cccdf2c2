import TocsinTime

/// The events something applies to: `event:alert kind:alarm title:"Wake*" !label:work priority:>=5`.
///
/// Several values of one key are alternatives, different keys must all fit, and a `!` turns a term
/// around. Without terms everything fits.
package struct RouteMatch: Hashable, Sendable {
  package private(set) var terms: [Term] = []

  /// One word of it.
  package struct Term: Hashable, Sendable {
    package var isNegated: Bool
    package var test: Test

    package init(isNegated: Bool = false, test: Test) {
      self.isNegated = isNegated
      self.test = test
    }
  }

  /// What a term looks at.
  package enum Test: Hashable, Sendable {
    case event(RoutedEvent)
    case kind(AlarmKind)
    case title(Glob)
    case label(Glob)
    case priority(Comparison, Int)
    case sound(Glob)
    /// The beginning of the alarm's UUID, in lower case.
    case alarm(String)
  }

  /// How a priority is compared.
  package enum Comparison: String, Sendable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case more = ">"
    case less = "<"
    case equal = "="
  }

  /// Fits everything.
  package init() {}

  package init(_ terms: [Term]) { self.terms = terms }

  /// Reads terms with white space between; `all` alone fits everything.
  package init(_ text: String) throws(ValueText.Unreadable) {
    try self.init(try ValueText.pieces(text))
  }

  /// Reads the words of a value; what is wrong is told with its place in that value.
  package init(_ words: some Collection<ValueText.Piece>) throws(ValueText.Unreadable) {
    guard words.map(\.text) != ["all"] else { return }
    for word in words {
      do {
        terms.append(try Term(word.text))
      } catch {
        throw ValueText.Unreadable(message: error.message, offset: word.offset)
      }
    }
  }

  /// Whether an event fits.
  package func matches(_ subject: RouteSubject) -> Bool {
    var (asked, fitting): (Set<Int>, Set<Int>) = ([], [])
    for term in terms {
      let fits = term.test.matches(subject)
      if term.isNegated {
        if fits { return false }
      } else {
        asked.insert(term.test.key)
        if fits { fitting.insert(term.test.key) }
      }
    }
    return asked == fitting
  }
}

extension RouteMatch: CustomStringConvertible {
  /// As plugins.conf writes it.
  package var description: String {
    terms.isEmpty ? "all" : terms.map(\.description).joined(separator: " ")
  }
}

extension RouteMatch.Term: CustomStringConvertible {
  /// The keys of terms, in the order of the reference.
  package static let keys = ["event", "kind", "title", "label", "priority", "sound", "alarm"]

  package init(_ word: String) throws(ValueText.Unreadable) {
    let isNegated = word.hasPrefix("!")
    let body = isNegated ? word.dropFirst() : word[...]
    guard let colon = body.firstIndex(of: ":") else {
      throw ValueText.Unreadable(
        message: "\(word) is no term, write such as kind:alarm or label:work"
      )
    }
    let (key, value) = (String(body[..<colon]), String(body[body.index(after: colon)...]))
    guard !value.isEmpty else { throw ValueText.Unreadable(message: "\(key): has no value") }
    self.init(isNegated: isNegated, test: try RouteMatch.Test(key, value))
  }

  package var description: String { (isNegated ? "!" : "") + test.description }
}

extension RouteMatch.Test: CustomStringConvertible {
  fileprivate init(_ key: String, _ value: String) throws(ValueText.Unreadable) {
    switch key {
    case "event":
      guard let event = RoutedEvent(rawValue: value) else {
        throw .choice(value, key, RoutedEvent.allCases.map(\.rawValue))
      }
      self = .event(event)
    case "kind":
      guard let kind = AlarmKind(rawValue: value) else {
        throw .choice(value, key, [AlarmKind.alarm.rawValue, AlarmKind.timer.rawValue])
      }
      self = .kind(kind)
    case "title": self = .title(Glob(value))
    case "label": self = .label(Glob(value))
    case "sound": self = .sound(Glob(value))
    case "priority":
      let sign = RouteMatch.Comparison.allCases.first { value.hasPrefix($0.rawValue) }
      let digits = value.dropFirst(sign?.rawValue.count ?? 0)
      guard let number = Int(digits), (-100...100).contains(number) else {
        throw ValueText.Unreadable(
          message: "\(value) is no priority, write such as priority:>=5, from -100 to 100"
        )
      }
      self = .priority(sign ?? .equal, number)
    case "alarm":
      let id = value.lowercased()
      guard id.count >= 4, id.count <= 36, id.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
        throw ValueText.Unreadable(message: "\(value) is no UUID or beginning of one")
      }
      self = .alarm(id)
    default:
      let near = NearestWord.of(key, in: RouteMatch.Term.keys).map { ", did you mean \($0)?" }
      let all = RouteMatch.Term.keys.joined(separator: ", ")
      throw ValueText.Unreadable(message: "unknown term \(key)\(near ?? ", there are \(all)")")
    }
  }

  fileprivate func matches(_ subject: RouteSubject) -> Bool {
    switch self {
    case .event(let event): subject.event == event
    case .kind(let kind): subject.kind == kind
    case .title(let glob): glob.matches(subject.title)
    case .label(let glob): subject.labels.contains(where: glob.matches)
    case .priority(let comparison, let number): comparison.holds(subject.priority, number)
    case .sound(let glob): subject.sound.map(glob.matches) ?? false
    case .alarm(let start): subject.alarm.description.hasPrefix(start)
    }
  }

  /// Terms of the same key are alternatives.
  fileprivate var key: Int {
    switch self {
    case .event: 0
    case .kind: 1
    case .title: 2
    case .label: 3
    case .priority(let comparison, _):
      // `priority:>2 priority:<5` is a range, two equals are alternatives.
      comparison == .equal ? 4 : comparison == .more || comparison == .atLeast ? 5 : 6
    case .sound: 7
    case .alarm: 8
    }
  }

  package var description: String {
    switch self {
    case .event(let event): "event:\(event.rawValue)"
    case .kind(let kind): "kind:\(kind.rawValue)"
    case .title(let glob): "title:\(ValueText.quoted(glob.text))"
    case .label(let glob): "label:\(ValueText.quoted(glob.text))"
    case .priority(.equal, let number): "priority:\(number)"
    case .priority(let comparison, let number): "priority:\(comparison.rawValue)\(number)"
    case .sound(let glob): "sound:\(ValueText.quoted(glob.text))"
    case .alarm(let start): "alarm:\(start)"
    }
  }
}

extension RouteMatch.Comparison {
  fileprivate func holds(_ left: Int, _ right: Int) -> Bool {
    switch self {
    case .atLeast: left >= right
    case .atMost: left <= right
    case .more: left > right
    case .less: left < right
    case .equal: left == right
    }
  }
}

extension ValueText.Unreadable {
  /// The nearest of the known words, or all of them.
  fileprivate static func choice(_ value: String, _ key: String, _ known: [String]) -> Self {
    let near = NearestWord.of(value, in: known).map { ", did you mean \($0)?" }
    return Self(
      message: "unknown \(key) \(value)\(near ?? ", there are \(known.joined(separator: ", "))")"
    )
  }
}

extension RouteMatch {
  /// Whether an event of this kind may fit, as far as its terms about events go.
  package func mayFit(_ event: RoutedEvent) -> Bool {
    var isNamed: Bool?
    for case (let isNegated, .event(let named)) in terms.map({ ($0.isNegated, $0.test) }) {
      if isNegated, named == event { return false }
      if !isNegated { isNamed = isNamed == true || named == event }
    }
    return isNamed ?? true
  }

  /// Whether it says which events it means.
  package var namesEvent: Bool {
    terms.contains { if case .event = $0.test { true } else { false } }
  }
}
