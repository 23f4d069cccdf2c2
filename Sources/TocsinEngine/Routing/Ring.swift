import TocsinModel
import TocsinTime

/// One alert on its way to those that present it: who was asked, what they said, who is next.
struct Ring: Sendable {
  let occurrence: OccurrenceID
  var title: String
  var due: Instant
  /// What routes, silences and inhibitions see of it.
  var subject: RouteSubject
  /// The number of the alert as it began.
  var seq: UInt64
  var plan: RoutePlan
  /// When it began to ring.
  var start: BootTime
  /// Since when nobody answers, which may be longer if it snoozed itself.
  var began: BootTime
  /// Whether anybody was asked yet.
  var hasBegun = false
  /// Who is asked by now.
  var joined: [RoutePlan.Assignment] = []
  /// Those of the alert itself that wait for their delay.
  var delayed: [RoutePlan.Assignment] = []
  /// The steps that have not been taken.
  var fallback: [RoutePlan.Step] = []
  var escalate: [RoutePlan.Step] = []
  /// Who was asked, in the order of asking.
  var deliveries: [Delivery] = []
  /// Since when nothing audible is confirmed; nil while something is.
  var unheardSince: BootTime?
  /// When somebody was last asked in addition.
  var lastStep: BootTime
  /// Whether it was reported that nobody confirmed it.
  var isReported = false
  /// Why it is presented by nobody.
  var withheld: String?
  /// Sinks it is held back from.
  var heldBack: [SinkTarget] = []
  /// The numbers of all events that it was sent under.
  var numbers: [UInt64] = []
  /// How many receipts are still worth a line in the record.
  var linesLeft = 64

  /// What one sink was asked, and what it said.
  struct Delivery: Sendable {
    var sink: SinkID
    var share: Share
    /// The event that it has to confirm.
    var seq: UInt64
    /// When it counts as not answered; nil once it did.
    var deadline: BootTime?
    var receipt: AlertReceipt
    /// What the record last said of it.
    var recorded: AlertReceipt.Result?
    /// Whether it answers without having been asked: a client that only watches.
    var isGuest = false
  }

  /// Whether a sound is wanted at all.
  var wantsSound: Bool { subject.sound != "none" }

  /// Whether somebody could have been woken by it: what the alert is for.
  var isHeard: Bool {
    deliveries.contains { $0.receipt.result == .presented && ($0.receipt.audible || !wantsSound) }
  }

  /// Whether all that could be heard have said that they cannot, so that waiting helps nobody.
  func hasNothingToHope(_ sinks: [SinkID: KnownSink]) -> Bool {
    var hasFailure = false
    for delivery in deliveries {
      guard sinks[delivery.sink]?.isAudible(delivery.share.parts) ?? true || !wantsSound else {
        continue
      }
      if delivery.receipt.result != .failed { return false }
      hasFailure = true
    }
    return hasFailure
  }

  /// Whether it reached those it could reach: where nobody can be heard, being seen is all there is.
  func isConfirmed(_ sinks: [SinkID: KnownSink]) -> Bool {
    if isHeard { return true }
    guard deliveries.contains(where: { $0.receipt.result == .presented }) else { return false }
    return !deliveries.contains { sinks[$0.sink]?.isAudible($0.share.parts) ?? true }
  }

  /// What went wrong, for a person: `speaker failed: no card; popup did not answer`.
  var troubles: String {
    let all = deliveries.compactMap { delivery -> String? in
      let name = delivery.name
      switch delivery.receipt.result {
      case .presented: return nil
      case .pending: return "\(name) has not answered"
      case .failed: return "\(name) failed: \(delivery.receipt.detail ?? "no reason given")"
      case .timedOut: return "\(name) did not answer"
      }
    }
    return all.isEmpty ? "no sink is there" : all.joined(separator: "; ")
  }
}

extension Ring.Delivery {
  /// Notes how it ended.
  mutating func end(_ result: AlertReceipt.Result, _ detail: String?, at instant: Instant) {
    deadline = nil
    receipt.result = result
    receipt.detail = detail
    receipt.at = instant
  }

  /// The sink and, if not the whole of it is meant, its parts: `bedside.led`.
  var name: String {
    guard let parts = share.parts else { return sink.name }
    return parts.map { "\(sink.name).\($0)" }.joined(separator: ", ")
  }
}
