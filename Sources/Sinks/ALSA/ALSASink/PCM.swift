import SinkKit

/// In which form samples go to a device: signed 16-bit, those of one frame beside each other.
struct PCMFormat: Hashable, Sendable {
  /// Frames a second, 8,000 to 192,000.
  var rate: Int
  /// Samples in a frame, 1 or 2.
  var channels: Int
}

/// What a PCM is doing; the states of `snd_pcm_state_t` that matter here.
enum PCMState: Hashable, Sendable {
  /// Takes frames and waits to be started.
  case prepared
  /// Plays.
  case running
  /// Anything else; the next call tells the error.
  case other
}

/// An open device, or one that behaves like it.
///
/// Nothing here blocks. Used by the sink's thread only, except between the calls of `SoundCards`.
/// The functions are named after those of ALSA (PCM interface), and so are the codes they throw:
/// EPIPE after an underrun, ESTRPIPE after a suspend, ENODEV when the card is gone.
protocol PCM: AnyObject {
  /// The device's name.
  var device: String { get }
  /// What it was last configured for.
  var format: PCMFormat { get }
  /// Frames that fit into its buffer.
  var bufferFrames: Int { get }
  /// The card it plays on, if it plays on one: its id, such as `Headphones`.
  var card: String? { get }
  /// What it does now.
  var state: PCMState { get }

  /// Frames that can be written now, from the hardware's newest position.
  func available() throws(ALSAError) -> Int
  /// Writes frames and gives how many it took; 0 if there is no room.
  func write(_ samples: UnsafeBufferPointer<Int16>) throws(ALSAError) -> Int
  /// Begins to play what was written.
  func start() throws(ALSAError)
  /// Makes it ready for frames again, after an underrun or `drop`; its buffer is then empty.
  func prepare() throws(ALSAError)
  /// Goes on after a suspend; EAGAIN while the card is not awake yet.
  func resume() throws(ALSAError)
  /// Stops at once; what was not played yet is lost.
  func drop()

  /// Runs the body each time there may be room or an error; until `unwatch`.
  func watch(on host: SinkHost, _ body: @escaping () -> Void)
  /// Ends `watch`.
  func unwatch()
}

/// The machine's devices, or a test's.
///
/// What can block happens elsewhere; each body runs once, on the sink's thread, never within the
/// call, however long the device takes. Calls for one device are carried out one after another.
protocol SoundCards: AnyObject {
  /// Opens a device for playing.
  func open(
    _ device: String,
    _ format: PCMFormat,
    _ body: @escaping (Result<any PCM, ALSAError>) -> Void
  )
  /// Gives an open PCM that plays nothing another format; it is prepared then.
  func configure(_ pcm: any PCM, _ format: PCMFormat, _ body: @escaping (ALSAError?) -> Void)
  /// Closes a PCM; it must not be used any more.
  func close(_ pcm: any PCM)
  /// Runs the body when cards may have come or gone; until `unwatchCards`.
  func watchCards(_ body: @escaping () -> Void)
  /// Ends `watchCards`.
  func unwatchCards()
  /// Says that nothing is to be opened in the near future, so that memory can be given back.
  func rest()
  /// Waits for what was begun, but not for long; nothing is called afterwards.
  func finish()
}
