import Sounds

/// Where the sounds come from: files and tones that are decoded, streams that arrive.
protocol SoundSupply: AnyObject {
  /// Runs when a sound has become playable, or cannot be played.
  var onChange: () -> Void { get set }
  /// What sounds when a wanted one cannot.
  var tone: Sound { get }
  /// Prepares these sounds and forgets all others.
  func want(_ names: Set<String>)
  /// How far a wanted sound is.
  func state(of name: String) -> SoundState
  /// Reads a wanted sound again if it has changed, or could not be read.
  func refresh(_ name: String)
  /// Says that a sound is being played.
  func began(_ name: String)
  /// Opens a stream; each call opens it anew.
  func open(stream name: String) throws(SoundError) -> any FrameStream
}

/// How far the preparation of a sound is.
enum SoundState {
  /// It is being decoded.
  case loading
  /// It can be played.
  case ready(Sound)
  /// It comes from the net while it is played.
  case stream
  /// It cannot be played, and why.
  case failed(SoundError)
}

/// Frames that arrive, in two channels; reading never waits.
protocol FrameStream: AnyObject {
  /// Frames a second.
  var rate: Int { get }
  /// Takes what has arrived.
  func read(into samples: UnsafeMutableBufferPointer<Int16>) -> StreamDecoder.Reading
  /// Runs the body when there is something to read, and at the end; until `unwatch`.
  func watch(_ body: @escaping () -> Void)
  /// Ends `watch`.
  func unwatch()
  /// Ends the stream.
  func stop()
}

extension StreamDecoder: FrameStream {}
