extension Sound {
  /// The sound as it is repeated: with silence behind it if it is shorter than the period.
  ///
  /// A click of a fifth of a second would otherwise become a buzz.
  ///
  /// - Parameter seconds: the shortest period.
  /// - Returns: this sound if it is long enough.
  package func looping(atLeast seconds: Double = 1) -> Sound {
    let missing = Int((seconds * Double(rate)).rounded(.up)) - frames
    guard missing > 0 else { return self }
    var loop = self
    loop.samples += [Int16](repeating: 0, count: missing * channels)
    return loop
  }

  /// Bytes that it takes.
  var size: Int { samples.count * MemoryLayout<Int16>.size }
}
