package import TocsinModel

/// The lines a sink has not read yet: newest state wins, in bounded memory.
///
/// Events are state, so of one occurrence only the newest is kept; its end takes its queued alert out
/// and goes before other presentations, so that nothing rings after it was stopped. When a sink is so
/// far behind that the limit is reached, all of it makes way for one `sync` later.
package struct OutputQueue: Sendable {
  package enum Kind: Hashable, Sendable {
    /// `hello`, `ping`: always kept, in order.
    case control
    /// `sync` and `bye`: take the place of every presentation before them.
    case replacement
    /// The newest state of an occurrence.
    case presentation(OccurrenceID)
    /// The end of an occurrence.
    case cleared(OccurrenceID)
    /// Something that is told once: `missed`, `secondary`.
    case notice
  }

  /// How many lines were given up because the sink did not read; coalesced ones are not counted.
  package private(set) var dropped = 0
  /// Whether lines of state were given up, so that a `sync` is due once the queue is empty.
  package private(set) var needsSync = false
  /// The bytes waiting, the line under way included.
  package private(set) var byteCount = 0

  private let limit: Int
  private var urgent = Lane()
  private var normal = Lane()
  private var current: Entry?
  private var offset = 0

  /// Makes an empty queue that holds at most `limit` bytes beside control lines.
  ///
  /// Ten thousand alarms that are due at once find room: plugins share their lines' bytes.
  package init(limit: Int = 8 * 1024 * 1024) {
    self.limit = limit
  }

  package var isEmpty: Bool { current == nil && urgent.isEmpty && normal.isEmpty }

  /// Whether so many bytes more would reach the limit.
  package func hasRoom(for count: Int) -> Bool { byteCount + count <= limit }

  /// Adds a whole line; the bytes are shared, not copied.
  package mutating func append(_ line: [UInt8], _ kind: Kind) {
    let entry = Entry(bytes: line, kind: kind)
    switch kind {
    case .control:
      add(entry, isUrgent: true)
    case .replacement:
      removeState()
      needsSync = false
      add(entry, isUrgent: true)
    case .presentation(let occurrence):
      remove(occurrence)
      addBounded(entry, isUrgent: false)
    case .cleared(let occurrence):
      remove(occurrence)
      addBounded(entry, isUrgent: true)
    case .notice:
      addBounded(entry, isUrgent: false)
    }
  }

  /// Gives up lines that were never queued.
  package mutating func countDropped(_ count: Int) { dropped += count }

  /// The next bytes to write; nil if there are none.
  package mutating func front() -> ArraySlice<UInt8>? {
    if current == nil {
      current = urgent.popFirst() ?? normal.popFirst()
      offset = 0
    }
    return current?.bytes[offset...]
  }

  /// Takes bytes off that were written.
  package mutating func advance(by count: Int) {
    guard let entry = current else { return }
    offset += count
    byteCount -= count
    if offset == entry.bytes.count { current = nil }
  }

  private mutating func addBounded(_ entry: Entry, isUrgent: Bool) {
    guard !needsSync else {
      dropped += 1
      return
    }
    guard hasRoom(for: entry.bytes.count) else {
      dropped += 1 + removeState() + removeNotices()
      needsSync = true
      return
    }
    add(entry, isUrgent: isUrgent)
  }

  private mutating func add(_ entry: Entry, isUrgent: Bool) {
    byteCount += entry.bytes.count
    if isUrgent { urgent.append(entry) } else { normal.append(entry) }
  }

  /// Takes out the queued presentation of an occurrence, unless its first bytes are written.
  private mutating func remove(_ occurrence: OccurrenceID) {
    if let entry = normal.remove(occurrence) {
      byteCount -= entry.bytes.count
    } else if offset == 0, let entry = current, entry.kind == .presentation(occurrence) {
      byteCount -= entry.bytes.count
      current = nil
    }
  }

  @discardableResult
  private mutating func removeState() -> Int {
    let isState = { (kind: Kind) in
      switch kind {
      case .replacement, .presentation, .cleared: true
      case .control, .notice: false
      }
    }
    var removed = urgent.removeAll(where: isState) + normal.removeAll(where: isState)
    if offset == 0, let entry = current, isState(entry.kind) {
      removed.append(entry)
      current = nil
    }
    byteCount -= removed.reduce(0) { $0 + $1.bytes.count }
    return removed.count
  }

  private mutating func removeNotices() -> Int {
    let removed = normal.removeAll { $0 == .notice }
    byteCount -= removed.reduce(0) { $0 + $1.bytes.count }
    return removed.count
  }
}

private struct Entry: Sendable {
  var bytes: [UInt8]
  var kind: OutputQueue.Kind
}

/// Lines first in, first out, of which one occurrence's can be taken out.
private struct Lane: Sendable {
  private var order: [UInt64] = []
  private var head = 0
  private var entries: [UInt64: Entry] = [:]
  private var presentations: [OccurrenceID: UInt64] = [:]
  private var serial: UInt64 = 0

  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ entry: Entry) {
    serial += 1
    order.append(serial)
    entries[serial] = entry
    if case .presentation(let occurrence) = entry.kind { presentations[occurrence] = serial }
    // What was taken out leaves its number behind; do not let those pile up.
    if order.count > 64 + 2 * entries.count {
      order = order[head...].filter { entries[$0] != nil }
      head = 0
    }
  }

  mutating func popFirst() -> Entry? {
    while head < order.count {
      let entry = entries.removeValue(forKey: order[head])
      head += 1
      guard let entry else { continue }
      if case .presentation(let occurrence) = entry.kind { presentations[occurrence] = nil }
      return entry
    }
    // A storm may have made these large, and a dictionary never shrinks by itself.
    if order.capacity > 64 { (order, entries, presentations) = ([], [:], [:]) }
    order.removeAll(keepingCapacity: true)
    head = 0
    return nil
  }

  mutating func remove(_ occurrence: OccurrenceID) -> Entry? {
    presentations.removeValue(forKey: occurrence).flatMap { entries.removeValue(forKey: $0) }
  }

  mutating func removeAll(where isUnwanted: (OutputQueue.Kind) -> Bool) -> [Entry] {
    let unwanted = entries.filter { isUnwanted($0.value.kind) }
    for (serial, entry) in unwanted {
      entries[serial] = nil
      if case .presentation(let occurrence) = entry.kind { presentations[occurrence] = nil }
    }
    return Array(unwanted.values)
  }
}
