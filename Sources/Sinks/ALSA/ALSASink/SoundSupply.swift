import SinkKit
import Sounds

/// Where the sounds come from: files and tones that are decoded, streams that arrive.
protocol SoundSupply: AnyObject {
  /// Runs when the state of a sound has changed.
  var onChange: () -> Void { get set }
  /// What sounds when a wanted one cannot.
  var tone: Sound { get }
  /// Prepares these sounds and forgets all others.
  func want(_ names: Set<String>)
  /// How far a wanted sound is.
  func state(of name: String) -> SoundState
}

/// How far the preparation of a sound is.
enum SoundState {
  /// It is being decoded.
  case loading
  /// It can be played.
  case ready(Sound)
  /// It cannot be played, and why.
  case failed(String)
}
