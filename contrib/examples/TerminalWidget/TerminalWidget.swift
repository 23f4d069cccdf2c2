import AlarmKit

/// A timer for tea, and the widget that shows it.
struct TerminalWidget {
  /// Runs to the end of the timer, and gives the exit code.
  static func run(_ arguments: ArraySlice<String>) async -> Int32 {
    // A timer of a demonstration need not outlive it: kept in memory, unless the environment says where.
    setenv("TOCSIN_ALARMKIT", "ephemeral", 0)
    guard let seconds = arguments.isEmpty ? 5 : TimeInterval(arguments.joined()),
      seconds > 0, seconds < 86_400
    else {
      FileHandle.standardOutput.write(Data("usage: example-terminal-widget [SECONDS]\n".utf8))
      return 64
    }
    let id = UUID()
    do {
      try await show(brew("Darjeeling", for: seconds), id)
      return 0
    } catch {
      FileHandle.standardOutput.write(Data("\(error)\n".utf8))
      try? AlarmManager.shared.cancel(id: id)
      return 1
    }
  }

  private static func brew(
    _ tea: String,
    for seconds: TimeInterval
  ) -> AlarmManager.AlarmConfiguration<Brewing> {
    .timer(
      duration: seconds,
      attributes: AlarmAttributes(
        presentation: AlarmPresentation(
          alert: AlarmPresentation.Alert(title: "\(tea) is ready"),
          countdown: AlarmPresentation.Countdown(title: "\(tea)")
        ),
        metadata: Brewing(tea: tea),
        tintColor: .green
      )
    )
  }

  private static func show(
    _ configuration: AlarmManager.AlarmConfiguration<Brewing>,
    _ id: UUID
  ) async throws {
    let manager = AlarmManager.shared
    let screen = WidgetScreen()
    let attachment = try manager.attach(screen)
    defer { attachment.detach() }
    _ = try await manager.schedule(id: id, configuration: configuration)
    if isatty(STDIN_FILENO) == 1 {
      Thread.detachNewThread {
        _ = readLine()
        Task { await screen.stop() }
      }
    }
    await screen.end()
  }
}
