import CSndFile

/// How the channels of a frame become one or two.
///
/// One and two stay as they are. More become two: each speaker goes to its side, those in the middle
/// and behind at -3 dB, as ITU-R BS.775-3, annex 4 has it; then all is made so quiet that nothing
/// can be clipped. The speaker for low frequencies is left out.
struct ChannelMix {
  /// What each channel of the file adds to the left and to the right.
  private let weights: [(left: Float, right: Float)]
  private let gain: Float
  /// Channels of a frame in the file, 1 or more.
  let channels: Int
  /// Channels of a frame afterwards, 1 or 2.
  var mixed: Int { min(channels, 2) }

  /// - Parameters:
  ///   - channels: channels of a frame in the file, 1 or more.
  ///   - places: the speakers as libsndfile numbers them; empty if the file does not say.
  ///   - gain: by what all is multiplied.
  init(channels: Int, places: [CInt] = [], gain: Float = 1) {
    self.channels = channels
    self.gain = gain
    var places = places.count == channels ? places : []
    if !places.contains(where: { Self.weight(of: $0) != (0, 0) }) {
      places = Self.usual(channels)
    }
    var weights = places.map(Self.weight)
    let left = weights.reduce(0) { $0 + $1.left }
    let right = weights.reduce(0) { $0 + $1.right }
    let most = max(left, right, 1)
    weights = weights.map { ($0.left / most, $0.right / most) }
    self.weights = weights
  }

  /// Appends frames as they are played.
  ///
  /// - Parameters:
  ///   - frames: samples -1...1; others, and what is no number, are clipped.
  ///   - samples: what they are appended to.
  func append(_ frames: UnsafeBufferPointer<Float>, to samples: inout [Int16]) {
    if channels <= 2 {
      for value in frames { samples.append(Self.sample(value * gain)) }
      return
    }
    var start = 0
    while start + channels <= frames.count {
      var left: Float = 0
      var right: Float = 0
      for channel in 0..<channels {
        let value = frames[start + channel]
        left += value * weights[channel].left
        right += value * weights[channel].right
      }
      samples.append(Self.sample(left * gain))
      samples.append(Self.sample(right * gain))
      start += channels
    }
  }

  static func sample(_ value: Float) -> Int16 {
    let scaled = (value * 32_768).rounded()
    if scaled >= 32_767 { return .max }
    if scaled <= -32_768 { return .min }
    return scaled.isNaN ? 0 : Int16(scaled)
  }

  private static func weight(of place: CInt) -> (left: Float, right: Float) {
    let middle: Float = 0.707_107
    switch Int(place) {
    case SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_FRONT_LEFT: return (1, 0)
    case SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT: return (0, 1)
    case SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER, SF_CHANNEL_MAP_REAR_LEFT, SF_CHANNEL_MAP_SIDE_LEFT,
      SF_CHANNEL_MAP_TOP_FRONT_LEFT, SF_CHANNEL_MAP_TOP_REAR_LEFT:
      return (middle, 0)
    case SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER, SF_CHANNEL_MAP_REAR_RIGHT,
      SF_CHANNEL_MAP_SIDE_RIGHT, SF_CHANNEL_MAP_TOP_FRONT_RIGHT, SF_CHANNEL_MAP_TOP_REAR_RIGHT:
      return (0, middle)
    case SF_CHANNEL_MAP_LFE, SF_CHANNEL_MAP_INVALID: return (0, 0)
    default: return (middle, middle)
    }
  }

  /// The usual order for that many channels, as WAVE_FORMAT_EXTENSIBLE has it.
  private static func usual(_ channels: Int) -> [CInt] {
    let left = SF_CHANNEL_MAP_FRONT_LEFT
    let right = SF_CHANNEL_MAP_FRONT_RIGHT
    let rears = [SF_CHANNEL_MAP_REAR_LEFT, SF_CHANNEL_MAP_REAR_RIGHT]
    let sides = [SF_CHANNEL_MAP_SIDE_LEFT, SF_CHANNEL_MAP_SIDE_RIGHT]
    let center = SF_CHANNEL_MAP_FRONT_CENTER
    let places: [Int] =
      switch channels {
      case 1: [center]
      case 2: [left, right]
      case 3: [left, right, center]
      case 4: [left, right] + rears
      case 5: [left, right, center] + rears
      case 6: [left, right, center, SF_CHANNEL_MAP_LFE] + rears
      case 8: [left, right, center, SF_CHANNEL_MAP_LFE] + rears + sides
      default: (0..<channels).map { $0 % 2 == 0 ? left : right }
      }
    return places.map { CInt($0) }
  }
}
