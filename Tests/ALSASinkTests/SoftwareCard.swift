import Glibc
import ProcessTesting

/// A folder with software cards that the real libasound plays on, and what happens to them.
///
/// The devices are `card` and `spare`; `narrow`, which takes 48 kHz only; and `default`, which is
/// `card` with a mixer. The library's configuration is this alone.
final class SoftwareCard {
  /// One line of a card's log.
  struct Event: Equatable {
    /// CLOCK_MONOTONIC.
    var nanoseconds: Int64
    var name: String
    /// Frames that were played by then, since the card was prepared.
    var frames: Int
  }

  /// The plug-ins, built once; nil if there is no C compiler.
  static let plugins: String? = build()
  static var canBuild: Bool { plugins != nil }

  var folder: String { place.path }
  private let place: TemporaryFolder
  private var logs: [String: LineReader] = [:]

  init() throws {
    guard let plugins = Self.plugins else { throw Failure("no C compiler") }
    place = try TemporaryFolder()
    for name in ["card", "spare", "narrow"] {
      guard mkfifo("\(folder)/\(name).log", 0o600) == 0 else { throw Failure("mkfifo") }
      // Open for writing as well, or it would be at its end whenever the card has no line.
      logs[name] = LineReader(open("\(folder)/\(name).log", O_RDWR | O_NONBLOCK | O_CLOEXEC))
    }
    try write("40 0", to: "mixer")
    try write(
      """
      pcm_type.paced { lib "\(plugins)/pcm_paced.so" }
      ctl_type.paced { lib "\(plugins)/ctl_paced.so" }
      \(Self.devices("card", in: folder))
      \(Self.devices("spare", in: folder))
      \(Self.devices("narrow", in: folder))
      pcm.plug { @args [ SLAVE ] @args.SLAVE { type string } type plug slave.pcm $SLAVE }
      pcm.default { type plug slave.pcm "hw_card" }
      ctl.default { type paced file "\(folder)/mixer" }
      """,
      to: "asound.conf"
    )
  }

  private static func devices(_ name: String, in folder: String) -> String {
    """
    pcm.hw_\(name) {
      type paced
      file "\(folder)/\(name).wav"
      log "\(folder)/\(name).log"
      busy "\(folder)/\(name).busy"
      gone "\(folder)/\(name).gone"
      \(name == "narrow" ? "rate 48000" : "")
    }
    pcm.\(name) { type plug slave.pcm "hw_\(name)" }
    """
  }

  /// The variables that make a process play on these cards, and keep its state here.
  var environment: [String: String] {
    ["ALSA_CONFIG_PATH": "\(folder)/asound.conf", "STATE_DIRECTORY": folder, "HOME": folder]
  }

  // MARK: Files

  func write(_ text: String, to name: String) throws {
    guard let file = fopen("\(folder)/\(name)", "w") else { throw Failure(name) }
    fputs(text, file)
    fclose(file)
  }

  /// Writes 16-bit samples of one channel.
  func writeWave(_ samples: [Int16], rate: Int, to name: String) throws {
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let size = 2 * samples.count
    var bytes = Array("RIFF".utf8) + little(36 + size, 4) + Array("WAVEfmt ".utf8)
    bytes += little(16, 4) + little(1, 2) + little(1, 2) + little(rate, 4)
    bytes += little(2 * rate, 4) + little(2, 2) + little(16, 2)
    bytes += Array("data".utf8) + little(size, 4)
    for sample in samples { bytes += little(Int(sample), 2) }
    guard let file = fopen("\(folder)/\(name)", "w") else { throw Failure(name) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure(name) }
  }

  func remove(_ name: String) { unlink("\(folder)/\(name)") }

  func exists(_ name: String) -> Bool { access("\(folder)/\(name)", F_OK) == 0 }

  func bytes(_ name: String) throws -> [UInt8] {
    guard let file = fopen("\(folder)/\(name)", "r") else { throw Failure(name) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// The samples of a card's WAV, whose header is right only after it was closed.
  func samples(_ card: String) throws -> [Int16] {
    let data = try bytes("\(card).wav").dropFirst(44)
    return stride(from: data.startIndex, to: data.endIndex - 1, by: 2).map {
      Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)
    }
  }

  // MARK: Events

  /// The card's next event; waits for it.
  func event(_ card: String) throws -> Event {
    guard let line = try logs[card]?.line() else { throw Failure("no card \(card)") }
    let words = line.split(separator: " ")
    guard words.count == 3, let time = Int64(words[0]), let frames = Int(words[2]) else {
      throw Failure("not an event: \(line)")
    }
    return Event(nanoseconds: time, name: String(words[1]), frames: frames)
  }

  /// The card's next event of that name; those before it are skipped.
  func event(_ card: String, _ name: String) throws -> Event {
    while true {
      let event = try event(card)
      if event.name == name { return event }
    }
  }

  // MARK: Building

  private static func build() -> String? {
    guard let folder = try? TemporaryFolder() else { return nil }
    let sources = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    for name in ["pcm_paced", "ctl_paced"] {
      let source = "/\(sources)/SoftwareCard/\(name).c"
      let arguments = ["-shared", "-fPIC", "-o", "\(folder.path)/\(name).so", source, "-lasound"]
      guard ["cc", "gcc", "clang"].contains(where: { run($0, arguments) == 0 }) else { return nil }
    }
    // They are needed until the process ends, and then nobody else removes them.
    built = folder
    atexit { SoftwareCard.built = nil }
    return folder.path
  }

  // Safe because it is set before the first card is made, and taken away at the process's end.
  nonisolated(unsafe) private static var built: TemporaryFolder?

  private static func run(_ program: String, _ arguments: [String]) -> Int32? {
    // Compilers look for their parts, and keep files for a moment.
    let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "TMPDIR": "/tmp"]
    return try? Program.run([program] + arguments, environment: environment).code
  }
}
