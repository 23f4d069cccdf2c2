import Glibc
import SinkKit
import Testing

@Suite("A program that a sink starts", .timeLimit(.minutes(10))) struct ChildProcessTests {
  private static let environment = ["PATH": "/usr/bin:/bin"]

  /// What it writes.
  private final class Output {
    let ends: PipeEnds
    let reading: CInt

    init() throws {
      ends = try #require(PipeEnds())
      reading = ends.takeRead()
    }

    deinit { close(reading) }

    /// What comes next; nothing at the end.
    func text() throws -> String {
      var wanted = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      try #require(poll(&wanted, 1, 20_000) == 1)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(reading, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    func closeWriting() { close(ends.takeWrite()) }
  }

  private func start(
    _ arguments: [String],
    _ output: Output,
    inOwnGroup: Bool = false
  ) throws -> ChildProcess {
    let child = try ChildProcess(
      arguments,
      environment: Self.environment,
      output: output.ends.writeEnd,
      error: output.ends.writeEnd,
      inOwnGroup: inOwnGroup
    )
    output.closeWriting()
    return child
  }

  @Test("has nothing of the sink but what it is given")
  func descriptors() throws {
    let output = try Output()
    // One that a program would inherit.
    let stray = dup(output.reading)
    defer { close(stray) }
    let script = "echo \"$0\" $HOME; readlink /proc/self/fd/0; exec ls /proc/self/fd"
    let child = try start(["sh", "-c", script, "$HOME *"], output)
    var all = ""
    while case let text = try output.text(), !text.isEmpty { all += text }
    // The last is the folder that ls reads.
    #expect(all == "$HOME *\n/dev/null\n0\n1\n2\n3\n")
    #expect(child.wait() == 0)
  }

  @Test("takes signals, whatever the thread that starts it blocks")
  func signals() throws {
    var blocked = sigset_t()
    var before = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let child = try start(["sh", "-c", "kill -TERM $$; exit 7"], try Output())
    #expect(child.wait() == -SIGTERM)
  }

  @Test("ends with a status, after which signals go nowhere")
  func status() throws {
    let child = try start(["sh", "-c", "exit 7"], try Output())
    #expect(child.wait() == 7)
    child.send(SIGKILL)
  }

  @Test("leads a group, so that what it starts is ended with it")
  func group() throws {
    let output = try Output()
    let child = try start(["sh", "-c", "sleep 60 & echo; wait"], output, inOwnGroup: true)
    #expect(try output.text() == "\n")
    child.send(SIGTERM)
    #expect(child.wait() == -SIGTERM)
    // The last one that could write is gone.
    #expect(try output.text() == "")
  }

  @Test("that is not there, or is none, is told")
  func missing() throws {
    for (name, code) in [("tocsin-is-nowhere", ENOENT), ("/etc/passwd", EACCES)] {
      do throws(ChildProcess.Failure) {
        _ = try ChildProcess(
          [name],
          environment: Self.environment,
          output: STDERR_FILENO,
          error: STDERR_FILENO,
          inOwnGroup: false
        )
        Issue.record("\(name) was started")
      } catch { #expect(error.code == code) }
    }
  }
}
