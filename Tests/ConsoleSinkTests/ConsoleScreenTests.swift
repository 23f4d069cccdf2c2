import SinkKit
import SinkTesting
import Testing

@testable import ConsoleSink

@Suite struct ConsoleScreenTests {
  private func screen(
    color: Bool = false,
    live: Bool = false,
    bell: Bool = false
  ) -> ConsoleScreen {
    ConsoleScreen(
      look: ConsoleScreen.Look(color: color, live: live, bell: bell),
      time: .utc
    )
  }

  private static let answers = [
    AlarmButton(role: .stop, text: "Stop"), AlarmButton(role: .snooze, text: "Snooze"),
    AlarmButton(role: .secondary, text: "Open\u{1B}[2J"),
  ]

  @Test(
    "Each event is one line for people",
    arguments: [
      (
        .present(Sample.alert(buttons: answers)), 0,
        "07:00:00  ALARM     Wake up  (stop, snooze, Open\u{FFFD}[2J)"
      ),
      (.present(Sample.alert(kind: .timer)), 0, "07:00:00  TIMER     Wake up"),
      (.present(Sample.alert(late: 250)), 250, "07:04:10  ALARM     07:00 Wake up (4 min late)"),
      (.present(Sample.alert(title: "", late: 5)), 5, "07:00:05  ALARM     Alarm 07:00 (5 s late)"),
      (.present(Sample.alert(title: "\n")), 0, "07:00:00  ALARM     Alarm 07:00"),
      (.present(Sample.alert(title: "", kind: .timer)), 0, "07:00:00  TIMER     Timer"),
      (.present(Sample.alert(resumed: true)), 60, "07:01:00  ALARM     Wake up (still ringing)"),
      (.present(Sample.alert(late: .infinity)), 0, "07:00:00  ALARM     Wake up"),
      (.present(Sample.countdown()), 0, "07:00:00  COUNTING until 07:10:00 Tea (10:00)"),
      (
        .present(Sample.countdown(title: "Wake up", total: 540, snooze: true, start: 5)), 5,
        "07:00:05  SNOOZED until 07:09:05 Wake up"
      ),
      (.present(Sample.paused()), 348, "07:05:48  PAUSED    Tea (4:12 left)"),
      (
        .clear(Withdrawal(Sample.cleared(.stopped, by: "cli"))), 9,
        "07:00:09  STOPPED   Wake up by cli"
      ),
      (.clear(Withdrawal(Sample.cleared(title: "", .cancelled))), 9, "07:00:09  CANCELLED Alarm"),
      (
        .clear(Withdrawal(Sample.cleared(.unanswered))), 9,
        "07:00:09  ENDED     Wake up (nobody answered)"
      ),
      (
        .clear(Withdrawal(Sample.cleared(.stopped, by: "a\nb\u{202E}"))), 9,
        "07:00:09  STOPPED   Wake up by a b"
      ),
      (
        .missed(Sample.missed(.late)), 11 * 3_600 + 300,
        "18:05:00  MISSED    07:00 Wake up (11 h late)"
      ),
      (
        .missed(Sample.missed(title: "", .unanswered)), 600,
        "07:10:00  MISSED    07:00 Alarm (nobody answered)"
      ),
      (.clear(Withdrawal(Sample.cleared(.other))), 9, "07:00:09  ENDED     Wake up"),
      (
        .notice(Sample.notice(.critical, "nobody heard\n\u{1B}[2J Wake up")), 9,
        "07:00:09  TROUBLE   nobody heard \u{FFFD}[2J Wake up"
      ),
      (
        .notice(Sample.notice(.warning, "the speaker does not answer")), 9,
        "07:00:09  WARNING   the speaker does not answer"
      ),
      (
        .notice(Sample.notice(.info, "the silence of label:x is over")), 9,
        "07:00:09  NOTICE    the silence of label:x is over"
      ),
    ] as [(ConsoleEvent, Double, String)]
  )
  func lines(event: ConsoleEvent, seconds: Double, expected: String) {
    var screen = screen()
    #expect(screen.show(event, at: Sample.moment(seconds), columns: nil) == expected + "\n")
    #expect(screen.nextRefresh(after: .seconds(seconds)) == nil)
  }

  @Test("What says nothing new makes no line: the same again, an end that nobody asked for")
  func silence() {
    var screen = screen()
    let moment = Sample.moment(0)
    _ = screen.show(.present(Sample.alert(seq: 1)), at: moment, columns: nil)
    #expect(screen.show(.present(Sample.alert(seq: 2)), at: moment, columns: nil) == "")
    var louder = Sample.alert(seq: 3).with(parts: ["led"])
    louder.volumeLimit = 0.5
    #expect(screen.show(.present(louder), at: moment, columns: nil) == "")
    let end = Withdrawal(of: Sample.alert())
    #expect(screen.show(.clear(end), at: moment, columns: nil) == "")
  }

