import Glibc
import SinkKit
import Testing

@testable import GPIOSink

@Suite("The program that says what comes next", .timeLimit(.minutes(10))) struct SayNextTests {
  /// A pipe whose path a program can write to.
  private struct Pipe {
    let read: CInt
    let write: CInt

    init() throws {
      var ends: [CInt] = [-1, -1]
      try #require(pipe(&ends) == 0)
      (read, write) = (ends[0], ends[1])
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    var path: String { "/proc/\(getpid())/fd/\(write)" }

    /// What was written, once something was.
    func text() throws -> String {
      var wanted = pollfd(fd: read, events: Int16(POLLIN), revents: 0)
      try #require(poll(&wanted, 1, 20_000) == 1)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = Glibc.read(read, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    func close() { for end in [read, write] { Glibc.close(end) } }
  }

  private func bench(_ program: String) throws -> Bench {
    try Bench([
      "led": "GPIO22", "button.say": "GPIO17", "button.say.press": "say-next",
      "say-next": program,
    ])
  }

  @Test("is run without a shell, its output kept from the protocol")
  func runs() throws {
    let pipe = try Pipe()
    defer { pipe.close() }
    let script = "readlink /proc/self/fd/0 > \(pipe.path); echo \"$0 $1\" > \(pipe.path)"
    let bench = try bench("sh -c '\(script)' '$HOME' '*'")
    bench.press()
    var text = try pipe.text()
    while !text.hasSuffix("*\n") { text += try pipe.text() }
    #expect(text == "/dev/null\n$HOME *\n")
    #expect(bench.intents == [])
  }

  @Test("is run once at a time, and ended with the sink")
  func once() throws {
    let pipe = try Pipe()
    defer { close(pipe.read) }
    let bench = try bench("sh -c 'exec 7>\(pipe.path); echo started >&7; exec sleep 60'")
    bench.press()
    #expect(try pipe.text() == "started\n")
    bench.letGo()
    bench.pass(1_000)
    bench.press()
    bench.pass(1_000)
    // An answer for the first press only.
    #expect(bench.wave("GPIO22") == "0- 0+ 80-")
    // It has the last writing end; when it ends, so does the pipe.
    close(pipe.write)
    bench.manual.end()
    #expect(try pipe.text() == "")
  }

  @Test("that is not there is told in the log, and can be tried again")
  func missing() throws {
    let bench = try bench("/nowhere/tocsin-says-next")
    for _ in 0..<2 {
      bench.press()
      var logs = bench.logs
      while logs.isEmpty {
        bench.manual.waitForWork()
        logs = bench.logs
      }
      #expect(logs == ["say-next: /nowhere/tocsin-says-next: No such file or directory"])
      bench.letGo()
      bench.pass(100)
    }
  }
}
