/// What those who let time pass by hand have to know.
extension Router {
  /// Whether a sink was asked for something and may still answer in time.
  package var awaitsAnswers: Bool {
    rings.contains { ring in
      ring.deliveries.contains { $0.receipt.result == .pending && $0.deadline != nil }
    }
  }
}
