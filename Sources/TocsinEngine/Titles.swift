/// The titles of all alarms in one run of bytes, where each as a `String` would cost 64 bytes and more.
///
/// A title that is replaced or removed leaves a hole; once half of the bytes are holes, whoever owns the
/// places moves the titles together.
struct Titles: Sendable {
  /// Where a title stands.
  struct Place: Hashable, Sendable {
    fileprivate var start: UInt32
    fileprivate var count: UInt32

    /// The place of the empty title.
    static let empty = Place(start: 0, count: 0)
  }

  private var bytes: [UInt8] = []
  private var unused = 0

  subscript(place: Place) -> String {
    String(decoding: bytes[Int(place.start)..<Int(place.start) + Int(place.count)], as: UTF8.self)
  }

  /// Adds a title, of which there may be 4 GiB in all.
  mutating func add(_ title: String) -> Place {
    guard let start = UInt32(exactly: bytes.count), !title.isEmpty else { return .empty }
    bytes.append(contentsOf: title.utf8)
    return Place(start: start, count: UInt32(bytes.count - Int(start)))
  }

  mutating func remove(_ place: Place) {
    unused += Int(place.count)
  }

  /// Whether more than half, and enough to be worth it, is holes.
  var isWasteful: Bool { unused > 4_096 && unused > bytes.count / 2 }

  /// Moves a title to the end of others; what is left behind goes with `self`.
  func move(_ place: Place, to other: inout Titles) -> Place {
    guard place.count > 0, let start = UInt32(exactly: other.bytes.count) else { return .empty }
    other.bytes += bytes[Int(place.start)..<Int(place.start) + Int(place.count)]
    return Place(start: start, count: place.count)
  }

  mutating func reserve(_ count: Int) {
    bytes.reserveCapacity(count)
  }
}
