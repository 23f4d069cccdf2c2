extension Zone {
  /// What is in force at that instant.
  public func offset(at instant: Instant) -> ZoneOffset {
    offsets[Int(segmentOffsets[segment(at: reduced(instant.seconds).seconds)])]
  }

  /// The seconds east of UTC in force at that instant; cheaper than the whole offset.
  func offsetSeconds(at instant: Instant) -> Int64 {
    offsetSeconds(ofSegment: segment(at: reduced(instant.seconds).seconds))
  }

  /// What the zone's calendars and clocks show at that instant.
  public func local(at instant: Instant) -> (date: CivilDate, time: TimeOfDay, offset: ZoneOffset) {
    let offset = offset(at: instant)
    let seconds = instant.seconds + Int64(offset.seconds)
    let day = seconds.flooredQuotient(by: 86_400)
    return (
      CivilDate(daysSince1970: Int32(clamping: day)),
      TimeOfDay(secondOfDay: Int(seconds - day * 86_400)),
      offset
    )
  }

  /// The date that the zone's calendars show at that instant.
  public func date(at instant: Instant) -> CivilDate {
    let seconds = instant.seconds + offsetSeconds(at: instant)
    return CivilDate(daysSince1970: Int32(clamping: seconds.flooredQuotient(by: 86_400)))
  }

  /// The first change of offset or name that comes after that instant; nil if there is none.
  public func nextTransition(after instant: Instant) -> ZoneTransition? {
    let (seconds, shift) = reduced(instant.seconds)
    let segment = segment(at: seconds)
    guard segment < transitions.count else { return nil }
    return ZoneTransition(
      instant: Instant(seconds: transitions[segment].addingSaturating(shift)),
      before: offsets[Int(segmentOffsets[segment])],
      after: offsets[Int(segmentOffsets[segment + 1])]
    )
  }

  /// The same moment of the cycle that is in the table, and what to add to come back.
  func reduced(_ seconds: Int64) -> (seconds: Int64, shift: Int64) {
    guard let cycle else { return (seconds, 0) }
    if seconds >= cycle.end {
      let shift = ((seconds - cycle.end) / Cycle.seconds + 1) * Cycle.seconds
      return (seconds - shift, shift)
    }
    let start = cycle.end - Cycle.seconds
    if cycle.isEndless, seconds < start {
      let shift = ((start - seconds - 1) / Cycle.seconds + 1) * Cycle.seconds
      return (seconds + shift, -shift)
    }
    return (seconds, 0)
  }

  /// How many transitions are at or before that time, which is the index of its segment.
  func segment(at seconds: Int64) -> Int {
    transitions.withUnsafeBufferPointer { transitions in
      var low = 0
      var high = transitions.count
      while low < high {
        let middle = (low + high) >> 1
        if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  func offsetSeconds(ofSegment segment: Int) -> Int64 {
    Int64(offsets[Int(segmentOffsets[segment])].seconds)
  }
}
