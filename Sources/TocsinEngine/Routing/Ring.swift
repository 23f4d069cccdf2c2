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
    /// Whether it would be heard, or has not said so yet.
    var mayBeHeard = true
    /// What the record last said of it.
    var recorded: AlertReceipt.Result?
    /// Whether it answers without having been asked: a client that only watches.
    var isGuest = false
  }

  /// Whether a sound is wanted at all.
  var wantsSound: Bool { subject.sound != "none" }

  // By their places, here and below: each answer of each sink asks, and copies of deliveries cost more than that.

  /// Whether somebody could have been woken by it: what the alert is for.
  var isHeard: Bool {
    let isQuiet = !wantsSound
    return deliveries.indices.contains {
      deliveries[$0].receipt.result == .presented && (isQuiet || deliveries[$0].receipt.audible)
    }
  }

  /// Whether all that could be heard have said that they cannot, so that waiting helps nobody.
  var hasNothingToHope: Bool {
    let isQuiet = !wantsSound
    let hopes = deliveries.indices.filter { isQuiet || deliveries[$0].mayBeHeard }
    return !hopes.isEmpty && hopes.allSatisfy { deliveries[$0].receipt.result == .failed }
  }

  /// Whether it reached those it could reach: where nobody can be heard, being seen is all there is.
  var isConfirmed: Bool {
    if isHeard { return true }
    return deliveries.indices.contains { deliveries[$0].receipt.result == .presented }
      && !deliveries.indices.contains { deliveries[$0].mayBeHeard }
  }

  /// Where the delivery to a sink is.
  func place(of sink: SinkID) -> Int? {
    deliveries.indices.first { deliveries[$0].sink == sink }
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
  /// Takes in what its sink says of itself.
  mutating func learn(of sink: KnownSink) {
    let isAudible = sink.isAudible(share.parts)
    (receipt.audible, mayBeHeard) = (isAudible ?? false, isAudible ?? true)
  }

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
