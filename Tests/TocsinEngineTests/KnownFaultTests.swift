import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

/// Faults of other alarm clocks whose twist no timeline shows: what is pending, and with which sound.
@Suite("Faults known from other alarm clocks")
struct KnownFaultTests {
  @Test("Tomorrow's ring is there from the moment that today's begins")
  func rearmed() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    try time.alarm("A", "07:00", .everyDay)
    try time.alarm("B", "07:00", .everyDay, preAlert: 600)
    try time.wait(until: "2027-06-07T05:00:00Z")
    let tomorrow = Instant(rfc3339: "2027-06-08T05:00:00Z")
    for name in ["A", "B"] {
      #expect(time.status(name)?.state == .alerting)
      #expect(time.status(name)?.scheduled == tomorrow, "\(name)")
    }
    // Nobody answers, the daemon is killed in the middle of it, and it is still there.
    time.restart(after: .seconds(1))
    #expect(time.status("A")?.scheduled == tomorrow)
    time.wait(.seconds(2 * 3_600))
    for name in ["A", "B"] {
      #expect(time.status(name)?.scheduled == tomorrow, "\(name)")
      #expect(time.status(name)?.state != .alerting)
    }
  }

  @Test("Each alarm rings with its own sound, whatever was deleted, switched or edited around it")
  func ownSounds() throws {
    var time = try Timeline("2027-06-07T04:00:00Z")
    for (index, name) in ["A", "B", "C", "D", "E"].enumerated() {
      try time.alarm(name, "07:00", .everyDay) {
        $0.options.sound = "\(name).wav"
        $0.options.volume = Double(index + 1) / 10
      }
    }
    time.act(.cancel, "B")
    time.act(.disable, "C")
    try time.alarm("F", "07:00") { $0.options.sound = "F.wav" }
    try time.update("D") {
      $0.schedule = .wall(WallSchedule(time: TimeOfDay(secondOfDay: 25_200), days: .once))
    }
    time.act(.cancel, "A")
    time.restart(after: .seconds(60))
    try time.alarm("A", "07:00") { $0.options.sound = "A2.wav" }
    try time.wait(until: "2027-06-07T05:00:00Z")
    let heard = time.presentations.map { "\($0.title) \($0.options.sound ?? "")" }
    #expect(heard.sorted() == ["A A2.wav", "D D.wav", "E E.wav", "F F.wav"])
    let volumes = time.presentations.map(\.options.volume)
    #expect(volumes.compactMap(\.self).sorted() == [0.4, 0.5])
  }
}
