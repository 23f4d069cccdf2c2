/// The names that the database lists about itself, for "did you mean".
struct ZoneNames: Sendable {
  private let names: [Name]

  /// A name, and what of it is compared with a misspelt one.
  private struct Name: Sendable {
    let text: String
    let letters: [UInt8]
    let city: [UInt8]

    init(_ text: String) {
      self.text = text
      letters = ZoneNames.letters(text)
      city = ZoneNames.letters(ZoneNames.lastPart(of: text))
    }
  }

  /// Reads the list from the first file there is: tzdata.zi has the old names too.
  init(read: (String) -> [UInt8]?) {
    if let bytes = read("tzdata.zi") {
      names = Self.names(compact: bytes).map(Name.init)
    } else if let bytes = read("zone1970.tab") ?? read("zone.tab") {
      names = Self.names(table: bytes).map(Name.init)
    } else {
      names = []
    }
  }

  var isEmpty: Bool { names.isEmpty }

  func name(equalTo name: String) -> String? {
    let wanted = Self.letters(name)
    return names.first { $0.letters == wanted }?.text
  }

  /// The known name with the fewest letters to change; nil if none comes near.
  ///
  /// The last part counts as a name too, so that "Berlin" finds Europe/Berlin.
  func nearest(to name: String) -> String? {
    let wanted = Self.letters(name)
    let wantedCity = Self.letters(Self.lastPart(of: name))
    let isPlain = !name.utf8.contains(UInt8(ascii: "/"))
    var limit = max(2, wanted.count / 3) + 1
    var best: String?
    func consider(_ candidate: Name, _ wanted: [UInt8], _ letters: [UInt8], extra: Int = 0) {
      // So many letters differ at least.
      guard abs(wanted.count - letters.count) + extra < limit else { return }
      let distance = NearestWord.distance(wanted, letters) + extra
      if distance < limit { (best, limit) = (candidate.text, distance) }
    }
    for candidate in names {
      consider(candidate, wanted, candidate.letters)
      if isPlain || candidate.city == wantedCity {
        consider(candidate, wantedCity, candidate.city, extra: 1)
      }
    }
    return best
  }

  /// "Z Europe/Berlin 0:53:28 …" is a zone, "L Europe/Berlin Arctic/Longyearbyen" a link.
  private static func names(compact bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let words = line.prefix(160).split(separator: UInt8(ascii: " "))
      switch words.first {
      case [UInt8(ascii: "Z")] where words.count > 2: return text(words[1])
      case [UInt8(ascii: "L")] where words.count > 2: return text(words[2])
      default: return nil
      }
    }
  }

  /// Country codes, coordinates and the name in columns; "#" begins a comment.
  private static func names(table bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let columns = line.split(separator: UInt8(ascii: "\t"))
      guard line.first != UInt8(ascii: "#"), columns.count > 2 else { return nil }
      return text(columns[2])
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private static func letters(_ name: some StringProtocol) -> [UInt8] {
    // A space is what people write for the underscore.
    name.lowercased().utf8.prefix(64).map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "_") : $0 }
  }

  private static func lastPart(of name: String) -> Substring {
    name.split(separator: "/").last ?? ""
  }
}
