import TocsinModel

/// The names of ALSA devices, as settings write them.
enum DeviceNames {
  /// Reads a list: commas separate, except in quotes and within a name such as
  /// `plughw:CARD=Headphones,DEV=0` or `plughw:1,0`.
  static func list(_ text: String) -> [String] {
    var names: [String] = []
    for part in split(text) {
      if let last = names.last, last.contains(":"), isArgument(part) {
        names[names.count - 1] = "\(last),\(part)"
      } else if !part.isEmpty {
        names.append(part)
      }
    }
    return names
  }

  /// What is opened: `hw:` takes only what the hardware can, `plughw:` converts.
  static func opened(_ name: String) -> String {
    name.hasPrefix("hw:") ? "plug" + name : name
  }

  /// The same device behind ALSA's conversions, for one that does not take a sound as it is.
  static func converting(_ name: String) -> String { "plug:SLAVE='\(name)'" }

  /// The number in a name that counts cards instead of naming one, such as 1 in `plughw:1,0`.
  static func cardNumber(in name: String) -> Int? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    let first = name[name.index(after: colon)...].prefix { $0 != "," }
    let value = first.hasPrefix("CARD=") ? first.dropFirst(5) : first
    return Int(value)
  }

  /// Whether it goes on with the name before it: a number, or a key with its value.
  private static func isArgument(_ part: String) -> Bool {
    guard !part.isEmpty else { return false }
    if part.allSatisfy({ $0.isASCII && $0.isNumber }) { return true }
    guard let equals = part.firstIndex(of: "=") else { return false }
    return part[..<equals].allSatisfy { $0.isASCII && ($0.isUppercase || $0 == "_") }
  }

  private static func split(_ text: String) -> [String] {
    var parts: [String] = []
    var part = ""
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { part.append(character) }
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "," {
        parts.append(String(part[...].trimmed))
        part = ""
      } else {
        part.append(character)
      }
    }
    return parts + [String(part[...].trimmed)]
  }
}
