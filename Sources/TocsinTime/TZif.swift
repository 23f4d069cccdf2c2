/// What a TZif file holds, checked but not yet made into a zone (RFC 9636, 3).
struct TZif {
  /// POSIX seconds of each transition, strictly ascending.
  var transitions: [Int64] = []
  /// The index into `offsets` that holds from the transition of the same position on.
  var indexes: [UInt8] = []
  /// The kinds of local time, never empty; the first holds before the first transition.
  var offsets: [ZoneOffset] = []
  /// What holds after the last transition; nil in version 1, or where nobody knows.
  var footer: PosixRule?

  /// Larger than any real file (about 4 KB) by far, and small enough to read without fear.
  static let largestFile = 1 << 20

  /// Reads a file of version 1 to 4.
  ///
  /// Counts are compared with the bytes there are before anything is allocated for them.
  ///
  /// - Throws: `ZoneError` with `.malformed` or `.countsLeapSeconds`.
  init(_ bytes: [UInt8], zone: String) throws(ZoneError) {
    guard bytes.count <= Self.largestFile else {
      throw ZoneError(zone: zone, reason: .malformed("it is larger than 1 MiB"))
    }
    var reader = Reader(bytes: bytes, zone: zone)
    let header = try reader.header()
    guard header.version > 1 else {
      try reader.body(header, timeSize: 4, into: &self)
      return
    }
    // The first block is for readers that know 32-bit times only (RFC 9636, 3.2).
    try reader.skip(header.bodySize(timeSize: 4))
    try reader.body(try reader.header(), timeSize: 8, into: &self)
    footer = try reader.footer()
  }
}

extension TZif {
  struct Header {
    let version: Int
    let utcCount: Int
    let standardCount: Int
    let leapCount: Int
    let timeCount: Int
    let typeCount: Int
    let abbreviationBytes: Int

    /// Bytes of the block that follows; the counts are below 2^32, so that this cannot overflow.
    func bodySize(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + abbreviationBytes + leapCount * (timeSize + 4)
        + standardCount + utcCount
    }
  }
}
