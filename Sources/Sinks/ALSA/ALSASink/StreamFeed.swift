import SinkKit
import Sounds

/// What has arrived of a stream, for any number of outputs, and whether it still arrives.
final class StreamFeed {
  /// What the stream tells of itself.
  enum News {
    /// There is enough to play.
    case flows
    /// Nothing has arrived for too long; it may flow again.
    case dry
    /// Nothing will arrive any more.
    case ended(SoundError)
  }

  /// How long outputs may wait for frames before the stream counts as dry.
  static let patience = Duration.milliseconds(1_500)
  /// How much must have arrived before it counts as flowing, in seconds.
  private static let leastAhead = 0.3
  /// How much is read ahead, and how much of what was played is kept for slower outputs, in seconds.
  private static let mostAhead = 1.0
  private static let keptBehind = 1.0
  /// As many frames as a pipe holds.
  private static let mostRead = 16_384

  let rate: Int
  private let host: SinkHost
  private let stream: any FrameStream
  private let tell: (News) -> Void
  private var samples: [Int16] = []
  /// The number of the first frame that is kept.
  private var first = 0
  /// The frame that the fastest output wants next.
  private var wanted = 0
  private var isFlowing = false
  private var isWatched = false
  private var isOver = false
  private var timer: SinkHost.Token?

  /// Begins to read.
  init(_ stream: any FrameStream, host: SinkHost, tell: @escaping (News) -> Void) {
    self.stream = stream
    self.host = host
    self.tell = tell
    rate = stream.rate
    watch()
  }

  /// The frame that an output which begins now plays first, so that some are there to begin with.
  var start: Int { max(first, min(wanted, end - Int(Self.leastAhead * Double(rate)))) }

  private var end: Int { first + samples.count / StreamDecoder.channels }
  private var ahead: Int { end - wanted }

  /// Takes frames from a place on, at most so many, and moves the place behind them.
  func take(_ frames: Int, from place: inout Int) -> ArraySlice<Int16> {
    place = max(place, first)
    let count = max(0, min(frames, end - place))
    let start = (place - first) * StreamDecoder.channels
    defer { arrange() }
    place += count
    wanted = max(wanted, place)
    return samples[start..<start + count * StreamDecoder.channels]
  }

  /// Ends the stream; nothing is told any more.
  func stop() {
    isOver = true
    unwatch()
    host.cancel(&timer)
    stream.stop()
  }

  // MARK: Reading

  private func watch() {
    guard !isWatched, !isOver else { return }
    isWatched = true
    stream.watch { [weak self] in self?.read() }
  }

  private func unwatch() {
    guard isWatched else { return }
    isWatched = false
    stream.unwatch()
  }

  private func read() {
    let room = Int(Self.mostAhead * Double(rate)) - ahead
    guard room > 0 else { return unwatch() }
    var buffer = [Int16](
      repeating: 0,
      count: min(room, Self.mostRead) * StreamDecoder.channels
    )
    switch buffer.withUnsafeMutableBufferPointer({ stream.read(into: $0) }) {
    case .frames(let count):
      samples += buffer[..<(count * StreamDecoder.channels)]
      arrived()
    case .nothing: break
    case .ended(let error):
      isOver = true
      unwatch()
      host.cancel(&timer)
      tell(.ended(error))
    }
  }

  private func arrived() {
    if Double(ahead) >= Self.mostAhead * Double(rate) { unwatch() }
    guard !isFlowing, Double(ahead) >= Self.leastAhead * Double(rate) else { return }
    isFlowing = true
    host.cancel(&timer)
    tell(.flows)
  }

  /// After something was taken: forgets what nobody needs, reads on, notices that nothing is left.
  private func arrange() {
    let kept = Int(Self.keptBehind * Double(rate))
    if wanted - first > 2 * kept {
      samples.removeFirst((wanted - first - kept) * StreamDecoder.channels)
      first = wanted - kept
    }
    if Double(ahead) < Self.mostAhead * Double(rate) / 2 { watch() }
    guard isFlowing, !isOver else { return }
    if ahead > 0 { return host.cancel(&timer) }
    guard timer == nil else { return }
    timer = host.wake(after: Self.patience) { [weak self] in
      guard let self else { return }
      timer = nil
      guard ahead == 0 else { return }
      isFlowing = false
      tell(.dry)
    }
  }
}
