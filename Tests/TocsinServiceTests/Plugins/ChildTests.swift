import CLinux
import Foundation
import Glibc
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinService

@Suite("A child process", .timeLimit(.minutes(10)))
struct ChildTests {
  @Test(
    "is told to end when the thread that started it ends, whoever it became",
    arguments: geteuid() == 0 ? [false, true] : [false]
  )
  func parentGone(asNobody: Bool) throws {
    var ends: [Int32] = [0, 0]
    #expect(tocsin_pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    _ = fcntl(reading, F_SETFL, 0)
    // Nothing is ever written to what the child reads.
    var silence: [Int32] = [0, 0]
    #expect(tocsin_pipe(&silence) == 0)
    _ = fcntl(silence[0], F_SETFL, 0)
    var thread = pthread_t()
    let argument = UnsafeMutablePointer<Int32>.allocate(capacity: 3)
    argument[0] = silence[0]
    argument[1] = writing
    argument[2] = asNobody ? 1 : 0
    pthread_create(&thread, nil, startAndLeave, argument)
    pthread_join(thread, nil)
    close(writing)
    var text: [UInt8] = []
    var byte: UInt8 = 0
    while read(reading, &byte, 1) == 1 { text.append(byte) }
    #expect(String(decoding: text, as: UTF8.self) == "up\nterm\n")
    for descriptor in [reading] + silence { close(descriptor) }
    argument.deallocate()
  }

  @Test(
    "is ended before its parent when memory runs out, whoever it became and whatever is hidden",
    arguments: geteuid() == 0 ? [false, true] : [false],
    [false, true]
  )
  func memoryShortage(asNobody: Bool, hides: Bool) throws {
    var confinement = Confinement()
    if asNobody { confinement.account = try Account(named: "nobody") }
    if hides { confinement.hidden = .files(["/etc/hostname"]) }
    let own = try readSmallFile("/proc/self/oom_score_adj").filter { !$0.isWhitespace }
    let wanted = MemoryShortage.standing(besideDaemonAt: try #require(Int(own)))
    let seen = standingOfChild(confinement)
    // Some containers let nobody hide anything.
    #expect(seen == "\(wanted)\n" || (hides && seen == Child.hiding))
  }

  @Test("stands worse than its parent when memory runs out, and never better than other programs")
  func standing() {
    #expect(MemoryShortage.standing(besideDaemonAt: -1000) == 0)
    #expect(MemoryShortage.standing(besideDaemonAt: -1) == 0)
    #expect(MemoryShortage.standing(besideDaemonAt: 0) == 100)
    #expect(MemoryShortage.standing(besideDaemonAt: 200) == 300)
    #expect(MemoryShortage.standing(besideDaemonAt: 1000) == 1000)
  }

  @Test("that cannot be executed is an error that names the step, and leaves no process")
  func failure() {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    #expect(throws: SystemError("execve", "/nonexistent", code: ENOENT)) {
      _ = try Child(
        path: "/nonexistent",
        arguments: ["x"],
        environment: [:],
        streams: [null, null, null]
      )
    }
    #expect(throws: SystemError("dup2", "/bin/true", code: EBADF)) {
      _ = try Child(
        path: "/bin/true",
        arguments: ["x"],
        environment: [:],
        streams: [null, null, 9_999]
      )
    }
  }
}

/// What a child reads of its own standing, once it is told to look, for it is set from outside; or the
/// step that failed.
private func standingOfChild(_ confinement: Confinement) -> String {
  var output: [Int32] = [0, 0]
  var start: [Int32] = [0, 0]
  tocsin_pipe(&output)
  tocsin_pipe(&start)
  defer { for descriptor in [output[0], start[0]] { close(descriptor) } }
  _ = fcntl(output[0], F_SETFL, 0)
  _ = fcntl(start[0], F_SETFL, 0)
  var text: [UInt8] = []
  do {
    let child = try Child(
      path: "/bin/sh",
      arguments: ["sh", "-c", "read x; read y </proc/self/oom_score_adj; echo $y"],
      environment: [:],
      confinement: confinement,
      streams: [start[0], output[1], output[1]]
    )
    close(output[1])
    write(start[1], "\n", 1)
    close(start[1])
    var byte: UInt8 = 0
    while read(output[0], &byte, 1) == 1 { text.append(byte) }
    _ = child.reap()
  } catch {
    return error.operation
  }
  return String(decoding: text, as: UTF8.self)
}

/// Starts a child, waits until it is up, and ends its thread.
private func startAndLeave(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let descriptors = argument?.assumingMemoryBound(to: Int32.self) else { return nil }
  var ends: [Int32] = [0, 0]
  tocsin_pipe(&ends)
  _ = fcntl(ends[0], F_SETFL, 0)
  do {
    var confinement = Confinement()
    if descriptors[2] == 1 { confinement.account = try Account(named: "nobody") }
    _ = try Child(
      path: "/bin/sh",
      arguments: [
        "sh", "-c",
        "trap 'echo term; exit' TERM; echo up; echo up >&3; exec 3>&-; read x",
      ],
      environment: [:],
      confinement: confinement,
      streams: [descriptors[0], descriptors[1], descriptors[0], ends[1]]
    )
    var byte: UInt8 = 0
    read(ends[0], &byte, 1)
  } catch {
    Issue.record(error)
  }
  close(ends[0])
  close(ends[1])
  return nil
}
