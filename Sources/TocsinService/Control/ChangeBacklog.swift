import TocsinModel

/// The alarms of a program that changed all at once, of which it is told as fast as it reads.
///
/// Each is told as it is when its turn comes, so what changes meanwhile takes no room.
final class ChangeBacklog {
  private var order: ArraySlice<AlarmID> = []
  private var waiting: Set<AlarmID> = []

  /// Adds alarms; those that wait already keep their place.
  func add(_ alarms: ArraySlice<AlarmID>) {
    for alarm in alarms where waiting.insert(alarm).inserted { order.append(alarm) }
  }

  /// Leaves out an alarm of which something newer was said.
  func supersede(_ alarm: AlarmID) {
    waiting.remove(alarm)
  }

  /// The next alarm to tell of; nil at the end.
  func next() -> AlarmID? {
    while let alarm = order.popFirst() {
      if waiting.remove(alarm) != nil { return alarm }
    }
    return nil
  }
}

extension ControlClient {
  /// Sends what is new of an alarm of its program.
  func send(change alarm: AlarmID, _ line: [UInt8]) {
    changes?.supersede(alarm)
    send(line)
  }

  /// Sends an answer, behind the changes that the client is still to be told of.
  func send(afterChanges lines: [UInt8]) {
    guard changes != nil else { return send(lines) }
    var rest: [UInt8]? = lines
    send(source: {
      defer { rest = nil }
      return rest
    })
  }
}
