/// Reports on their way to the router, for as long as it does not read.
///
/// Log lines are dropped when it does not read, and counted; receipts and intents never are. They
/// stay bounded since the host reads no more messages while this is full.
struct ReportQueue {
  /// Bytes from which on log lines are dropped.
  static let logLimit = 64 * 1024
  /// Bytes from which on no message should be read, as each makes a report.
  static let limit = 256 * 1024

  private var bytes: [UInt8] = []
  private var start = 0
  private var droppedLogs = 0

  /// What is to be written next.
  var pending: ArraySlice<UInt8> { bytes[start...] }

  var isFull: Bool { pending.count >= Self.limit }

  mutating func append(_ report: SinkReport) {
    if case .log = report, pending.count >= Self.logLimit {
      droppedLogs += 1
      return
    }
    // An infinite duration in an intent is all that JSON cannot say.
    guard let line = try? JSONLine.encode(report), line.count <= JSONLine.limit else {
      let text = "a report could not be written as a line of JSON of at most 64 KiB"
      return append(.log(SinkReport.Log(level: "error", message: text)))
    }
    bytes += line
  }

  mutating func removeFirst(_ count: Int) {
    start += count
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 4096)
      start = 0
    } else if start > Self.limit {
      bytes.removeFirst(start)
      start = 0
    }
    if droppedLogs > 0, pending.count < Self.logLimit / 2 {
      let text = "\(droppedLogs) lines of log were dropped, as nobody read them"
      droppedLogs = 0
      append(.log(SinkReport.Log(level: "warning", message: text)))
    }
  }
}
