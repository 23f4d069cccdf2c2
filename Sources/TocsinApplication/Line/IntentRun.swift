import TocsinModel

/// The one place where the line starts tasks: each intent runs in one of its own.
enum IntentRun {
  /// Runs an intent, and says afterwards what it threw.
  static func start(_ intent: PendingIntent, _ core: LinkCore) {
    guard let perform = core.perform else { return }
    Task {
      let failure = await perform(intent)
      core.post(.ran(number: intent.number, failure: failure))
    }
  }
}
