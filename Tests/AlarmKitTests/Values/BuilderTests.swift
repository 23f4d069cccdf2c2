import ActivityKit
import AlarmKit
import AppIntents
import Testing

@Suite("An alarm put together from its parts")
struct BuilderTests {
  private func built(
    @AlarmConfigurationBuilder _ parts: () -> AlarmManager.AlarmConfiguration<NoMetadata>
  ) -> AlarmManager.AlarmConfiguration<NoMetadata> { parts() }

  @Test("has them all, in any order")
  func whole() {
    let configuration = built {
      CountdownDuration(preAlert: 1_800, postAlert: 120)
      AlarmPresentation.Countdown(title: "Focus", pauseButton: AlarmButton(label: "Pause"))
      AlarmPresentation.Alert(
        title: "Complete",
        stopButton: AlarmButton(label: "Done"),
        secondaryButton: .repeatButton(),
        secondaryButtonBehavior: .countdown
      )
      AlarmPresentation.Paused(title: "Paused", resumeButton: AlarmButton(label: "Resume"))
      AlertConfiguration.AlertSound.named("gong")
      AlarmConfigurationPart.stopIntent(StopDose(alarm: "a"))
      AlarmConfigurationPart.secondaryIntent(ShowDose())
      AlarmAttributes(tintColor: .purple)
    }
    #expect(
      configuration.countdownDuration
        == Alarm.CountdownDuration(preAlert: 1_800, postAlert: 120)
    )
    let presentation = configuration.attributes.presentation
    #expect(presentation.countdown?.title == "Focus" && presentation.paused?.title == "Paused")
    #expect(presentation.alert.title == "Complete" && presentation.alert.stopButton.text == "Done")
    #expect(presentation.alert.secondaryButtonBehavior == .countdown)
    #expect(configuration.attributes.tintColor == .purple)
    #expect(configuration.sound == .named("gong"))
    #expect((configuration.stopIntent as? StopDose)?.alarm == "a")
    #expect(configuration.secondaryIntent is ShowDose)
  }

  @Test("has what is left out as it is")
  func little() {
    let configuration = built {
      Alarm.Schedule.relative(Alarm.Schedule.Relative(time: Sample.time(9, 0), repeats: .never))
      AlarmPresentation.Alert(title: "Reminder", stopButton: AlarmButton(label: "OK"))
    }
    #expect(
      configuration.schedule == .relative(Alarm.Schedule.Relative(time: Sample.time(9, 0)))
    )
    #expect(configuration.countdownDuration == nil && configuration.sound == .default)
    #expect(configuration.attributes.presentation.countdown == nil)
    #expect(configuration.attributes.tintColor == .accentColor)
    #expect(built {}.attributes.presentation.alert.title == "")
  }

  @Test("takes the later of two parts, and the colour without what is shown")
  func later() {
    let configuration = built {
      AlarmPresentation.Alert(title: "one")
      AlarmPresentation.Alert(title: "two")
      AlarmAttributes(tintColor: .red)
    }
    #expect(configuration.attributes.presentation.alert.title == "two")
    #expect(configuration.attributes.tintColor == .red)
    let shown = built {
      AlarmPresentation.Alert(title: "one")
      AlarmAttributes(
        presentation: AlarmPresentation(alert: AlarmPresentation.Alert(title: "whole")),
        tintColor: .red
      )
    }
    #expect(shown.attributes.presentation.alert.title == "whole")
    let presentation = built {
      AlarmPresentation(alert: AlarmPresentation.Alert(title: "shown"))
    }
    #expect(presentation.attributes.presentation.alert.title == "shown")
  }

  @Test("may be put together by what is so", arguments: [true, false])
  func conditions(isTimer: Bool) {
    let configuration = built {
      if isTimer {
        CountdownDuration(preAlert: 5, postAlert: nil)
      } else {
        Alarm.Schedule.fixed(Date(timeIntervalSince1970: 7))
      }
      if isTimer { AlarmPresentation.Countdown(title: "Counting") }
      for name in ["a", "b"] { AlertConfiguration.AlertSound.named(name) }
      if #available(iOS 26.1, *) { AlarmPresentation.Alert(title: "Now") }
    }
    #expect((configuration.countdownDuration != nil) == isTimer)
    #expect((configuration.schedule == nil) == isTimer)
    #expect((configuration.attributes.presentation.countdown != nil) == isTimer)
    #expect(configuration.sound == .named("b"))
    #expect(configuration.attributes.presentation.alert.title == "Now")
  }
}
