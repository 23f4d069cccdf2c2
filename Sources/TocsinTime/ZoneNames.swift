/// The names that the database lists about itself, for "did you mean".
struct ZoneNames {
  private let names: [String]

  /// Reads the list from the first file there is: tzdata.zi has the old names too.
  init(read: (String) -> [UInt8]?) {
    if let bytes = read("tzdata.zi") {
      names = Self.names(compact: bytes)
    } else if let bytes = read("zone1970.tab") ?? read("zone.tab") {
      names = Self.names(table: bytes)
    } else {
      names = []
    }
  }

  var isEmpty: Bool { names.isEmpty }

  func name(equalTo name: String) -> String? {
    let wanted = name.lowercased()
    return names.first { $0.lowercased() == wanted }
  }

  /// The known name with the fewest letters to change; nil if none comes near.
  ///
  /// The last part counts as a name too, so that "Berlin" finds Europe/Berlin.
  func nearest(to name: String) -> String? {
    let wanted = Self.letters(name)
    let wantedCity = Self.letters(Self.lastPart(of: name))
    let isPlain = !name.utf8.contains(UInt8(ascii: "/"))
    var best: (name: String, distance: Int)?
    for candidate in names {
      var distance = NearestWord.distance(wanted, Self.letters(candidate))
      let city = Self.letters(Self.lastPart(of: candidate))
      if isPlain || city == wantedCity {
        distance = min(distance, NearestWord.distance(wantedCity, city) + 1)
      }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= max(2, wanted.count / 3) else { return nil }
    return best.name
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
