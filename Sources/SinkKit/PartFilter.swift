/// Keeps from a sink the parts that it has not, and answers for them.
///
/// An alert for parts of which it has some is presented by these, and counts as failed all the same:
/// who asked must know that something is missing. Used by one thread.
final class PartFilter {
  /// The sink's parts.
  var names: Set<String> = []

  private let sink: String
  /// What is missing, by the number of the event that asks for it.
  private var missing: [UInt64: String] = [:]

  init(sink: String) { self.sink = sink }

  /// What the sink is told; nil if nothing of it is for this sink.
  ///
  /// No parts at all are all of them.
  func admitted(_ presentation: Presentation) -> Presentation? {
    var admitted = presentation
    admitted.parts = presentation.parts.flatMap { asked in
      asked.isEmpty ? nil : asked.filter(names.contains)
    }
    guard admitted.parts?.isEmpty != true else { return nil }
    if let reason = lack(of: presentation) { missing[presentation.seq] = reason }
    return admitted
  }

  /// Why nothing of it is presented; nil if something is.
  func refusal(of presentation: Presentation) -> String? {
    let isForNone = presentation.parts.map { !$0.isEmpty && names.isDisjoint(with: $0) } ?? false
    return isForNone ? lack(of: presentation) : nil
  }

  /// The sink's report, with what it could not know.
  func amended(_ report: SinkReport) -> SinkReport {
    switch report {
    case .presented(let seq):
      guard let reason = missing[seq] else { return report }
      return .failed(SinkReport.Failed(seq: seq, reason: reason, retry: false))
    case .failed(var failed):
      guard let reason = missing[failed.seq] else { return report }
      failed.reason += "; \(reason)"
      return .failed(failed)
    case .ready, .intent, .log, .pong, .unknown:
      return report
    }
  }

  /// Forgets what is presented no more.
  func prune(to presentations: [Presentation]) {
    guard !missing.isEmpty else { return }
    let wanted = Set(presentations.map(\.seq))
    missing = missing.filter { wanted.contains($0.key) }
  }

  private func lack(of presentation: Presentation) -> String? {
    let unknown = (presentation.parts ?? []).filter { !names.contains($0) }
    guard !unknown.isEmpty else { return nil }
    let words = unknown.map { HarmlessText.oneLine($0, limit: 40) }
    return "\(sink) has no part \(words.joined(separator: ", "))"
  }
}
