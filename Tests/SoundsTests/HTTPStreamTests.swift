import Glibc
import SinkKit
import Testing

@testable import Sounds

/// A server on this machine that serves as the path says.
final class StreamServer {
  private static let script = """
    import http.server, sys, threading
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            data = open(sys.argv[1], 'rb').read()
            if self.path == '/never':
                print('asked', flush=True)
                threading.Event().wait()
            self.send_response(404 if self.path == '/none' else 200)
            self.send_header('Content-Type', 'audio/mpeg')
            self.end_headers()
            self.wfile.write(data[:len(data) // 2] if self.path == '/short' else data)
        def log_message(self, *arguments): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  static let address = "127.0.0.1"

  private let process: DecoderProcess
  private var port = ""

  /// Serves a file.
  init(_ path: String) throws {
    let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    process = try DecoderProcess(
      ["python3", "-c", Self.script, path],
      environment: ["PATH": search]
    ) { _ in }
    port = try line()
  }

  deinit {
    process.send(SIGKILL)
    close(process.output)
    close(process.error)
  }

  func url(_ path: String) -> String { "http://\(Self.address):\(port)/\(path)" }

  /// The next line that it prints.
  func line() throws -> String {
    var text = ""
    while true {
      var wanted = pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)
      guard poll(&wanted, 1, 20_000) > 0 else { throw Scratch.Failure(what: "nothing came") }
      var byte: UInt8 = 0
      guard read(process.output, &byte, 1) == 1 else { throw Scratch.Failure(what: "no server") }
      if byte == UInt8(ascii: "\n") { return text }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
  }
}

@Suite(
  "A stream through mpg123",
  .timeLimit(.minutes(10)),
  .enabled(
    if: Command.exists("mpg123") && Command.exists("python3") && Command.soxWrites("mp3"),
    "needs mpg123, python3, and sox with libsox-fmt-mp3"
  )
)
struct HTTPStreamTests {
  private let scratch: Scratch
  private let bench: Bench
  private let server: StreamServer

  init() throws {
    scratch = try Scratch()
    bench = try Bench()
    try scratch.write("in.wav", Wave(rate: 44_100).sine(seconds: 2).bytes)
    let status = try Command.run(["sox", "-D", "in.wav", "x.mp3"], in: scratch.path)
    try #require(status == 0)
    server = try StreamServer("\(scratch.path)/x.mp3")
  }

  private func decoder(_ url: String) throws -> StreamDecoder {
    let arguments = ["mpg123", "-q", "-s", "--stereo", "-r", "{rate}", "{url}"]
    let search = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return try StreamDecoder(
      program: DecoderProgram(arguments),
      url: url,
      rate: 48_000,
      host: bench.host,
      environment: ["PATH": search]
    )
  }

  /// All that comes, read when the decoder says that there is something.
  private func play(_ url: String) throws -> (Sound, SoundError.Code?) {
    let decoder = try decoder(url)
    var sound = Sound(rate: 48_000, channels: 2, samples: [])
    var code: SoundError.Code?
    decoder.watch {
      switch decoder.take(8_192) {
      case .success(let samples): sound.samples += samples
      case .failure(let error): code = error.code
      case nil: break
      }
    }
    bench.wait("it ends") { code != nil }
    return (sound, code)
  }

  @Test("is heard at the asked rate, at the right pitch, and then ends")
  func plays() throws {
    let (sound, code) = try play(server.url("x.mp3"))
    #expect(code == .streamEnded)
    #expect((95_000...102_000).contains(sound.frames))
    for channel in 0...1 {
      var middle = sound
      middle.samples = Array(sound.samples[48_000..<144_000])
      let measure = Measure(middle, channel: channel)
      #expect(abs(measure.amplitude(of: 1_000) - 0.1) < 0.01)
      #expect(abs(measure.level + 23) < 1)
    }
  }

  @Test("that breaks off is heard until then")
  func short() throws {
    let (sound, code) = try play(server.url("short"))
    #expect(code != nil)
    #expect((30_000...70_000).contains(sound.frames))
  }

  @Test("that is refused or not there fails with the program's reason")
  func refused() throws {
    for url in ["http://\(StreamServer.address):1/x", server.url("none")] {
      let (sound, code) = try play(url)
      #expect(sound.frames == 0)
      guard case .streamFailed("mpg123", 1, let said)? = code else {
        Issue.record("\(url): \(String(describing: code))")
        return
      }
      #expect(said.contains("error"), "\(said)")
    }
  }

  @Test("that never answers is given up")
  func never() throws {
    let decoder = try decoder(server.url("never"))
    var calls = 0
    decoder.watch { calls += 1 }
    let line = try server.line()
    #expect(line == "asked")
    bench.manual.advance(by: .milliseconds(3_999))
    #expect(decoder.take(64) == nil)
    bench.manual.advance(by: .milliseconds(1))
    bench.manual.tick()
    #expect(calls == 1)
    guard case .failure(let error)? = decoder.take(64) else {
      Issue.record("it goes on")
      return
    }
    #expect(error.code == .streamSilent)
  }
}
