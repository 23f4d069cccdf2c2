/// A sink, or one part of it, as routes name it: `speaker`, `bedside.led`.
public struct SinkTarget: Hashable, Sendable {
  /// The sink's name in plugins.conf.
  public var sink: String
  /// One of the parts it announced with `ready`; nil is the whole of it.
  public var part: String?

  /// Names a sink or a part of it.
  public init(sink: String, part: String? = nil) {
    self.sink = sink
    self.part = part
  }

  /// Reads `SINK` or `SINK.PART`; names are made of letters, digits, `-` and `_`.
  package init(_ text: some StringProtocol) throws(ValueText.Unreadable) {
    let names = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(names.count),
      names.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNamePart) })
    else { throw ValueText.Unreadable(message: "\(text) is no sink, write SINK or SINK.PART") }
    self.init(sink: String(names[0]), part: names.count == 2 ? String(names[1]) : nil)
  }
}

extension SinkTarget: CustomStringConvertible {
  /// As plugins.conf writes it.
  public var description: String { part.map { "\(sink).\($0)" } ?? sink }
}

extension Character {
  /// Whether names of sinks, parts and routes may hold it.
  package var isNamePart: Bool {
    isASCII && (isLetter || isNumber) || self == "-" || self == "_"
  }
}
