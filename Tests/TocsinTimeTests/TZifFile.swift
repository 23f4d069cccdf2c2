/// Writes small TZif files.
enum TZifFile {
  static func bytes(
    version: UInt8,
    times: [Int64],
    indexes: [UInt8],
    offsets: [(Int32, UInt8, String)],
    footer: String? = "UTC0"
  ) -> [UInt8] {
    var names: [UInt8] = []
    for offset in offsets { names += Array(offset.2.utf8) + [0] }
    func block(timeSize: Int) -> [UInt8] {
      var block = Array("TZif".utf8) + [version == 0 ? 0 : version + 48]
      block += Array(repeating: 0, count: 15)
      for count in [0, 0, 0, times.count, offsets.count, names.count] {
        block += big(Int64(count), 4)
      }
      for time in times { block += big(time, timeSize) }
      block += indexes
      var nameStart = 0
      for (seconds, isDaylight, name) in offsets {
        block += big(Int64(seconds), 4) + [isDaylight, UInt8(nameStart)]
        nameStart += name.utf8.count + 1
      }
      return block + names
    }
    if version == 0 { return block(timeSize: 4) }
    let end = footer.map { Array("\n\($0)\n".utf8) } ?? []
    return block(timeSize: 4) + block(timeSize: 8) + end
  }

  private static func big(_ value: Int64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
