import AlarmKit

/// A program with alarms, played by lines: what it is to do comes in, and what it sees goes out.
enum TestProgram {
  /// Obeys until the end of the input.
  static func run() async -> Int32 {
    let manager = AlarmManager.shared
    let following = Task {
      for await alarms in manager.alarmUpdates {
        let words = alarms.map { "\($0.id)=\($0.state)" }
        say((["alarms"] + words.sorted()).joined(separator: " "))
      }
    }
    for await line in lines() {
      let words = line.split(separator: " ").map(String.init)
      do {
        say("ok \(words[0]) \(try await obey(words, manager))")
      } catch let failure as AlarmManager.Failure {
        say("failed \(words[0]) \(failure.reason)")
      } catch {
        say("failed \(words[0]) \(error)")
      }
    }
    following.cancel()
    return 0
  }

  private static func obey(_ words: [String], _ manager: AlarmManager) async throws -> String {
    if words == ["attach"] {
      try manager.attach(TestSink())
      return ""
    }
    if words == ["go"] {
      TestIntent.go()
      return ""
    }
    if words == ["list"] {
      for await alarms in manager.alarmUpdates {
        return alarms.map { "\($0.id)" }.sorted().joined(separator: " ")
      }
    }
    guard words.count > 1, let id = UUID(uuidString: words[1]) else { return "what?" }
    switch words[0] {
    case "timer": try await schedule(id, words[2], words[3], manager)
    case "stop": try manager.stop(id: id)
    case "cancel": try manager.cancel(id: id)
    case "countdown": try manager.countdown(id: id)
    case "press": await TestSink.press(id, words[2])
    default: return "what?"
    }
    return "\(id)"
  }

  /// Sets a timer whose buttons are those of the word: `stop`, `snooze` or `custom`.
  private static func schedule(
    _ id: UUID,
    _ seconds: String,
    _ word: String,
    _ manager: AlarmManager
  ) async throws {
    let button = AlarmButton(text: "\(word)", textColor: .white, systemImageName: "star")
    let isSecond = word != "stop"
    let alert = AlarmPresentation.Alert(
      title: "Tea",
      secondaryButton: isSecond ? button : nil,
      secondaryButtonBehavior: isSecond ? (word == "custom" ? .custom : .countdown) : nil
    )
    let configuration = AlarmManager.AlarmConfiguration(
      countdownDuration: Alarm.CountdownDuration(
        preAlert: TimeInterval(seconds) ?? 1,
        postAlert: 3_000
      ),
      attributes: AlarmAttributes(
        presentation: AlarmPresentation(
          alert: alert,
          countdown: AlarmPresentation.Countdown(title: "Brewing")
        ),
        metadata: TestMetadata(word: word),
        tintColor: .green
      ),
      stopIntent: isSecond ? nil : TestIntent(id, word),
      secondaryIntent: isSecond ? TestIntent(id, word) : nil
    )
    _ = try await manager.schedule(id: id, configuration: configuration)
  }

  private static func lines() -> AsyncStream<String> {
    AsyncStream { lines in
      Thread.detachNewThread {
        while let line = readLine() { lines.yield(line) }
        lines.finish()
      }
    }
  }
}

struct TestMetadata: AlarmMetadata {
  var word: String
}

func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
