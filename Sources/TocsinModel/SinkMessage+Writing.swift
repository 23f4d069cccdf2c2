extension SinkMessage.Cleared: JSONObject {
  private enum Member: String, CodingKey {
    case type, seq, occurrence, alarm, title, reason, source
  }

  /// Encodes the event with its `type`.
  public func encode(to encoder: any Encoder) throws { try encoder.write(self) }

  func writeMembers(to text: inout JSONText) throws {
    text.member(Member.type, "cleared")
    text.member(Member.seq, seq)
    text.member(Member.occurrence, occurrence)
    text.member(Member.alarm, alarm)
    text.member(Member.title, title)
    text.member(Member.reason, name: reason)
    if let source { text.member(Member.source, source) }
  }
}

extension SinkMessage.Missed: JSONObject {
  private enum Member: String, CodingKey { case type, seq, occurrence, alarm, title, due, reason }

  /// Encodes the event with its `type`.
  public func encode(to encoder: any Encoder) throws { try encoder.write(self) }

  func writeMembers(to text: inout JSONText) throws {
    text.member(Member.type, "missed")
    text.member(Member.seq, seq)
    text.member(Member.occurrence, occurrence)
    text.member(Member.alarm, alarm)
    text.member(Member.title, title)
    text.member(Member.due, due)
    text.member(Member.reason, name: reason)
  }
}
