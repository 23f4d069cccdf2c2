extension AppIntent {
  /// Does it, whatever it comes to.
  package func run() async throws { _ = try await perform() }
}
