extension TZif {
  /// Walks over the bytes of a file, never beyond them.
  struct Reader {
    let bytes: [UInt8]
    let zone: String
    private var position = 0

    init(bytes: [UInt8], zone: String) {
      self.bytes = bytes
      self.zone = zone
    }

    private func error(_ what: String) -> ZoneError {
      ZoneError(zone: zone, reason: .malformed(what))
    }

    mutating func skip(_ count: Int) throws(ZoneError) {
      guard count <= bytes.count - position else { throw error("it ends too early") }
      position += count
    }

    /// The next bytes as a big-endian two's-complement number.
    private mutating func integer(bytes count: Int) throws(ZoneError) -> Int64 {
      let start = position
      try skip(count)
      var value: UInt64 = 0
      for byte in bytes[start..<position] { value = value << 8 | UInt64(byte) }
      let unused = 64 - 8 * count
      return Int64(bitPattern: value << unused) >> unused
    }

    private mutating func count() throws(ZoneError) -> Int {
      Int(UInt32(truncatingIfNeeded: try integer(bytes: 4)))
    }

    mutating func header() throws(ZoneError) -> Header {
      guard position <= bytes.count, bytes[position...].starts(with: "TZif".utf8) else {
        throw error("it does not begin with \"TZif\"")
      }
      try skip(4)
      let versionByte = try integer(bytes: 1)
      // A version that nobody has written yet is read as the newest known: RFC 9636, 3.1, keeps
      // later versions readable.
      let version = versionByte == 0 ? 1 : Int(versionByte) - Int(UInt8(ascii: "0"))
      guard version >= 1 else { throw error("its version is unknown") }
      try skip(15)
      let header = Header(
        version: version,
        utcCount: try count(),
        standardCount: try count(),
        leapCount: try count(),
        timeCount: try count(),
        typeCount: try count(),
        abbreviationBytes: try count()
      )
      guard header.utcCount == 0 || header.utcCount == header.typeCount,
        header.standardCount == 0 || header.standardCount == header.typeCount
      else { throw error("its counts contradict each other") }
      return header
    }

    mutating func body(_ header: Header, timeSize: Int, into file: inout TZif) throws(ZoneError) {
      guard header.bodySize(timeSize: timeSize) <= bytes.count - position else {
        throw error("it ends too early")
      }
      guard (1...256).contains(header.typeCount), header.abbreviationBytes > 0 else {
        throw error("it names no kind of local time, or too many")
      }
      guard header.leapCount == 0 else {
        throw ZoneError(zone: zone, reason: .countsLeapSeconds)
      }
      file.transitions.reserveCapacity(header.timeCount)
      for _ in 0..<header.timeCount {
        let time = try integer(bytes: timeSize)
        if let last = file.transitions.last, time <= last {
          throw error("its transitions are not in order")
        }
        file.transitions.append(time)
      }
      let indexes = position
      try skip(header.timeCount)
      file.indexes = Array(bytes[indexes..<position])
      guard file.indexes.allSatisfy({ Int($0) < header.typeCount }) else {
        throw error("a transition leads to a kind of local time that is not there")
      }
      file.offsets = try offsets(header)
      try skip(header.standardCount + header.utcCount)
    }

    private mutating func offsets(_ header: Header) throws(ZoneError) -> [ZoneOffset] {
      let names = position + header.typeCount * 6
      var offsets: [ZoneOffset] = []
      offsets.reserveCapacity(header.typeCount)
      for _ in 0..<header.typeCount {
        let seconds = try integer(bytes: 4)
        let isDaylight = try integer(bytes: 1)
        let name = Int(UInt8(truncatingIfNeeded: try integer(bytes: 1)))
        // RFC 9636, 3.2, wants offsets from -25 to 26 hours; one hour of grace.
        guard abs(seconds) <= 26 * 3_600 else { throw error("an offset is beyond 26 hours") }
        guard isDaylight == 0 || isDaylight == 1 else { throw error("a flag is neither 0 nor 1") }
        guard name < header.abbreviationBytes,
          let end = bytes[(names + name)..<(names + header.abbreviationBytes)].firstIndex(of: 0)
        else { throw error("an abbreviation is not there") }
        let text = bytes[(names + name)..<end]
        guard text.count <= 32, text.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
          throw error("an abbreviation is not plain ASCII")
        }
        offsets.append(
          ZoneOffset(
            seconds: Int32(seconds),
            isDaylight: isDaylight == 1,
            abbreviation: String(decoding: text, as: UTF8.self)
          )
        )
      }
      try skip(header.abbreviationBytes)
      return offsets
    }

    /// The POSIX TZ string between two line feeds; nil if it is empty (RFC 9636, 3.3).
    mutating func footer() throws(ZoneError) -> PosixRule? {
      let newline = UInt8(ascii: "\n")
      guard try integer(bytes: 1) == Int64(newline),
        let end = bytes[position...].firstIndex(of: newline)
      else { throw error("its footer is missing") }
      let text = String(decoding: bytes[position..<end], as: UTF8.self)
      if text.isEmpty { return nil }
      do throws(ZoneError) {
        return try PosixRule(text)
      } catch {
        throw self.error("its footer is wrong: \(error)")
      }
    }
  }
}
