import Glibc
import TocsinModel

/// Lines from a child's pipe, as the loop reads them; a flood is slowed down to a trickle.
///
/// What is not read stays in the pipe, which then blocks the writer: nothing is lost, the daemon's
/// thread keeps its time for others, and memory stays bounded. What was asked for is no flood, however
/// much of it comes at once.
final class LineSource {
  private let reactor: Reactor
  private let descriptor: Descriptor
  private var reader: LineReader
  private let onItem: (LineReader.Item) -> Bool
  private let onEnd: () -> Void
  private var isWatched = false
  private var isClosed = false
  private var windowEnd: Int64 = .min
  private var linesLeft = 0
  private var bytesLeft = 0

  /// How much is read in one window of time before the rest has to wait for the next.
  private static let window: Int64 = 100_000
  private static let linesInWindow = 200
  private static let bytesInWindow = 1024 * 1024
  /// Small, so that the lines of one reading do not exceed the window's by much.
  private static let chunk = 4096

  /// Reads from the end of a pipe that does not block; `onItem` says whether a line was asked for, and
  /// `onEnd` is called once when every writer has closed the pipe.
  ///
  /// - Throws: `SystemError` if it cannot be watched.
  init(
    _ descriptor: consuming Descriptor,
    _ reader: LineReader,
    reactor: Reactor,
    onItem: @escaping (LineReader.Item) -> Bool,
    onEnd: @escaping () -> Void = {}
  ) throws(SystemError) {
    self.descriptor = descriptor
    self.reader = reader
    self.reactor = reactor
    self.onItem = onItem
    self.onEnd = onEnd
    try watch()
  }

  /// Reads what is there already, as much as one window holds, and then no more.
  func drainAndClose() {
    guard !isClosed else { return }
    linesLeft = Self.linesInWindow
    bytesLeft = Self.bytesInWindow
    while !isClosed, linesLeft > 0, bytesLeft > 0, readOnce() {}
    close()
  }

  /// Reads no more.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for item in reader.finish() { _ = onItem(item) }
    pause()
  }

  private func watch() throws(SystemError) {
    guard !isWatched, !isClosed else { return }
    try reactor.watch(descriptor.raw, .readable) { [weak self] _ in self?.readSome() }
    isWatched = true
  }

  /// Unwatched, not only modified: a hang-up would be reported over and over.
  private func pause() {
    guard isWatched else { return }
    isWatched = false
    reactor.unwatch(descriptor.raw)
  }

  private func readSome() {
    let now = reactor.now
    if now >= windowEnd {
      windowEnd = now + Self.window
      linesLeft = Self.linesInWindow
      bytesLeft = Self.bytesInWindow
    }
    _ = readOnce()
    guard !isClosed, linesLeft <= 0 || bytesLeft <= 0 else { return }
    pause()
    reactor.after(.microseconds(windowEnd - now)) { [weak self] in try? self?.watch() }
  }

  /// Reads one chunk; false if there is nothing now or any more.
  private func readOnce() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { buffer in
      let count = read(descriptor.raw, buffer.baseAddress, buffer.count)
      if count < 0 { return errno == EINTR }
      guard count > 0 else {
        close()
        onEnd()
        return false
      }
      let items = reader.read(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      bytesLeft -= count
      for item in items where !isClosed && !onItem(item) { linesLeft -= 1 }
      return true
    }
  }
}
