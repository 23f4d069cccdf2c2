/// Those who read one kind of updates, each at its own pace and without losing any.
struct Readers<Element: Sendable> {
  private struct Reader {
    var continuation: AsyncStream<Element>.Continuation
    var isAdmitted = false
  }

  private var readers: [Int: Reader] = [:]

  var count: Int { readers.count }

  /// Takes a reader in; it is sent nothing before it is admitted.
  mutating func add(_ number: Int, _ continuation: AsyncStream<Element>.Continuation) {
    readers[number] = Reader(continuation: continuation)
  }

  /// From now on it is sent everything.
  mutating func admit(_ number: Int) -> AsyncStream<Element>.Continuation? {
    readers[number]?.isAdmitted = true
    return readers[number]?.continuation
  }

  mutating func remove(_ number: Int) { readers[number] = nil }

  /// Who is to be sent what comes now.
  var admitted: [AsyncStream<Element>.Continuation] {
    readers.values.filter(\.isAdmitted).map(\.continuation)
  }

  /// Forgets all, to be told that nothing more comes.
  mutating func removeAll() -> [AsyncStream<Element>.Continuation] {
    defer { readers = [:] }
    return readers.values.map(\.continuation)
  }
}
