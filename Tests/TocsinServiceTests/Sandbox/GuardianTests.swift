import CLinux
import Foundation
import Glibc
import Testing

@testable import TocsinService

/// A shell that does not mind SIGTERM, with a child of the same kind; both hold its output open.
private final class Stubborn {
  let child: Child
  private let input: Int32
  private let output: Int32

  init() throws {
    var ends: [Int32] = [0, 0, 0, 0]
    guard tocsin_pipe(&ends) == 0 else { throw SystemError("pipe2") }
    let (inputOfChild, input) = (ends[0], ends[1])
    guard tocsin_pipe(&ends) == 0 else { throw SystemError("pipe2") }
    let (output, outputOfChild) = (ends[0], ends[1])
    for descriptor in [inputOfChild, input, output, outputOfChild] {
      _ = fcntl(descriptor, F_SETFL, 0)
    }
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    child = try Child(
      path: "/bin/sh",
      arguments: [
        "sh", "-c", "trap '' TERM; /bin/sleep 1000 & while read -r line; do echo $line; done",
      ],
      environment: ["PATH": "/usr/bin:/bin"],
      streams: [inputOfChild, outputOfChild, null]
    )
    for descriptor in [inputOfChild, outputOfChild, null] { close(descriptor) }
    (self.input, self.output) = (input, output)
  }

  deinit {
    child.signalGroup(SIGKILL)
    _ = child.reap()
    close(input)
    close(output)
  }

  /// Whether it answers; false once all of its group are gone.
  var answers: Bool {
    _ = write(input, "x\n", 2)
    var bytes = [UInt8](repeating: 0, count: 2)
    return read(output, &bytes, 2) == 2
  }

  /// Whether nobody holds its output any more, sooner or later.
  var isLeftAlone: Bool {
    var byte: UInt8 = 0
    var event = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    while poll(&event, 1, 20_000) == 1 {
      if read(output, &byte, 1) <= 0 { return true }
    }
    return false
  }
}

@Suite("The guardian", .timeLimit(.minutes(10)))
struct GuardianTests {
  init() {
    SignalSource.ignoreBrokenPipes()
  }

  @Test("ends what is left when its owner is gone, and nothing that ended before")
  func ends() throws {
    let (left, freed) = (try Stubborn(), try Stubborn())
    #expect(left.answers && freed.answers)
    var guardian: Guardian? = Guardian { _, text in Issue.record("\(text)") }
    guardian?.add(left.child.pid)
    guardian?.add(freed.child.pid)
    guardian?.remove(freed.child.pid)
    #expect(left.answers)
    guardian = nil
    #expect(left.isLeftAlone)
    #expect(freed.answers)
  }

  @Test("ends what a plugin leaves behind as soon as the plugin itself has ended")
  func orphans() throws {
    let left = try Stubborn()
    #expect(left.answers)
    var guardian: Guardian? = Guardian { _, text in Issue.record("\(text)") }
    guardian?.add(left.child.pid)
    kill(left.child.pid, SIGKILL)
    guardian = nil
    #expect(left.isLeftAlone)
  }

  @Test("is replaced when somebody has killed it, and knows as much as the one before")
  func replaced() throws {
    let (first, second) = (try Stubborn(), try Stubborn())
    var guardian: Guardian? = Guardian { _, text in Issue.record("\(text)") }
    guardian?.add(first.child.pid)
    let pipe = try #require(guardian?.pipe)
    // It is there before it has its name.
    var pid: pid_t?
    while pid == nil { pid = process(readingFrom: pipe) }
    kill(try #require(pid), SIGKILL)
    // Writing is an error once nobody can read.
    var event = pollfd(fd: pipe, events: 0, revents: 0)
    poll(&event, 1, -1)
    guardian?.add(second.child.pid)
    guardian = nil
    #expect(first.isLeftAlone)
    #expect(second.isLeftAlone)
  }

  /// The guardian at the other end of a pipe.
  private func process(readingFrom pipe: Int32) -> pid_t? {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(pipe)")
    return directoryNames("/proc").compactMap(pid_t.init).first { pid in
      guard (try? readName(pid)) == "tocsin-guard\n" else { return false }
      let end = "/proc/\(pid)/fd/0"
      return (try? FileManager.default.destinationOfSymbolicLink(atPath: end)) == link
    }
  }

  private func readName(_ pid: pid_t) throws -> String {
    try String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
  }
}
