import Glibc
import SinkKit
import Testing

@testable import Sounds

@Suite("A stream through a program", .timeLimit(.minutes(10)))
struct StreamDecoderTests {
  private let bench: Bench
  private let url = "http://example.org/radio?a=1&b=2"

  init() throws { bench = try Bench() }

  /// A program of the shell that finds the URL as $1 and the rate as $2.
  private func decoder(_ script: String, url: String? = nil) throws -> StreamDecoder {
    let program = try DecoderProgram(["sh", "-c", script, "sh", "{url}", "{rate}"])
    return try StreamDecoder(
      program: program,
      url: url ?? self.url,
      rate: 44_100,
      host: bench.host,
      environment: ["PATH": "/usr/bin:/bin"]
    )
  }

  /// All its samples as bytes, and how it ended.
  private func drain(_ decoder: StreamDecoder, room: Int = 64) -> ([UInt8], SoundError.Code?) {
    var bytes: [UInt8] = []
    var code: SoundError.Code?
    var calls = 0
    decoder.watch { calls += 1 }
    bench.wait("it ends") {
      let before = calls
      while true {
        switch decoder.take(room) {
        case .success(let samples): bytes += samples.flatMap { Wave.le($0) }
        case .failure(let error):
          code = error.code
          return true
        case nil: return false
        }
        if before != calls { break }
      }
      return false
    }
    return (bytes, code)
  }

  private func text(_ script: String) throws -> String {
    let (bytes, _) = try drain(decoder(script))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("gives whole frames, whatever the pipe gives")
  func frames() throws {
    // Writes of one and three bytes; the last frame is not whole.
    let script = "for i in 1 2 3 4 5; do printf a; printf bcd; done; printf xyz"
    for room in [2, 3, 4, 64] {
      let (bytes, code) = try drain(decoder(script), room: room)
      #expect(String(decoding: bytes, as: UTF8.self) == "abcdabcdabcdabcdabcd")
      #expect(code == .streamEnded)
    }
  }

  @Test("gets the URL and the rate as arguments, and nothing is run by a shell")
  func arguments() throws {
    let (bytes, _) = try drain(decoder("printf '%s %s....' \"$1\" \"$2\""))
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("\(url) 44100"))
    let sly = "http://example.org/$(touch${IFS}x);{rate}'\"`x`"
    let (odd, _) = try drain(decoder("printf '%s....' \"$1\"", url: sly))
    #expect(String(decoding: odd, as: UTF8.self).hasPrefix(sly))
  }

