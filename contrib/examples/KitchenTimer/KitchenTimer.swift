import AlarmKit

/// What the timer is for; it comes back with each presentation.
struct Cooking: AlarmMetadata {
  var dish: String
}

/// One timer, from the first second to the end of its intent.
struct KitchenTimer {
  let manager = AlarmManager.shared
  let id = UUID()
  let length: TimeInterval
  /// Whether a person sits before it, who has the time to answer.
  let takesKeys: Bool
  let display = KitchenDisplay()

  /// Counts down to a dish, as an app for iOS would ask for it.
  func start(_ dish: String) async throws {
    let presentation = AlarmPresentation(
      alert: AlarmPresentation.Alert(title: "\(dish): done"),
      countdown: AlarmPresentation.Countdown(
        title: "\(dish)",
        pauseButton: AlarmButton(text: "Pause", textColor: .white, systemImageName: "pause")
      ),
      paused: AlarmPresentation.Paused(
        title: "\(dish), paused",
        resumeButton: AlarmButton(text: "Resume", textColor: .white, systemImageName: "play")
      )
    )
    let attributes = AlarmAttributes(
      presentation: presentation,
      metadata: Cooking(dish: dish),
      tintColor: .orange
    )
    _ = try await manager.schedule(
      id: id,
      configuration: .timer(
        duration: length,
        attributes: attributes,
        stopIntent: DishIsDone(alarmID: id, dish: dish)
      )
    )
  }

  /// Does all that a person would, and gives the exit code.
  static func run(_ arguments: ArraySlice<String>) async -> Int32 {
    // A timer of a demonstration need not outlive it: kept in memory, unless the environment says where.
    setenv("TOCSIN_ALARMKIT", "ephemeral", 0)
    guard let length = Options.length(arguments) else {
      say("usage: example-kitchen-timer [--for 90s|4m]")
      return 64
    }
    let timer = KitchenTimer(length: length, takesKeys: Keys.isTerminal && !arguments.isEmpty)
    do {
      try await timer.cook("Eggs")
      return 0
    } catch {
      say("\(error)")
      try? timer.manager.cancel(id: timer.id)
      return 1
    }
  }

  private func cook(_ dish: String) async throws {
    if takesKeys { say("p pauses, r resumes, Enter stops") }
    let attachment = try manager.attach(display)
    defer { attachment.detach() }
    try await start(dish)
    let person = Task { try await takesKeys ? answerKeys() : answerAlone() }
    defer { person.cancel() }
    // Who stops it wants its intent to run; who cancels it wants nothing of it.
    if await display.end() == .stopped { await DishIsDone.hasRun() }
    for await alarms in manager.alarmUpdates {
      // The first list is how things stand.
      say(alarms.isEmpty ? "no timer is left" : "a timer is left")
      break
    }
  }

  /// What a person does: pauses it once, goes on, and stops it when it rings.
  private func answerAlone() async throws {
    var hasPaused = false
    for await presentation in display.presentations {
      switch presentation.state.mode {
      case .countdown where !hasPaused:
        hasPaused = true
        try await Task.sleep(for: .seconds(length / 3))
        say("> pause")
        try manager.pause(id: id)
      case .countdown: break
      case .paused:
        try await Task.sleep(for: .seconds(length / 6))
        say("> resume")
        try manager.resume(id: id)
      case .alert:
        try await Task.sleep(for: .seconds(min(1, length / 3)))
        say("> stop")
        await display.press(.stop)
      }
    }
  }

  private func answerKeys() async throws {
    for await key in Keys.pressed() {
      switch key {
      case "p": await display.press(.pause)
      case "r": await display.press(.resume)
      case "\n", "\r": await display.press(.stop)
      case "q", "\u{3}", "\u{4}": try manager.cancel(id: id)
      default: break
      }
    }
  }
}

func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