  @Test("What goes on at other sinks goes without a word, its live line and its bell as well")
  func rerouted() {
    var screen = screen(live: true, bell: true)
    _ = screen.show(.present(Sample.countdown(seq: 1, 1)), at: Sample.moment(0), columns: 80)
    _ = screen.show(.present(Sample.alert(seq: 2, 2)), at: Sample.moment(0), columns: 80)
    let countdown = ConsoleEvent.clear(Withdrawal(Sample.cleared(of: 1, .rerouted)))
    #expect(
      screen.show(countdown, at: Sample.moment(1), columns: 80) == "\r\u{1B}[K\u{1B}[?25h"
    )
    let alert = ConsoleEvent.clear(Withdrawal(Sample.cleared(of: 2, .rerouted)))
    #expect(screen.show(alert, at: Sample.moment(1), columns: 80) == "")
    #expect(screen.nextRefresh(after: .seconds(1)) == nil)
    // And if it comes back, it is news.
    let again = screen.show(.present(Sample.alert(seq: 3, 2)), at: Sample.moment(2), columns: 80)
    #expect(again.contains("ALARM"))
  }

  @Test("A notice is never cut, and trouble has the colour of trouble")
  func notice() {
    var screen = screen(color: true)
    let text = String(repeating: "nobody confirmed it ", count: 20)
    let line = screen.show(
      .notice(Sample.notice(.critical, text)),
      at: Sample.moment(0),
      columns: 40
    )
    #expect(line == "07:00:00  \u{1B}[35mTROUBLE  \u{1B}[0m \(text.dropLast())\n")
  }

  @Test("An alarm that is missed is told once, whichever of the two events comes first")
  func missedOnce() {
    var first = screen()
    let moment = Sample.moment(0)
    let cleared = ConsoleEvent.clear(Withdrawal(Sample.cleared(.missed)))
    let missed = ConsoleEvent.missed(Sample.missed(.unanswered))
    #expect(first.show(cleared, at: moment, columns: nil).contains("MISSED"))
    #expect(first.show(missed, at: moment, columns: nil) == "")
    var second = screen()
    #expect(second.show(missed, at: moment, columns: nil).contains("MISSED"))
    #expect(second.show(cleared, at: moment, columns: nil) == "")
  }

  @Test("Resuming is told apart from starting")
  func resuming() {
    var screen = screen()
    _ = screen.show(.present(Sample.paused(seq: 1)), at: Sample.moment(0), columns: nil)
    let resumed = Sample.countdown(seq: 2, total: 252)
    #expect(
      screen.show(.present(resumed), at: Sample.moment(0), columns: nil)
        == "07:00:00  RESUMED until 07:04:12 Tea (4:12)\n"
    )
  }

  @Test("Long titles are cut to the width, and the answers stay", arguments: [20, 30, 40, 80, 200])
  func width(columns: Int) {
    var screen = screen()
    let title = String(repeating: "お茶の時間 ", count: 1_500)
    let alert = Sample.alert(title: title, buttons: [AlarmButton(role: .stop, text: "Stop")])
    let text = screen.show(.present(alert), at: Sample.moment(0), columns: columns)
    #expect(TextWidth.columns(text.dropLast()) <= columns)
    #expect(text.hasSuffix("…  (stop)\n") || columns < 40)
    #expect(text.hasPrefix(columns < 32 ? "ALARM     " : "07:00:00  ALARM     "))
  }

  @Test("Without a width a title has at most a hundred columns")
  func pipeWidth() {
    var screen = screen()
    let alert = Sample.alert(title: String(repeating: "x", count: 16_000))
    let text = screen.show(.present(alert), at: Sample.moment(0), columns: nil)
    #expect(text == "07:00:00  ALARM     " + String(repeating: "x", count: 99) + "…\n")
  }

  @Test("Only the word is coloured")
  func color() {
    var screen = screen(color: true)
    #expect(
      screen.show(.present(Sample.alert()), at: Sample.moment(0), columns: 80)
        == "07:00:00  \u{1B}[1;31mALARM    \u{1B}[0m Wake up\n"
    )
  }

  @Test(
    "The live line has a bar from 40 columns on, and never reaches the last column",
    arguments: [
      (80, "Tea  9:05  [==--------------------------]"), (40, "Tea  9:05  [=--------------]"),
      (39, "Tea  9:05"), (10, "Tea  9:05"), (9, "T…  9:05"), (5, "  9…"),
    ]
  )
  func liveLine(columns: Int, expected: String) {
    var screen = screen(live: true)
    let start = Sample.moment(0)
    let first = screen.show(.present(Sample.countdown()), at: start, columns: columns)
    #expect(first.contains("\n\u{1B}[?25l\r"))
    let text = screen.refresh(at: Sample.moment(55), columns: columns)
    #expect(text == "\r\(expected)\u{1B}[K")
    #expect(TextWidth.columns(expected) < columns)
  }

  @Test("The next to ring has the live line, the others are counted, paused ones are not")
  func severalCountdowns() {
    var screen = screen(live: true)
    let moment = Sample.moment(0)
    let long = Sample.countdown(1, title: "Bread", total: 3_723)
    _ = screen.show(.present(long), at: moment, columns: 35)
    #expect(screen.refresh(at: moment, columns: 35) == "\rBread  1:02:03\u{1B}[K")
    _ = screen.show(.present(Sample.countdown(2)), at: moment, columns: 35)
    _ = screen.show(.present(Sample.paused(3, title: "Egg")), at: moment, columns: 35)
    #expect(screen.refresh(at: moment, columns: 35) == "\rTea  10:00  +1\u{1B}[K")
    let text = screen.show(.present(Sample.alert(2)), at: moment, columns: 35)
    #expect(
      text == "\r\u{1B}[K07:00:00  ALARM     Wake up\n\rBread  1:02:03\u{1B}[K"
    )
  }

  @Test("The cursor is hidden once and shown again when the live line goes, however it goes")
  func cursor() {
    var screen = screen(live: true)
    let moment = Sample.moment(0)
    _ = screen.show(.present(Sample.countdown()), at: moment, columns: 35)
    #expect(!screen.refresh(at: moment, columns: 35).contains("?25l"))
    let end = screen.show(
      .clear(Withdrawal(Sample.cleared(.cancelled))),
      at: moment,
      columns: 35
    )
    #expect(end.hasPrefix("\r\u{1B}[K07:00:00  CANCELLED Wake up\n"))
    #expect(end.hasSuffix("\u{1B}[?25h"))
    #expect(screen.close() == "")
    _ = screen.show(.present(Sample.countdown()), at: moment, columns: 35)
    #expect(screen.close() == "\r\u{1B}[K\u{1B}[?25h")
    #expect(screen.close() == "")
  }

  @Test("Redraws fall on whole seconds of the remaining time and end at 0:00")
  func alignment() {
    var screen = screen(live: true)
    var late = Sample.countdown(total: 600.25)
    late.title = ""
    _ = screen.show(.present(late), at: Sample.moment(0.75), columns: 30)
    // 599.5 s are left and read 10:00; at 599 s they read 9:59.
    #expect(screen.nextRefresh(after: Sample.moment(0.75).elapsed) == .milliseconds(1_250))
    #expect(screen.refresh(at: Sample.moment(1.25), columns: 30) == "\rTimer  9:59\u{1B}[K")
    #expect(screen.nextRefresh(after: .milliseconds(1_250)) == .milliseconds(2_250))
    #expect(screen.refresh(at: Sample.moment(600.25), columns: 30) == "\rTimer  0:00\u{1B}[K")
    #expect(screen.nextRefresh(after: .milliseconds(600_250)) == nil)
  }

  @Test("A step of the wall clock does not move a countdown")
  func step() {
    var screen = screen(live: true)
    _ = screen.show(.present(Sample.countdown()), at: Sample.moment(0), columns: 30)
    let stepped = Moment(now: Sample.after(-3_600), elapsed: .seconds(5))
    #expect(screen.refresh(at: stepped, columns: 30) == "\rTea  9:55\u{1B}[K")
  }

  @Test("The bell strikes with an alert and every three seconds until the last one ends")
  func bell() {
    var screen = screen(bell: true)
    let first = screen.show(.present(Sample.alert(1)), at: Sample.moment(0), columns: 80)
    #expect(first.hasSuffix("\n\u{7}"))
    #expect(screen.nextRefresh(after: .zero) == .seconds(3))
    #expect(screen.refresh(at: Sample.moment(3), columns: 80) == "\u{7}")
    _ = screen.show(.present(Sample.alert(2)), at: Sample.moment(4), columns: 80)
    #expect(screen.nextRefresh(after: .seconds(4)) == .seconds(7))
    _ = screen.show(
      .clear(Withdrawal(Sample.cleared(of: 1, .stopped))),
      at: Sample.moment(5),
      columns: 80
    )
    #expect(screen.nextRefresh(after: .seconds(5)) == .seconds(7))
    _ = screen.show(
      .present(Sample.countdown(2, snooze: true)),
      at: Sample.moment(6),
      columns: 80
    )
    #expect(screen.nextRefresh(after: .seconds(6)) == nil)
  }

  @Test("A silent alarm rings no bell")
  func silentAlarm() {
    var screen = screen(bell: true)
    let text = screen.show(
      .present(Sample.alert(sound: "none")),
      at: Sample.moment(0),
      columns: 80
    )
    #expect(!text.contains("\u{7}"))
    #expect(screen.nextRefresh(after: .zero) == nil)
  }
}
