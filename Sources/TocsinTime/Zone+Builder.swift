extension Zone {
  /// Collects transitions in order, dropping those that change nothing.
  struct Builder {
    private(set) var transitions: [Int64] = []
    private(set) var segmentOffsets: [UInt16]
    private(set) var offsets: [ZoneOffset]

    init(before: ZoneOffset) {
      offsets = [before]
      segmentOffsets = [0]
    }

    /// Adds a transition; one at the time of the last replaces it, an earlier one is dropped.
    mutating func append(_ time: Int64, _ offset: ZoneOffset) {
      if let last = transitions.last {
        if time < last { return }
        if time == last {
          transitions.removeLast()
          segmentOffsets.removeLast()
        }
      }
      let index = index(of: offset)
      if segmentOffsets.last == index { return }
      transitions.append(time)
      segmentOffsets.append(index)
    }

    private mutating func index(of offset: ZoneOffset) -> UInt16 {
      if let known = offsets.firstIndex(of: offset) { return UInt16(known) }
      offsets.append(offset)
      // At most 256 kinds come from a file and two from a rule.
      return UInt16(offsets.count - 1)
    }

    /// Adds what the rule says for one cycle of 400 years after the last transition.
    ///
    /// - Returns: POSIX seconds of the cycle's end; nil if the rule never changes anything.
    mutating func expand(_ rule: PosixRule) -> Int64? {
      guard let daylight = rule.daylight else { return nil }
      // A time far from any calendar (a damaged file) leaves nothing to expand sensibly.
      let latest: Int64 = 1 << 50
      let last = transitions.last ?? 0
      guard last < latest else { return nil }
      let day = Int32(clamping: last.flooredQuotient(by: 86_400))
      let firstYear = CivilDate(daysSince1970: day).year
      let historyEnd = transitions.last ?? .min
      // The year before is expanded too: what it leaves in force may reach into this one. The
      // years after the cycle's end let a reader walk over it.
      for year in (firstYear - 1)...(firstYear + 404) {
        guard let (start, end) = rule.changes(in: year) else { continue }
        // Where one year's end meets the next year's start, daylight saving time is permanent
        // (RFC 9636, 3.3.1); the start, appended later, wins.
        let changes =
          start < end
          ? [(start, daylight.offset), (end, rule.standard)]
          : [(end, rule.standard), (start, daylight.offset)]
        for (time, offset) in changes where time > historyEnd { append(time, offset) }
      }
      return Int64(CivilDate.dayNumber(year: firstYear + 402, month: 1, day: 1)) * 86_400
    }
  }
}