  @Test("has no descriptors but its own, no input, and signals as they are by themselves")
  func clean() throws {
    let low = open("/dev/null", O_RDONLY)
    // Out of the way of what other tests open.
    let extra = fcntl(low, F_DUPFD, 200)
    defer { for descriptor in [low, extra] { close(descriptor) } }
    let list = try text("ls /proc/self/fd | tr '\\n' ' '; printf '........'")
    #expect(list.hasPrefix("0 1 2 "))
    #expect(!list.split(separator: " ").contains("\(extra)"))
    let input = try text("readlink /proc/self/fd/0; printf '........'")
    #expect(input.hasPrefix("/dev/null"))
    signal(SIGUSR2, SIG_IGN)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGUSR1)
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
    defer {
      signal(SIGUSR2, SIG_DFL)
      pthread_sigmask(SIG_UNBLOCK, &blocked, nil)
    }
    // The C library ignores 32 and 33, which are its own.
    for name in ["SigBlk", "SigIgn"] {
      let line = try text("grep \(name) /proc/self/status; printf '........'")
      let digits = line.drop { $0 != "\t" }.dropFirst().prefix { $0.isHexDigit }
      #expect(UInt64(digits, radix: 16).map { $0 & 0x7FFF_FFFF } == 0, "\(line)")
    }
    let group = try text("cut -d ' ' -f 5 /proc/self/stat; printf '........'")
    #expect(group.hasPrefix("\(getpgrp())\n"))
  }

  @Test("says with what it failed, in its own words")
  func failure() throws {
    let script = "echo first >&2; printf 'no \\033[1mroute\\007\\n\\n' >&2; exit 3"
    let (bytes, code) = try drain(decoder(script))
    #expect(bytes.isEmpty)
    #expect(code == .streamFailed("sh", 3, "no [1mroute"))
    let (_, signal) = try drain(decoder("kill -SEGV $$"))
    #expect(signal == .streamFailed("sh", -SIGSEGV, ""))
  }

  @Test("may say more than fits into a pipe")
  func talkative() throws {
    let script = "i=0; while [ $i -lt 3000 ]; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa$i >&2; "
    let (bytes, code) = try drain(decoder(script + "i=$((i+1)); done; printf abcd; exit 1"))
    #expect(bytes.count == 4)
    #expect(code == .streamFailed("sh", 1, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2999"))
  }

  @Test("is not there")
  func missing() {
    do throws(SoundError) {
      let program = try DecoderProgram(["no-such-decoder", "{url}"])
      _ = try StreamDecoder(
        program: program,
        url: url,
        rate: 8_000,
        host: bench.host,
        environment: [:]
      )
      Issue.record("it was started")
    } catch {
      #expect(error.code == .program("no-such-decoder", ENOENT))
      #expect(error.description.contains("install it"))
    }
  }

  @Test("is given up when nothing comes, and ends")
  func silence() throws {
    let decoder = try decoder("printf abcdefgh; exec sleep 1000")
    bench.wait("its first frames") {
      if case .success(let samples)? = decoder.take(2) { samples.count == 2 } else { false }
    }
    var calls = 0
    decoder.watch { calls += 1 }
    // The second frame waits to be read: that is no silence.
    bench.manual.advance(by: .seconds(60))
    #expect(decoder.descriptor >= 0)
    _ = decoder.take(2)
    #expect(decoder.take(2) == nil)
    bench.manual.advance(by: .seconds(3))
    #expect(decoder.take(2) == nil)
    bench.manual.advance(by: .seconds(5))
    bench.manual.tick()
    #expect(calls > 0)
    guard case .failure(let error)? = decoder.take(2) else {
      Issue.record("it goes on")
      return
    }
    #expect(error.code == .streamSilent)
  }

  @Test("whose output is over is not waited for")
  func closed() throws {
    let decoder = try decoder("printf abcd; exec >/dev/null 2>&1; exec sleep 1000")
    var calls = 0
    decoder.watch { calls += 1 }
    bench.wait("its output ends") {
      while case .success? = decoder.take(64) {}
      return decoder.descriptor == -1
    }
    #expect(decoder.take(64) == nil)
    bench.manual.advance(by: .seconds(1))
    bench.wait("it ends") { decoder.take(64) != nil }
    bench.manual.tick()
    #expect(decoder.take(64) == .failure(SoundError(.streamFailed("sh", -SIGKILL, ""), url)))
    #expect(calls > 0)
    #expect(bench.manual.nextWake == nil)
  }

  /// Starts a script, which first gives its number, and waits for that.
  private func numbered(_ script: String) throws -> (StreamDecoder, pid_t) {
    let decoder = try decoder("printf '%08d' $$; " + script)
    var digits: [UInt8] = []
    bench.wait("its number") {
      if case .success(let samples)? = decoder.take(4 - digits.count / 2) {
        digits += samples.flatMap { Wave.le($0) }
      }
      return digits.count == 8
    }
    return (decoder, try #require(pid_t(String(decoding: digits, as: UTF8.self))))
  }

  /// Whether there is neither such a process nor what is left of one.
  private func isGone(_ process: pid_t) -> Bool { kill(process, 0) != 0 && errno == ESRCH }

  @Test("ends when told, also one that does not want to, and leaves no zombie")
  func stop() throws {
    for script in ["exec sleep 1000", "trap '' TERM; printf abcd; exec sleep 1000"] {
      let (decoder, child) = try numbered(script)
      if script.hasPrefix("trap") {
        bench.wait("it has set its trap") {
          if case .success? = decoder.take(2) { true } else { false }
        }
      }
      #expect(!isGone(child))
      decoder.stop()
      #expect(decoder.descriptor == -1)
      bench.manual.advance(by: .seconds(1))
      bench.wait("\(child) is gone") { isGone(child) }
      bench.wait("no timer is left") { bench.manual.nextWake == nil }
      guard case .failure(let error)? = decoder.take(2) else {
        Issue.record("it goes on")
        return
      }
      #expect(error.code == .stopped)
    }
  }

  @Test("ends with its owner")
  func release() throws {
    var decoder: StreamDecoder?
    let child: pid_t
    (decoder, child) = try numbered("trap '' TERM; exec sleep 1000")
    #expect(decoder != nil && !isGone(child))
    decoder = nil
    bench.wait("\(child) is gone") { isGone(child) }
    #expect(bench.manual.nextWake == nil)
  }

  @Test("takes no URL but http and https")
  func urls() throws {
    let good = ["http://a", "HTTPS://example.org:8000/x?y#z", "http://[::1]/ü"]
    let bad = [
      "", "-r", "file:///etc/passwd", "http:/a", "http://", "https:///x", "http://?x",
      "http://a b", "http://a\n-x", "http://a\u{7F}", "ftp://a", "httpx://a", " http://a",
      "http://a\0b",
    ]
    for url in good { #expect(DecoderProgram.isStream(url), "\(url)") }
    for url in bad { #expect(!DecoderProgram.isStream(url), "\(url)") }
    #expect(throws: SoundError.self) { try decoder("true", url: "file:///etc/passwd") }
  }

  @Test("is a program with a place for the URL")
  func programs() throws {
    for bad in [[], [""], ["mpg123"], ["{url}"], ["{url}", "x"], ["mpg123", "{URL}"]] {
      #expect(throws: SoundError.self) { try DecoderProgram(bad) }
    }
    let program = try DecoderProgram(["a", "--in={url}", "{rate}Hz{", "{x}"])
    let arguments = try program.arguments(url: "http://{rate}/{url}", rate: 8_000)
    #expect(arguments == ["a", "--in=http://{rate}/{url}", "8000Hz{", "{x}"])
  }
}

extension StreamDecoder {
  /// Up to so many samples, or the end; nil if there is nothing now.
  func take(_ room: Int) -> Result<[Int16], SoundError>? {
    var samples = [Int16](repeating: 0, count: room)
    switch samples.withUnsafeMutableBufferPointer({ read(into: $0) }) {
    case .frames(let count): return .success(Array(samples[..<(count * 2)]))
    case .nothing: return nil
    case .ended(let error): return .failure(error)
    }
  }
}
