import Glibc
import Testing

@testable import TocsinService

@Suite("The path watcher", .timeLimit(.minutes(10)))
struct PathWatcherTests {
  /// Runs the loop until the watched path was reported.
  private func expectReport(
    of path: String,
    after change: @escaping () throws -> Void
  ) throws {
    let reactor = try Reactor()
    var reports: [Set<String>] = []
    let watcher = PathWatcher(reactor: reactor) {
      reports.append($0)
      reactor.stop()
    }
    watcher.watch([path])
    reactor.after(.zero) {
      do { try change() } catch { Issue.record(error) }
    }
    try reactor.run()
    #expect(reports == [[path]])
    watcher.cancel()
  }

  @Test("reports a link that is replaced, as timedatectl does it")
  func replacedLink() throws {
    let directory = try TemporaryDirectory()
    let link = "\(directory.path)/localtime"
    symlink("A", link)
    try expectReport(of: link) {
      symlink("B", "\(link).new")
      rename("\(link).new", link)
    }
  }

  @Test("reports a file in a directory that did not exist, and one that goes with its directory")
  func comingAndGoing() throws {
    let directory = try TemporaryDirectory()
    let file = "\(directory.path)/a/b/synchronized"
    let reactor = try Reactor()
    var steps: [() -> Void] = [
      { mkdir("\(directory.path)/a", 0o700) },
      { mkdir("\(directory.path)/a/b", 0o700) },
      { close(open(file, O_CREAT | O_WRONLY, 0o600)) },
      {
        unlink(file)
        rmdir("\(directory.path)/a/b")
        rmdir("\(directory.path)/a")
      },
      { mkdir("\(directory.path)/a", 0o700) },
    ]
    let next = { if steps.isEmpty { reactor.stop() } else { steps.removeFirst()() } }
    var isQueued = false
    let watcher = PathWatcher(reactor: reactor) { _ in
      guard !isQueued else { return }
      isQueued = true
      reactor.after(.zero) {
        isQueued = false
        next()
      }
    }
    watcher.watch([file])
    reactor.after(.zero) { next() }
    try reactor.run()
    #expect(steps.isEmpty)
    watcher.cancel()
  }

  @Test("does not report a neighbour")
  func neighbour() throws {
    let directory = try TemporaryDirectory()
    let reactor = try Reactor()
    let (mine, last) = ("\(directory.path)/mine", "\(directory.path)/last")
    let watcher = PathWatcher(reactor: reactor) {
      #expect($0 == [last])
      reactor.stop()
    }
    watcher.watch([mine, last, "/nonexistent/directory/file"])
    reactor.after(.zero) {
      close(open("\(directory.path)/theirs", O_CREAT | O_WRONLY, 0o600))
      close(open(last, O_CREAT | O_WRONLY, 0o600))
    }
    try reactor.run()
    watcher.cancel()
  }

  @Test("misses nothing that happens while it is told what to watch")
  func changeMeanwhile() throws {
    let directory = try TemporaryDirectory()
    let (file, other) = ("\(directory.path)/file", "\(directory.path)/other")
    let reactor = try Reactor()
    var reports = 0
    var watchAgain: () -> Void = {}
    let watcher = PathWatcher(reactor: reactor) {
      #expect($0 == [file])
      reports += 1
      guard reports < 3 else { return reactor.stop() }
      close(open(file, O_CREAT | O_WRONLY, 0o600))
      watchAgain()
    }
    watchAgain = { [unowned watcher] in watcher.watch(reports == 1 ? [file, other] : [file]) }
    watcher.watch([file])
    close(open(file, O_CREAT | O_WRONLY, 0o600))
    try reactor.run()
    #expect(reports == 3)
    watcher.cancel()
  }

  @Test("watches a directory once for all its paths, and not once the last is dropped")
  func countsOfWatches() throws {
    let directory = try TemporaryDirectory()
    let reactor = try Reactor()
    var reports: [Set<String>] = []
    let watcher = PathWatcher(reactor: reactor) {
      reports.append($0)
      reactor.stop()
    }
    let paths = (0..<100).map { "\(directory.path)/\($0)" }
    for _ in 0..<3 {
      watcher.watch(Set(paths))
      #expect(watcher.watchCount == 1)
      watcher.watch([paths[7], "\(directory.path)/a/b"])
      #expect(watcher.watchCount == 1)
      watcher.watch([])
      #expect(watcher.watchCount == 0)
    }
    watcher.watch(Set(paths))
    // All that happens before it is read is one report.
    for path in paths { close(open(path, O_CREAT | O_WRONLY, 0o600)) }
    try reactor.run()
    #expect(reports == [Set(paths)])
    watcher.cancel()
  }
}
