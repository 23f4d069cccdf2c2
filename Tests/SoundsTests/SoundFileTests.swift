import Glibc
import ProcessTesting
import Testing

@testable import Sounds

@Suite("A sound file", .timeLimit(.minutes(10)))
struct SoundFileTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func code(_ path: String) -> SoundError.Code? {
    do throws(SoundError) {
      _ = try SoundFile.decode(path)
      return nil
    } catch {
      return error.code
    }
  }

  /// One second of a sine in a format, made by a program from a WAVE file.
  private func make(_ name: String, _ command: [String]) throws -> String {
    try scratch.write("in.wav", Wave(channels: 2, rate: 48_000).sine().bytes)
    let status = try Command.run(command, in: scratch.path)
    try #require(status == 0, "\(command)")
    return "\(scratch.path)/\(name)"
  }

  /// A name that says nothing, or the wrong thing.
  private func check(_ path: String, frames: ClosedRange<Int> = 48_000...48_000) throws {
    let renamed = "\(scratch.path)/renamed.wav"
    for name in [path, renamed] {
      if name == renamed { rename(path, renamed) }
      let sound = try SoundFile.decode(name)
      #expect(sound.rate == 48_000)
      #expect(sound.channels == 2)
      #expect(frames.contains(sound.frames))
      for channel in 0...1 {
        let measure = Measure(sound, channel: channel)
        #expect(abs(measure.level + 23) < 1)
        #expect(abs(measure.amplitude(of: 1_000) - 0.1) < 0.01)
        #expect(measure.amplitude(of: 2_000) < 0.01)
      }
    }
  }

  static let sox = ["x.aiff", "x.aifc", "x.au", "x.flac", "x.ogg", "x.caf", "x.w64"]

  @Test(
    "is played from every format that sox writes",
    .enabled(
      if: Command.soxWrites("flac") && Command.soxWrites("ogg"),
      "needs sox with libsox-fmt-base"
    ),
    arguments: sox
  )
  func formats(name: String) throws {
    try check(make(name, ["sox", "-D", "in.wav", name]))
  }

  @Test(
    "is played from MP3, which adds a little silence",
    .enabled(if: Command.soxWrites("mp3"), "needs sox with libsox-fmt-mp3")
  )
  func mp3() throws {
    try check(make("x.mp3", ["sox", "-D", "in.wav", "x.mp3"]), frames: 48_000...51_000)
  }

  @Test("is played from Opus", .enabled(if: Command.exists("opusenc"), "needs opus-tools"))
  func opus() throws {
    try check(make("x.opus", ["opusenc", "--quiet", "in.wav", "x.opus"]))
  }

  @Test("is not read through from end to end before it is played")
  func window() throws {
    let limit = FileWindow.compressedLimit
    let cases: [(String, Int64)] = [
      ("ID3\u{3}", limit), ("OggS", limit), ("\u{7F}", 1 << 30), ("RIFF", 1 << 30),
      ("fLaC", 1 << 30),
    ]
    for (head, length) in cases {
      let path = try scratch.write("x", head)
      truncate(path, 1 << 30)
      let seen = FileWindow(try RegularFile(path), repairs: []).length
      #expect(seen == length, "\(head)")
    }
    let bare = try scratch.write("y", [0xFF, 0xFB, 0x90, 0x64])
    truncate(bare, 1 << 30)
    let seen = FileWindow(try RegularFile(bare), repairs: []).length
    #expect(seen == limit)
  }

  @Test(
    "is played though junk follows",
    .enabled(if: Command.soxWrites("mp3"), "needs sox with libsox-fmt-mp3")
  )
  func junk() throws {
    let path = try make("x.mp3", ["sox", "-D", "in.wav", "x.mp3"])
    truncate(path, 1 << 20)
    let sound = try SoundFile.decode(path)
    #expect((46_000...51_000).contains(sound.frames))
  }

  @Test("of a gigabyte of nothing takes neither time nor memory")
  func sparse() throws {
    let empty = try scratch.write("x.wav", "")
    truncate(empty, 1 << 30)
    #expect(code(empty) == .notSound)
    // With a header, at the largest frame there is for so many bytes.
    var wave = Wave(rate: 8_000, container: 8, bits: 8)
    wave.dataSize = 0xFFFF_FFFF
    let huge = try scratch.write("y.wav", wave.bytes)
    truncate(huge, 1 << 30)
    let sound = try SoundFile.decode(huge)
    #expect(sound.frames == 8_000 * SoundFile.secondsLimit)
  }

  @Test("that is something else is refused by what is in it")
  func others() throws {
    let text = "Wake up, it is morning".utf16.map { Wave.le($0) }
    let utf16: [UInt8] = [0xFF, 0xFE] + text.joined()
    let junk = String(repeating: "x", count: 90)
    let files: [(String, [UInt8])] = [
      ("a.wav", Array("plain text\n".utf8)),
      ("b.mp3", utf16),
      ("c.mp3", Array("bad".utf8)),
      ("d.ogg", Array("OggS\(junk)".utf8)),
      ("e.flac", Array("fLaC\(junk)".utf8)),
      ("f.raw", [UInt8](repeating: 5, count: 9_000)),
    ]
    for (name, bytes) in files {
      let path = try scratch.write(name, bytes)
      #expect(code(path) == .notSound, "\(name)")
    }
    let empty = try scratch.write("g.wav", "")
    #expect(code(empty) == .empty)
    #expect(code(scratch.folder("h.wav")) == .isFolder)
    #expect(code("\(scratch.path)/none.wav") == .unreadable(ENOENT))
    #expect(code("/proc/self/mem/x.wav") == .unreadable(ENOTDIR))
  }

  @Test("is never a pipe, a socket or a device, on which one might wait")
  func special() throws {
    let fifo = "\(scratch.path)/fifo.wav"
    mkfifo(fifo, 0o600)
    #expect(code(fifo) == .notRegular)
    #expect(code("/dev/zero") == .notRegular)
    #expect(code("/dev/tty") == .notRegular)
    let link = "\(scratch.path)/link.wav"
    symlink("/dev/null", link)
    #expect(code(link) == .notRegular)
  }

  @Test("that nobody may read", .enabled(if: geteuid() != 0, "root may read everything"))
  func forbidden() throws {
    let path = try scratch.write("x.wav", Wave().sine().bytes)
    chmod(path, 0)
    #expect(code(path) == .unreadable(EACCES))
  }

  @Test("that is refused is named, with what can be done")
  func words() throws {
    let path = try scratch.write("a.wav", "plain text\n")
    #expect(
      SoundError(.notSound, path).description
        == "\(path) is no sound that can be read; WAV, AIFF, FLAC, Ogg Vorbis, Ogg Opus and MP3 "
        + "can, so convert it to one of them"
    )
    for number in [ENOENT, EACCES, EIO] {
      let text = SoundError(.unreadable(number), path).description
      #expect(text.hasPrefix(path) && text.contains("; "), "\(text)")
    }
  }

  @Test("of WAVE may be cut and broken anywhere")
  func brokenWave() throws {
    for subformat: UInt16? in [nil, 1] {
      let wave = Wave(channels: 2, subformat: subformat).sine(seconds: 0.1)
      try breakUp(scratch.write("x.wav", wave.bytes))
    }
  }

  static let breakable = ["x.flac", "x.ogg", "x.aiff"]

  @Test(
    "may be cut and broken anywhere",
    .enabled(
      if: Command.soxWrites("flac") && Command.soxWrites("ogg"),
      "needs sox with libsox-fmt-base"
    ),
    arguments: breakable
  )
  func broken(name: String) throws {
    // Noise fills many blocks, and some of them stay whole.
    let noise = ["-n", "-r", "48000", "-c", "2", name, "synth", "3", "pinknoise"]
    try breakUp(make(name, ["sox", "-D"] + noise))
  }

  /// Decodes parts of a file with some bytes changed: whatever comes is sound or an error.
  private func breakUp(_ path: String) throws {
    var generator = SeededGenerator(state: 7)
    let file = try RegularFile(path)
    let whole = file.bytes(at: 0, count: Int(file.length))
    var sounds = 0
    for _ in 0..<60 {
      var bytes = Array(whole[..<Int.random(in: 1...whole.count, using: &generator)])
      for _ in 0..<Int.random(in: 0...8, using: &generator) {
        // Mostly in the header, where it hurts.
        let end = Bool.random(using: &generator) ? min(200, bytes.count) : bytes.count
        let index = Int.random(in: 0..<end, using: &generator)
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
      let path = try scratch.write("broken", bytes)
      guard let sound = try? SoundFile.decode(path) else { continue }
      sounds += 1
      #expect((1...2).contains(sound.channels))
      #expect(SoundFile.rates.contains(sound.rate))
      #expect(sound.frames > 0 && sound.frames <= SoundFile.framesLimit)
    }
    #expect((1..<60).contains(sounds))
  }
}
