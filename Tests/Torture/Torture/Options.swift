/// What is to be played.
struct Options: Sendable {
  /// The numbers of the rounds.
  var rounds: Range<Int> = 0..<1_000
  var seed = UInt64.random(in: 1...999_999)
  /// Rounds at a time.
  var jobs = 2
  /// What strikes; all of them if empty.
  var only: [Strike.Kind] = []
  /// The library that stands before the C library.
  var library = ""
  /// Whether the folders of rounds that were well stay too.
  var keepsAll = false

  static let usage = """
    usage: contrib/torture [--rounds N] [--seed S] [--round R] [--jobs N] [--keep]
                           [--only \(Strike.Kind.allCases.map(\.rawValue).joined(separator: "|"))]...
    """

  struct Wrong: Error, CustomStringConvertible {
    var description: String
  }

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    func number<Number: FixedWidthInteger>(_ option: String) throws -> Number {
      guard let text = rest.popFirst(), let number = Number(text), number >= 0 else {
        throw Wrong(description: "\(option) needs a number")
      }
      return number
    }
    while let option = rest.popFirst() {
      switch option {
      case "--rounds": rounds = 0..<(try number(option))
      case "--seed": seed = try number(option)
      case "--round":
        let round: Int = try number(option)
        rounds = round..<round + 1
      case "--jobs": jobs = max(1, try number(option))
      case "--only":
        guard let kind = rest.popFirst().flatMap(Strike.Kind.init) else {
          throw Wrong(description: "--only needs a kind")
        }
        only.append(kind)
      case "--library":
        guard let path = rest.popFirst() else { throw Wrong(description: "--library needs a path") }
        library = path
      case "--keep": keepsAll = true
      default: throw Wrong(description: "\(option) is not known")
      }
    }
    if rounds.count == 1 { jobs = 1 }
  }
}
