import TocsinModel

/// The intents of programs, from the answer that calls for one until it has run.
extension AlarmService {
  /// A program has joined and runs intents: hands it those that wait.
  func offerIntents(to client: ControlClient) {}

  /// A client is gone: what it was handed and has not run is handed to another.
  func takeIntentsBack(from client: ControlClient) {}

  /// A program says that an intent has run.
  func performed(_ number: UInt64, _ failure: String?, _ reply: WaitingReply) {
    refuse(reply, ServiceError(.unknownRequest, "programs cannot join yet"))
  }
}
