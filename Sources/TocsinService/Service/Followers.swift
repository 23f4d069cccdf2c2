import TocsinModel

/// The programs that want to know of each change to their alarms, and what is new for them.
///
/// While there are none nothing is kept and nothing is looked up.
struct Followers {
  private var programs: [String: Program] = [:]
  private var news: [News] = []
  private var places: [AlarmID: Int] = [:]

  /// One program that follows, over any number of connections.
  private struct Program {
    var clients: [UInt64]
    /// Its alarms as far as it was told of them.
    var alarms: Set<AlarmID>
  }

  /// An alarm that something happened to.
  struct News {
    var application: String
    var alarm: AlarmID
    /// Whether it is only known of it what became of its alert at a sink.
    var isReceipt = false
  }

  var isEmpty: Bool { programs.isEmpty }

  /// Tells a client of each change from now on; `alarms` looks up those the program has.
  mutating func add(
    _ client: UInt64,
    of application: String,
    alarms: () -> [AlarmID]
  ) {
    guard programs[application] != nil else {
      programs[application] = Program(clients: [client], alarms: Set(alarms()))
      return
    }
    guard programs[application]?.clients.contains(client) == false else { return }
    programs[application]?.clients.append(client)
  }

  /// Tells a client no more.
  mutating func remove(_ client: UInt64) {
    for (application, program) in programs where program.clients.contains(client) {
      if program.clients.count == 1 {
        programs[application] = nil
      } else {
        programs[application]?.clients.removeAll { $0 == client }
      }
    }
  }

  /// The clients that follow for a program, the first to join first.
  func clients(of application: String) -> [UInt64] { programs[application]?.clients ?? [] }

  /// Notes that an alarm is new or otherwise than before.
  mutating func note(_ alarm: Alarm) {
    guard !programs.isEmpty, let application = alarm.sharedOptions.application,
      programs[application] != nil
    else { return }
    add(News(application: application, alarm: alarm.id))
  }

  /// Notes that something became of an alarm that a program may know, or of its alert at a sink.
  mutating func note(_ alarm: AlarmID, isReceipt: Bool = false) {
    guard !programs.isEmpty,
      let application = programs.first(where: { $0.value.alarms.contains(alarm) })?.key
    else { return }
    add(News(application: application, alarm: alarm, isReceipt: isReceipt))
  }

  /// Notes that all alarms may be otherwise than before: the clock or the zone is another.
  mutating func noteAll() {
    for (application, program) in programs {
      for alarm in program.alarms { add(News(application: application, alarm: alarm)) }
    }
  }

  private mutating func add(_ one: News) {
    if let place = places[one.alarm] {
      if !one.isReceipt { news[place].isReceipt = false }
    } else {
      places[one.alarm] = news.count
      news.append(one)
    }
  }

  /// What is new since the last time, in its order, each alarm once.
  mutating func takeNews() -> [News] {
    guard !news.isEmpty else { return [] }
    defer { (news, places) = ([], [:]) }
    return news
  }

  /// Remembers whether a program's alarm is there now; false if it neither is nor was.
  mutating func settle(_ news: News, isThere: Bool) -> Bool {
    if isThere {
      programs[news.application]?.alarms.insert(news.alarm)
      return true
    }
    return programs[news.application]?.alarms.remove(news.alarm) != nil
  }
}
