import TocsinModel

/// What a plugin says, line by line.
extension Plugin {
  /// Takes a line; says whether it is an answer that is still owed.
  func read(_ item: LineReader.Item) -> Bool {
    switch item {
    case .overlong:
      reportGarbage("a line is longer than \(JSONLine.limit / 1024) KiB")
    case .line(let bytes):
      guard !JSONLine.isBlank(bytes) else { break }
      do {
        let report = try SinkReport.decode(bytes)
        let isOwed = report.answeredEvent.map(state.owes) ?? false
        read(report)
        return isOwed
      } catch {
        reportGarbage(error.message)
      }
    }
    return false
  }

  private func reportGarbage(_ what: String) {
    guard !hasReportedGarbage, !state.isDying else { return }
    hasReportedGarbage = true
    handle(.complained("wrote what is no message: \(what)"))
    log(.warning, "wrote what is no message: \(what); more of it will not be mentioned")
  }

  private func read(_ report: SinkReport) {
    switch report {
    case .ready(let ready):
      self.ready = ready
      handle(.ready)
    case .presented(let seq):
      handle(.answered(seq: seq))
    case .failed(let failed):
      handle(.answered(seq: failed.seq))
      handle(.complained(failed.reason))
    case .pong:
      handle(.pong)
      return
    case .log(let entry):
      log(entry.level.flatMap { LogLevel(rawValue: $0) } ?? .info, entry.message)
      return
    case .unknown:
      return
    case .intent:
      break
    }
    surroundings.report(settings.name, report)
  }
}
