import Dispatch
import Glibc
import Synchronization
import Testing

@testable import SinkKit

@Suite("A wait for another thread", .timeLimit(.minutes(10)))
struct SelfPipeTests {
  @Test("is not ended by a signal, as that of a dying daemon in the middle of a sink's end")
  func interrupted() throws {
    let pipe = try #require(SelfPipe())
    let hasBegun = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    let mayGo = DispatchSemaphore(value: 0)
    let thread = Mutex<pthread_t?>(nil)
    let came = Mutex<Bool?>(nil)
    signal(SIGURG) { _ in }
    let isStarted = BackgroundThread.start {
      // Threads of a sink leave signals to others; this one is to get some.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGURG)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      thread.withLock { $0 = pthread_self() }
      hasBegun.signal()
      let result = pipe.wait(atMost: .seconds(60))
      came.withLock { $0 = result }
      hasEnded.signal()
      // Nobody may signal a thread that is gone.
      mayGo.wait()
    }
    try #require(isStarted)
    hasBegun.wait()
    let started = thread.withLock { $0 }
    let number = try #require(started)
    // One of so many finds it waiting.
    for _ in 0..<200 where came.withLock({ $0 == nil }) {
      pthread_kill(number, SIGURG)
      sched_yield()
    }
    pipe.signal()
    hasEnded.wait()
    mayGo.signal()
    let result = came.withLock { $0 }
    #expect(result == true)
  }

  @Test("ends when its time is over, and at once if the word came before")
  func limits() throws {
    let pipe = try #require(SelfPipe())
    #expect(!pipe.wait(atMost: .milliseconds(1)))
    pipe.signal()
    #expect(pipe.wait(atMost: .seconds(60)))
  }
}
