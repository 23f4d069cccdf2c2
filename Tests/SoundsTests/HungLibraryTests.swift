import Glibc
import Synchronization
import Testing

@testable import Sounds

/// A disk on which some files never come.
final class HungReader: SoundReader {
  private let gate = Gate()
  private let count = Mutex(0)

  /// How many reads hang or have hung.
  var hung: Int { count.withLock { $0 } }

  /// Lets all go on.
  func open() { gate.open() }

  func read(_ choice: SoundChoice, known: SoundOrigin?) throws(SoundError) -> ReadSound? {
    if choice.description.hasPrefix("/hung/") {
      count.withLock { $0 += 1 }
      gate.wait()
    }
    return ReadSound(
      sound: Sound(rate: 8_000, channels: 1, samples: [1]),
      origin: SoundOrigin(path: choice.description, folder: nil, identity: nil)
    )
  }
}

/// Something that threads wait for.
final class Gate: Sendable {
  private let ends: (read: CInt, write: CInt)
  private let isOpen = Mutex(false)

  init() {
    var ends: [CInt] = [-1, -1]
    pipe(&ends)
    self.ends = (ends[0], ends[1])
  }

  deinit {
    open()
    close(ends.read)
  }

  /// Lets all go on; the second time nothing is left to close, and the number may be another's.
  func open() {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = true }
      return !isOpen
    }
    if isFirst { close(ends.write) }
  }

  func wait() {
    var wanted = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
    poll(&wanted, 1, 60_000)
  }
}

@Suite("A library whose disk hangs", .timeLimit(.minutes(10)))
struct HungLibraryTests {
  private let bench: Bench
  private let reader = HungReader()
  private let library: SoundLibrary

  init() throws {
    bench = try Bench()
    library = SoundLibrary(host: bench.host, reader: reader, patience: .seconds(5))
  }

  private func choice(_ index: Int) -> SoundChoice { .path("/hung/\(index)") }

  private func isReady(_ choice: SoundChoice) -> Bool {
    if case .ready = library.state(of: choice) { true } else { false }
  }

  private func code(_ choice: SoundChoice) -> SoundError.Code? {
    if case .failed(let error) = library.state(of: choice) { error.code } else { nil }
  }

  private func wait(hung count: Int) {
    bench.wait("\(count) hang") { reader.hung == count }
    bench.manual.tick()
  }

  @Test("gives up after some seconds, and takes it all the same when it comes")
  func givesUp() {
    var changes: [SoundChoice] = []
    library.onChange = { changes.append($0) }
    library.prepare(choice(1))
    wait(hung: 1)
    bench.manual.advance(by: .milliseconds(4_999))
    #expect(library.state(of: choice(1)) == .loading)
    bench.manual.advance(by: .milliseconds(1))
    #expect(code(choice(1)) == .tooSlow)
    // Asking again makes no second thread for the same file.
    for _ in 0..<10 { library.prepare(choice(1)) }
    bench.manual.advance(by: .seconds(60))
    #expect(library.threadCount == 1)
    #expect(code(choice(1)) == .tooSlow)
    #expect(bench.manual.nextWake == nil)
    reader.open()
    bench.wait("it comes") { isReady(choice(1)) }
    #expect(changes == [choice(1), choice(1)])
  }

  @Test("reads other files meanwhile, each in its own time")
  func others() {
    for index in 0..<5 { library.prepare(choice(index)) }
    library.prepare(.path("/good"))
    for count in [2, 4, 5] {
      wait(hung: count)
      if count < 5 { bench.manual.advance(by: .seconds(5)) }
    }
    bench.wait("the good one is read") { isReady(.path("/good")) }
    #expect(library.state(of: choice(4)) == .loading)
    reader.open()
    for index in 0..<5 { bench.wait("\(index) comes") { isReady(choice(index)) } }
    bench.wait("no thread stays") { library.threadCount == 0 }
  }

  @Test("does not heap up threads")
  func bounded() {
    for step in 1...12 {
      for index in 0..<100 { library.prepare(choice(index)) }
      wait(hung: min(16, 2 * step))
      bench.manual.advance(by: .seconds(5))
    }
    #expect(library.threadCount == 16)
    bench.manual.advance(by: .seconds(60))
    for index in 0..<100 { #expect(code(choice(index)) == .tooSlow) }
    #expect(bench.manual.nextWake == nil)
    reader.open()
    bench.wait("no thread stays") { library.threadCount == 0 }
    library.prepare(choice(99))
    bench.wait("it is read") { isReady(choice(99)) }
  }
}
