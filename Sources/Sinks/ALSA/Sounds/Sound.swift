/// A sound that is decoded and in memory, so that no file or disk is needed to play it.
package struct Sound: Hashable, Sendable {
  /// Frames a second, 8,000 to 192,000.
  package var rate: Int
  /// Samples in a frame, 1 or 2.
  package var channels: Int
  /// The samples, those of one frame beside each other.
  package var samples: [Int16]

  /// Makes a sound of samples.
  package init(rate: Int, channels: Int, samples: [Int16]) {
    self.rate = rate
    self.channels = channels
    self.samples = samples
  }

  /// How many frames it has.
  package var frames: Int { samples.count / channels }
}
