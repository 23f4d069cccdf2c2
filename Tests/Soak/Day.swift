import Foundation
import ProcessTesting
import TocsinModel
import TocsinTime

/// What a household does on one day, and what has to ring because of it.
///
/// Times are seconds of UTC as the wall clock reads them, and when the wall clock has to ring is
/// worked out with Foundation's calendar, which is not the code under test.
struct Day {
  /// Something that is done.
  enum Deed {
    case ask(Request.Body)
    /// The command, as a process.
    case command([String])
    case zone(String)
    /// Somebody sets the wall clock by so many seconds.
    case step(Int64)
    /// The machine sleeps for so many seconds.
    case sleep(Int64)
    /// A sink is killed.
    case kill(String)
    /// Clients come and go.
    case visit
  }

  /// Something that rings, or does not reach anybody.
  struct Ring: Hashable {
    var title: String
    var at: Int64
  }

  let number: Int
  /// Midnight, UTC.
  let start: Int64
  private(set) var deeds: [(at: Int64, deed: Deed)] = []
  private(set) var rings: [Ring] = []
  private(set) var missed: [Ring] = []
  /// Whether a sink dies, so that its answer for one ring may be a failure first.
  private(set) var hasDeath = false
  private var chance: SeededGenerator

  /// Monday, 2027-02-01: summer time begins 55 days later.
  static let first: Int64 = 1_801_440_000
  static let zones = ["Europe/Berlin", "Europe/London", "Europe/Helsinki"]
  /// What a snooze takes by plugins.conf, how long an alarm rings unanswered, how often it comes back.
  static let snooze: Int64 = 540, ringFor: Int64 = 300, autoSnooze: Int64 = 2

  init(_ number: Int, seed: UInt64) {
    self.number = number
    start = Self.first + Int64(number) * 86_400
    chance = SeededGenerator(state: seed &+ UInt64(number) &* 0x1_0001)
    if number == 0 { standing() }
    if number % 4 == 0 { plan("02:00", .zone(zone)) }
    if number % 7 < 5 { workday() } else { weekend() }
    for (index, title) in ["Tea", "Rice", "Eggs"].enumerated() { timer(index, title) }
    clock()
    command()
    for _ in 0..<3 { deeds.append((start + chance.seconds(20_000...70_000), .visit)) }
    // What is planned first for one second is done first.
    let order = deeds.enumerated().sorted {
      ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
    }
    deeds = order.map(\.element)
    rings.sort { ($0.at, $0.title) < ($1.at, $1.title) }
  }

  private var zone: String { Self.zones[number / 4 % Self.zones.count] }

  /// The alarms that stand for all of the time.
  private mutating func standing() {
    plan("00:30", .ask(.schedule(Self.work("06:50"))))
    let weekend = WallSchedule(time: Self.time("08:30"), days: .weekly(.weekends))
    let alarm = Alarm(id: AlarmID(high: 1, low: 2), title: "Sleep in", schedule: .wall(weekend))
    plan("00:30", .ask(.schedule(alarm)))
  }

  private static func work(_ time: String) -> Alarm {
    let schedule = WallSchedule(time: Self.time(time), days: .weekly(.weekdays))
    return Alarm(id: AlarmID(high: 1, low: 1), title: "Work", schedule: .wall(schedule))
  }

  private mutating func workday() {
    let due = local("06:50")
    switch number % 9 {
    case 0: stops("Work", at: due)
    case 1:
      var at = due
      for _ in 0..<chance.seconds(1...3) {
        rings.append(Ring(title: "Work", at: at))
        let answer = at + chance.seconds(1...200)
        say(answer, .snooze, "Work")
        at = answer + Self.snooze
      }
      stops("Work", at: at)
    case 2:
      // Nobody is there: it comes back by itself, and is given up.
      for time in 0...Self.autoSnooze {
        rings.append(Ring(title: "Work", at: due + time * (Self.ringFor + Self.snooze)))
      }
      missed.append(Ring(title: "Work", at: due))
    case 3: say(at("01:00"), .skip, "Work")
    case 4:
      say(at("01:00"), .disable, "Work")
      say(at("12:00"), .enable, "Work")
    case 5:
      plan("01:00", .ask(.update(Self.work("07:20"))))
      stops("Work", at: local("07:20"))
      plan("12:00", .ask(.update(Self.work("06:50"))))
    case 6:
      // The machine wakes ten minutes late, which is within the grace.
      deeds.append((due - 60, .sleep(660)))
      stops("Work", at: due + 600)
    case 7:
      // And forty, which is not.
      deeds.append((due - 60, .sleep(2_460)))
      missed.append(Ring(title: "Work", at: due))
    default:
      hasDeath = true
      deeds.append((due, .kill(["console", "lamp"][number / 9 % 2])))
      stops("Work", at: due)
    }
  }

