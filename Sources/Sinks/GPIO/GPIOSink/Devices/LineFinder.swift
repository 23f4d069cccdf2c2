/// Which chip is meant: never by its number, which the kernel gives out anew at each boot.
enum ChipChoice: Hashable, CustomStringConvertible {
  /// The one that has the line's name.
  case auto
  /// The one with that label.
  case label(String)
  /// The one at that path.
  case path(String)

  var description: String {
    switch self {
    case .auto: "any chip"
    case .label(let label): "chip \(label)"
    case .path(let path): path
    }
  }
}

/// Which line is meant.
enum LineName: Hashable, CustomStringConvertible {
  /// The one with that name, such as `GPIO17`.
  case name(String)
  /// The one with that number on its chip.
  case offset(UInt32)

  var description: String {
    switch self {
    case .name(let name): name
    case .offset(let offset): "line \(offset)"
    }
  }
}

/// Finds lines among the chips that are there at this moment.
enum LineFinder {
  /// The chips behind the header of a Raspberry Pi 5, 4 and earlier ones, looked at before others.
  static let known = ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"]

  private struct Candidate {
    var path: String
    var facts: ChipFacts
  }

  /// Where the line is.
  ///
  /// - Throws: `absent` if no chip has it, `denied` if one that may have it cannot be opened.
  static func find(
    _ line: LineName,
    on chip: ChipChoice,
    among devices: some Devices
  ) throws(GPIOError) -> LinePlace {
    let paths = if case .path(let path) = chip { [path] } else { devices.chips() }
    var candidates: [Candidate] = []
    var trouble: GPIOError?
    for path in paths {
      do {
        candidates.append(Candidate(path: path, facts: try devices.facts(ofChip: path)))
      } catch { trouble = trouble ?? error }
    }
    if case .label(let label) = chip { candidates.removeAll { $0.facts.label != label } }
    if case .auto = chip { candidates = knownFirst(candidates) }
    for candidate in candidates {
      if let offset = offset(of: line, on: candidate, among: devices) {
        return LinePlace(chip: candidate.path, offset: offset)
      }
    }
    throw trouble ?? missing(line, on: chip, isChipThere: !candidates.isEmpty, chips: paths)
  }

  private static func knownFirst(_ candidates: [Candidate]) -> [Candidate] {
    func rank(_ candidate: Candidate) -> Int {
      known.firstIndex(of: candidate.facts.label) ?? known.count
    }
    return candidates.enumerated().sorted {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }.map(\.element)
  }

  private static func offset(
    of line: LineName,
    on candidate: Candidate,
    among devices: some Devices
  ) -> UInt32? {
    switch line {
    case .offset(let offset): return offset < candidate.facts.lines ? offset : nil
    case .name(let name):
      if let offset = devices.offset(ofLine: name, onChip: candidate.path) { return offset }
      // Some kernels give a Raspberry Pi's lines no names; there the offset is the GPIO's number.
      guard known.contains(candidate.facts.label), name.hasPrefix("GPIO"),
        let offset = UInt32(name.dropFirst(4)), offset < min(54, candidate.facts.lines)
      else { return nil }
      return offset
    }
  }

  private static func missing(
    _ line: LineName,
    on chip: ChipChoice,
    isChipThere: Bool,
    chips: [String]
  ) -> GPIOError {
    if chips.isEmpty { return GPIOError(.absent, "this machine has no GPIO chip, /dev/gpiochip*") }
    if isChipThere {
      return GPIOError(.absent, "\(chip) has no \(line); gpioinfo lists the names there are")
    }
    return GPIOError(.absent, "there is no \(chip); gpiodetect lists the labels there are")
  }
}
