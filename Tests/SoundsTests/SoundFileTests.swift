import Glibc
import Testing

@testable import Sounds

@Suite("A sound file", .timeLimit(.minutes(1)))
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
    .enabled(if: Command.exists("sox"), "needs sox"),
    arguments: sox
  )
  func formats(name: String) throws {
    try check(make(name, ["sox", "-D", "in.wav", name]))
  }

  @Test(
    "is played from MP3, which adds a little silence",
    .enabled(if: Command.writesMP3, "needs sox with libsox-fmt-mp3")
  )
  func mp3() throws {
    try check(make("x.mp3", ["sox", "-D", "in.wav", "x.mp3"]), frames: 48_000...51_000)
  }

  @Test("is played from Opus", .enabled(if: Command.exists("opusenc"), "needs opus-tools"))
  func opus() throws {
    try check(make("x.opus", ["opusenc", "--quiet", "in.wav", "x.opus"]))
  }

  @Test(
    "is played though a long MP3 is not read through first",
    .enabled(if: Command.writesMP3, "needs sox with libsox-fmt-mp3")
  )
  func longMP3() throws {
    let path = try make("x.mp3", ["sox", "-D", "in.wav", "x.mp3"])
    // The rest of a gigabyte is never looked at, or this would take long.
    truncate(path, 1 << 30)
    let sound = try SoundFile.decode(path)
    #expect((48_000...51_000).contains(sound.frames))
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

  @Test("may be cut and broken anywhere", .enabled(if: Command.exists("sox"), "needs sox"))
  func broken() throws {
    var generator = SplitMix(state: 7)
    for name in ["in.wav", "x.flac", "x.ogg", "x.aiff"] {
      let path = name == "in.wav" ? nil : try make(name, ["sox", "-D", "in.wav", name])
      if path == nil { try scratch.write(name, Wave(subformat: 1).sine(seconds: 0.1).bytes) }
      let file = try RegularFile("\(scratch.path)/\(name)")
      let whole = file.bytes(at: 0, count: Int(file.length))
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
        #expect((1...2).contains(sound.channels))
        #expect(SoundFile.rates.contains(sound.rate))
        #expect(sound.frames > 0 && sound.frames <= SoundFile.framesLimit)
      }
    }
  }
}

/// Numbers that are the same each time.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