  private mutating func weekend() {
    stops("Sleep in", at: local("08:30"))
  }

  /// A timer of the kitchen, between ten and eleven.
  private mutating func timer(_ index: Int, _ title: String) {
    let begin = at("10:00") + Int64(index) * 60
    let length = chance.seconds(180...1_800)
    schedule(title, begin, CountdownDuration(preAlert: Double(length)))
    switch chance.seconds(0...4) {
    case 0: stops(title, at: begin + length)
    case 1:
      say(begin + length / 3, .pause, title)
      say(begin + length / 3 + 300, .resume, title)
      stops(title, at: begin + length + 300)
    case 2: say(begin + length / 2, .cancel, title)
    case 3:
      let more = Intent(.extend, .named(title), duration: 120)
      deeds.append((begin + length / 2, .ask(.intent(more))))
      stops(title, at: begin + length + 120)
    default:
      // Nobody is there, and it ends by itself.
      rings.append(Ring(title: title, at: begin + length))
    }
  }

  /// The clock is set while a timer counts, which keeps its length, and before an alarm, which keeps
  /// its time.
  private mutating func clock() {
    let step = chance.seconds(-20...20)
    schedule("Bread", at("12:20"), CountdownDuration(preAlert: 1_800))
    plan("12:30", .step(step))
    stops("Bread", at: at("12:50") + step)
    let call = Schedule.fixed(Instant(seconds: at("13:00")))
    let id = AlarmID(using: &chance)
    plan("12:20", .ask(.schedule(Alarm(id: id, title: "Call", schedule: call))))
    stops("Call", at: at("13:00"))
  }

  private mutating func command() {
    let begin = at("15:00")
    deeds.append((begin, .command(["timer", "4m", "Coffee", "--json"])))
    deeds.append((begin + 60, .command(["list"])))
    rings.append(Ring(title: "Coffee", at: begin + 240))
    deeds.append((begin + 260, .command(["stop", "Coffee"])))
  }

  // MARK: - Words for the above

  private mutating func plan(_ time: String, _ deed: Deed) { deeds.append((at(time), deed)) }

  private mutating func say(_ at: Int64, _ action: AlarmAction, _ title: String) {
    deeds.append((at, .ask(.intent(Intent(action, .named(title))))))
  }

  private mutating func schedule(_ title: String, _ at: Int64, _ countdown: CountdownDuration) {
    let alarm = Alarm(id: AlarmID(using: &chance), title: title, countdown: countdown)
    deeds.append((at, .ask(.schedule(alarm))))
  }

  /// It rings, and is stopped after a while.
  private mutating func stops(_ title: String, at: Int64) {
    rings.append(Ring(title: title, at: at))
    say(at + chance.seconds(1...100), .stop, title)
  }

  private static func time(_ text: String) -> TimeOfDay {
    TimeOfDay(text) ?? TimeOfDay(secondOfDay: 0)
  }

  /// A time of UTC on this day.
  private func at(_ time: String) -> Int64 { start + Int64(Self.time(time).secondOfDay) }

  /// When the clocks show that time on this day, by Foundation's calendar.
  private func local(_ time: String) -> Int64 {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
    let noon = Date(timeIntervalSince1970: TimeInterval(start + 43_200))
    var parts = calendar.dateComponents([.year, .month, .day], from: noon)
    let seconds = Self.time(time).secondOfDay
    (parts.hour, parts.minute) = (Int(seconds) / 3_600, Int(seconds) / 60 % 60)
    return Int64((calendar.date(from: parts) ?? noon).timeIntervalSince1970)
  }
}
