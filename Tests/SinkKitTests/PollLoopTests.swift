import Foundation
import SinkTesting
import Testing

@testable import SinkKit

@Suite(.timeLimit(.minutes(10))) struct PollLoopTests {
  private func bench() throws -> ManualSinkHost<RecordingSink> {
    try ManualSinkHost<RecordingSink>(now: Sample.seven)
  }

  private final class Log {
    var lines: [String] = []
  }

  @Test("Timers run exactly when due, in order, also those set by timers")
  func wakes() throws {
    let bench = try bench()
    let log = Log()
    bench.host.wake(after: .seconds(2)) { log.lines.append("two at \(bench.elapsed)") }
    bench.host.wake(after: .seconds(1)) {
      log.lines.append("one at \(bench.elapsed)")
      bench.host.wake(after: .milliseconds(500)) { log.lines.append("then at \(bench.elapsed)") }
    }
    let never = bench.host.wake(after: .seconds(1)) { log.lines.append("never") }
    bench.host.cancel(never)
    #expect(bench.nextWake == .seconds(1))
    bench.advance(by: .milliseconds(999))
    #expect(log.lines.isEmpty)
    bench.advance(by: .seconds(9))
    #expect(
      log.lines == [
        "one at 1.0 seconds", "then at 1.5 seconds", "two at 2.0 seconds",
      ]
    )
    #expect(bench.nextWake == nil)
    #expect(bench.now == Sample.seven + .milliseconds(9_999))
  }

  @Test("A step of the wall clock moves no timer")
  func step() throws {
    let bench = try bench()
    bench.host.wake(after: .seconds(5)) {}
    bench.stepClock(by: .seconds(-3600))
    #expect(bench.nextWake == .seconds(5))
    #expect(bench.now == Sample.seven + .seconds(-3600))
  }

  @Test("A watch runs while there is something to read, and not after it was cancelled")
  func watch() throws {
    let bench = try bench()
    let log = Log()
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let watch = bench.host.watch(descriptor, for: .readable) { events in
      log.lines.append("\(events == .readable)")
    }
    bench.tick()
    pipe.fileHandleForWriting.write(Data([1]))
    bench.tick()
    bench.tick()
    bench.host.cancel(watch)
    bench.tick()
    #expect(log.lines == ["true", "true"])
  }

  @Test("A watched descriptor that was closed is told once and then let go")
  func closedDescriptor() throws {
    let bench = try bench()
    let log = Log()
    bench.host.watch(9_999, for: .readable) { _ in log.lines.append("bad") }
    bench.tick()
    bench.tick()
    #expect(log.lines == ["bad"])
  }

  /// A library with two descriptors and a timeout of its own.
  private final class Library: PollSource {
    let descriptors: [CInt]
    var timeout: Duration?
    var seen: [[Bool]] = []

    init(_ descriptors: [CInt]) { self.descriptors = descriptors }

    func prepare() -> (descriptors: [pollfd], timeout: Duration?) {
      (descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }, timeout)
    }

    func dispatch(_ descriptors: ArraySlice<pollfd>) {
      seen.append(descriptors.map { $0.revents != 0 })
    }
  }

  @Test("A source gets all its descriptors back after each wait, beside other watches")
  func source() throws {
    let pipes = [Pipe(), Pipe(), Pipe()]
    // Open to the end, also where the optimizer lets go of what is used no more.
    defer { withExtendedLifetime(pipes) {} }
    let ends = pipes.map { $0.fileHandleForReading.fileDescriptor }
    let host = try EmbeddedSinkHost<RecordingSink>(name: "x") { _ in }
    let library = Library([ends[1], ends[2]])
    host.host.watch(ends[0], for: .readable) { _ in }
    let token = host.host.attach(library)
    pipes[2].fileHandleForWriting.write(Data([1]))
    var descriptors: [pollfd] = []
    host.appendDescriptors(to: &descriptors)
    #expect(descriptors.map(\.fd) == ends)
    #expect(host.timeoutMilliseconds() == -1)
    library.timeout = .microseconds(1_500)
    #expect(host.timeoutMilliseconds() == 2)
    host.tick()
    #expect(library.seen == [[false, true]])
    host.host.cancel(token)
    host.tick()
    #expect(library.seen.count == 1)
  }

  @Test("A thread comes back to the sink on the sink's own thread, in order")
  func mailbox() throws {
    let bench = try bench()
    let mailbox = bench.host.mailbox(for: bench.sink)
    let thread = Thread {
      for number in 1...3 { mailbox.perform { $0.calls.append("mail \(number)") } }
    }
    thread.start()
    while bench.sink.calls.count < 3 { bench.waitForWork() }
    #expect(bench.sink.calls == ["mail 1", "mail 2", "mail 3"])
    bench.end()
    mailbox.perform { $0.calls.append("too late") }
    bench.tick()
    #expect(bench.sink.calls == ["mail 1", "mail 2", "mail 3", "end"])
  }

  @Test(
    "A wait is rounded up to milliseconds",
    arguments: [
      (nil, -1), (.zero, 0), (.seconds(-1), 0), (.nanoseconds(1), 1), (.microseconds(1_001), 2),
      (.seconds(3), 3_000), (.seconds(1 << 40), CInt.max),
    ] as [(Duration?, CInt)]
  )
  func rounding(timeout: Duration?, expected: CInt) {
    #expect(PollLoop.milliseconds(timeout) == expected)
  }
}
