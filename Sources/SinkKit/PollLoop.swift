import Glibc

/// Timers, descriptors and mail of one host: what must be waited for, and what to do then.
///
/// It never waits by itself longer than it is told; used by one thread.
final class PollLoop {
  private struct Wake {
    var deadline: Duration
    var body: () -> Void
  }

  /// Where other threads leave work; made when first asked for, since it takes two descriptors.
  private(set) var mail: MailQueue?
  private(set) var mailSource: MailSource?

  private let clock: any SinkClock
  private var wakes: [Int: Wake] = [:]
  private var sources: [(id: Int, source: any PollSource)] = []
  private var lastID = 0
  /// How many descriptors each source gave in the last `prepare`, in order.
  private var counts: [(id: Int, count: Int)] = []

  init(clock: any SinkClock) { self.clock = clock }

  /// The earliest timer, in elapsed time; nil if there is none.
  var nextWake: Duration? { wakes.values.lazy.map(\.deadline).min() }

  func addWake(at deadline: Duration, _ body: @escaping () -> Void) -> Int {
    lastID += 1
    wakes[lastID] = Wake(deadline: deadline, body: body)
    return lastID
  }

  func add(_ source: any PollSource) -> Int {
    lastID += 1
    sources.append((lastID, source))
    return lastID
  }

  func remove(_ id: Int) {
    wakes[id] = nil
    sources.removeAll { $0.id == id }
  }

  func removeAll() {
    wakes = [:]
    sources = []
    mail?.close()
  }

  /// The queue for other threads; nil if the system has no descriptor left for it.
  func openMail() -> MailQueue? {
    if mail == nil, let queue = MailQueue() {
      let source = queue.source
      mail = queue
      mailSource = source
      _ = add(source)
    }
    return mail
  }

  /// Appends all descriptors to wait for and says how long to wait at most; nil without limit.
  func prepare(into descriptors: inout [pollfd]) -> Duration? {
    counts.removeAll(keepingCapacity: true)
    var timeout = nextWake.map { max(.zero, $0 - clock.elapsed) }
    for (id, source) in sources {
      let wanted = source.prepare()
      counts.append((id, wanted.descriptors.count))
      descriptors += wanted.descriptors
      if let limit = wanted.timeout { timeout = min(timeout ?? limit, limit) }
    }
    return timeout
  }

  /// Runs all that is due and all that is ready among the descriptors of the last `prepare`.
  func dispatch(_ descriptors: ArraySlice<pollfd>) {
    runDueWakes()
    var start = descriptors.startIndex
    for (id, count) in counts {
      let part = descriptors[start..<start + count]
      start += count
      // A source may have been removed by what ran before it.
      guard let source = sources.first(where: { $0.id == id })?.source else { continue }
      if part.contains(where: { Int32($0.revents) & POLLNVAL != 0 }) {
        // Closed while watched: it would be "ready" for ever and the loop would spin.
        if source is DescriptorWatch { remove(id) }
      }
      source.dispatch(part)
    }
  }

  /// Waits until something is to do, at most that long, and does it.
  func turn(atMost limit: Duration? = nil) {
    var descriptors: [pollfd] = []
    var timeout = prepare(into: &descriptors)
    if let limit { timeout = min(timeout ?? limit, limit) }
    let count = poll(&descriptors, nfds_t(descriptors.count), Self.milliseconds(timeout))
    if count < 0 {
      // EINTR, or EINVAL and ENOMEM, after which nothing can be said to be ready.
      for index in descriptors.indices { descriptors[index].revents = 0 }
    }
    dispatch(descriptors[...])
  }

  /// A timeout as poll(2) takes it: rounded up so that what is waited for is then due; -1 for nil.
  static func milliseconds(_ timeout: Duration?) -> CInt {
    guard let timeout else { return -1 }
    let (seconds, attoseconds) = timeout.components
    guard seconds < Int64(CInt.max) / 1_000 - 1 else { return CInt.max }
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return CInt(seconds * 1_000 + milliseconds)
  }

  private func runDueWakes() {
    let now = clock.elapsed
    let due = wakes.filter { $0.value.deadline <= now }
      .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
    for (id, wake) in due where wakes.removeValue(forKey: id) != nil { wake.body() }
  }
}
