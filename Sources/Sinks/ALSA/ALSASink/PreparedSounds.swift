import SinkKit
import Sounds

/// The sounds of files and themes as the library keeps them, and streams from the net.
final class PreparedSounds: SoundSupply {
  /// Frames a second that streams are asked for.
  private static let streamRate = 48_000

  var onChange: () -> Void = {}
  let tone = Tone.sound

  private let host: SinkHost
  private let environment: [String: String]
  private let decoder: DecoderProgram
  private let library: SoundLibrary
  private var wanted: Set<String> = []

  /// Prepares nothing yet.
  init(host: SinkHost, environment: [String: String], decoder: DecoderProgram) {
    self.host = host
    self.environment = environment
    self.decoder = decoder
    library = SoundLibrary(host: host, environment: environment)
    library.onChange = { [unowned self] _ in onChange() }
  }

  func want(_ names: Set<String>) {
    for name in wanted.subtracting(names) { library.release(SoundChoice(name)) }
    for name in names.subtracting(wanted) { library.prepare(SoundChoice(name)) }
    wanted = names
  }

  func state(of name: String) -> SoundState {
    let choice = SoundChoice(name)
    if case .stream = choice { return .stream }
    return switch library.state(of: choice) {
    case .loading: .loading
    case .ready(let sound): .ready(sound.looping())
    case .failed(let error): .failed(error)
    }
  }

  func refresh(_ name: String) { library.prepare(SoundChoice(name)) }

  func began(_ name: String) { library.played(SoundChoice(name)) }

  func open(stream name: String) throws(SoundError) -> any FrameStream {
    try StreamDecoder(
      program: decoder,
      url: name,
      rate: Self.streamRate,
      host: host,
      environment: environment
    )
  }
}
