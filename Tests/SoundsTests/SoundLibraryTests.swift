import Glibc
import Testing

@testable import Sounds

@Suite("The library", .timeLimit(.minutes(10)))
struct SoundLibraryTests {
  private let scratch: Scratch
  private let bench: Bench

  init() throws {
    scratch = try Scratch()
    bench = try Bench()
  }

  private func library(limit: Int = 1_000_000) -> SoundLibrary {
    let environment = ["HOME": scratch.path, "XDG_DATA_DIRS": "\(scratch.path)/share"]
    return SoundLibrary(host: bench.host, environment: environment, limit: limit)
  }

  private func put(_ name: String, seconds: Double = 0.01, amplitude: Double = 0.1) throws -> String
  {
    try scratch.write(name, Wave().sine(Sine(amplitude: amplitude), seconds: seconds).bytes)
  }

  private func wait(_ library: SoundLibrary, _ choice: SoundChoice) -> SoundLibrary.State {
    bench.wait("it is read") { library.state(of: choice) != .loading }
    return library.state(of: choice)
  }

  private func sound(_ library: SoundLibrary, _ choice: SoundChoice) -> Sound? {
    if case .ready(let sound) = wait(library, choice) { sound } else { nil }
  }

  private func code(_ library: SoundLibrary, _ choice: SoundChoice) -> SoundError.Code? {
    if case .failed(let error) = wait(library, choice) { error.code } else { nil }
  }

  @Test("has the tone and silence without being asked before")
  func builtIn() {
    let library = library()
    #expect(library.state(of: .tone) == .ready(Tone.sound))
    guard case .ready(let silence) = library.state(of: .none) else {
      Issue.record("silence is not ready")
      return
    }
    #expect(silence.samples.allSatisfy { $0 == 0 } && silence.frames > 0)
    guard case .failed(let error) = library.state(of: .stream("http://example.org/")) else {
      Issue.record("a stream is ready")
      return
    }
    #expect(error.code == .isStream)
    #expect(library.threadCount == 0)
  }

  @Test("reads a file, says when it is there, and keeps it when the file is gone")
  func keeps() throws {
    let path = try put("share/sounds/birds.wav", seconds: 1)
    let library = library()
    var changes: [SoundChoice] = []
    library.onChange = { changes.append($0) }
    let choice = SoundChoice("birds.wav")
    library.prepare(choice)
    #expect(library.state(of: choice) == .loading)
    #expect(sound(library, choice)?.frames == 44_100)
    #expect(changes == [choice])
    unlink(path)
    library.prepare(choice)
    bench.wait("it is looked for") { library.problem(of: choice) != nil }
    #expect(library.problem(of: choice)?.code == .notFound)
    #expect(sound(library, choice)?.frames == 44_100)
    library.release(choice)
    #expect(sound(library, choice)?.frames == 44_100)
    #expect(changes == [choice])
    #expect(bench.manual.nextWake == nil)
  }

  @Test("reads a file anew when it changed, and plays the old one until then")
  func changed() throws {
    let path = try put("a.wav", amplitude: 0.1)
    let library = library()
    let choice = SoundChoice.path(path)
    let old = sound(library, choice)
    #expect(old != nil)
    _ = try put("a.wav", seconds: 0.02, amplitude: 0.5)
    #expect(sound(library, choice) == old)
    library.prepare(choice)
    #expect(library.state(of: choice) == old.map { .ready($0) })
    bench.wait("it is read anew") { sound(library, choice) != old }
    #expect(sound(library, choice)?.frames == 882)
    // Broken now: the good one stays.
    try scratch.write("a.wav", "no sound")
    library.prepare(choice)
    bench.wait("it is looked at") { library.problem(of: choice) != nil }
    #expect(library.problem(of: choice)?.code == .notSound)
    #expect(sound(library, choice)?.frames == 882)
    _ = try put("a.wav", seconds: 0.03)
    library.prepare(choice)
    bench.wait("it is good again") { library.problem(of: choice) == nil }
    #expect(sound(library, choice)?.frames == 1_323)
  }

  @Test("tries again what could not be read")
  func again() throws {
    let library = library()
    let choice = SoundChoice.path("\(scratch.path)/a.wav")
    #expect(code(library, choice) == .unreadable(ENOENT))
    _ = try put("a.wav")
    #expect(code(library, choice) == .unreadable(ENOENT))
    library.prepare(choice)
    #expect(sound(library, choice) != nil)
  }

  @Test("takes another file of a folder each time, and none that is no sound")
  func folder() throws {
    for index in 1...3 { _ = try put("many/\(index).wav", seconds: Double(index) / 100) }
    try scratch.write("many/readme.txt", "no sound")
    try scratch.write("many/.hidden.wav", Wave().sine(seconds: 1).bytes)
    _ = try put("many/more/4.wav", seconds: 0.5)
    let library = library()
    let choice = SoundChoice.path("\(scratch.path)/many")
    var last = sound(library, choice)
    var seen: Set<Int> = []
    for _ in 0..<60 {
      seen.insert(last?.frames ?? 0)
      library.prepare(choice)
      #expect(sound(library, choice) == last)
      library.played(choice)
      #expect(library.state(of: choice) == last.map { .ready($0) })
      bench.wait("the next is read") { sound(library, choice) != last }
      last = sound(library, choice)
    }
    #expect(seen == [441, 882, 1_323])
  }

  @Test("takes the only file of a folder again")
  func single() throws {
    _ = try put("one/a.wav")
    let library = library()
    let choice = SoundChoice.path("\(scratch.path)/one/")
    let only = sound(library, choice)
    #expect(only != nil)
    library.played(choice)
    bench.wait("it is read again") { library.threadCount == 0 }
    bench.manual.tick()
    #expect(library.problem(of: choice) == nil)
    #expect(sound(library, choice) == only)
  }

  @Test("says that a folder has nothing to play")
  func nothing() throws {
    try scratch.write("none/readme.txt", "no sound")
    let library = library()
    #expect(code(library, .path("\(scratch.path)/none")) == .nothingInFolder)
    #expect(code(library, .path(scratch.folder("empty"))) == .nothingInFolder)
  }

  @Test("forgets what nobody wants when there is no room, least recently used first")
  func bounded() throws {
    let choices = try (0..<4).map { SoundChoice.path(try put("\($0).wav", seconds: 1)) }
    let library = library(limit: 200_000)
    for choice in choices[..<2] { _ = sound(library, choice) }
    #expect(library.size == 2 * 88_200)
    library.release(choices[0])
    library.release(choices[1])
    #expect(library.size == 2 * 88_200)
    _ = library.state(of: choices[0])
    _ = sound(library, choices[2])
    #expect(library.size == 2 * 88_200)
    unlink("\(scratch.path)/0.wav")
    unlink("\(scratch.path)/1.wav")
    #expect(sound(library, choices[0]) != nil)
    #expect(code(library, choices[1]) == .unreadable(ENOENT))
    _ = sound(library, choices[3])
    #expect(library.size <= 200_000)
    #expect(code(library, choices[0]) == .unreadable(ENOENT))
  }
}
