import Glibc
import SinkKit
import Testing

@Suite("A thread of its own")
struct BackgroundThreadTests {
  @Test("takes no signals, and leaves those of others as they are")
  func signals() throws {
    // The thread of a test may block them all by itself.
    let signals = [SIGTERM, SIGINT, SIGHUP, SIGCHLD]
    var free = sigset_t()
    var before = sigset_t()
    sigemptyset(&free)
    for signal in signals { sigaddset(&free, signal) }
    pthread_sigmask(SIG_UNBLOCK, &free, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var ends: [CInt] = [-1, -1]
    pipe(&ends)
    let output = ends[1]
    defer { for end in ends { close(end) } }
    let isStarted = BackgroundThread.start {
      var blocked = sigset_t()
      pthread_sigmask(SIG_SETMASK, nil, &blocked)
      var bytes = signals.map { UInt8(sigismember(&blocked, $0)) }
      write(output, &bytes, bytes.count)
    }
    #expect(isStarted)
    var bytes = [UInt8](repeating: 0, count: 4)
    let count = read(ends[0], &bytes, 4)
    #expect(count == 4)
    #expect(bytes == [1, 1, 1, 1])
    var after = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &after)
    for signal in signals { #expect(sigismember(&after, signal) == 0) }
  }
}
