import AlarmKit
import Glibc
import Synchronization
import TocsinClient
import TocsinModel
import TocsinService

/// A sink that presents everything to nobody: it records what it is sent, confirms it, and passes on what a person
/// would press.
///
/// It has a thread of its own, as the service waits for its answers while the test waits for the service.
final class RecordingSink: Sendable {
  private let state: Mutex<State>
  private let bell: (ring: Int32, hear: Int32)

  private struct State {
    var recorded: [RecordedPresentation] = []
    var shown: [(presentation: Presentation, record: RecordedPresentation)] = []
    var questions: [Question] = []
    var hasEnded = false
  }

  /// Something that the test asks the service.
  private struct Question {
    var body: Request.Body
    var answer: CheckedContinuation<Result<Void, TestAlarmsError>, Never>
  }

  private let clocks: ManualClocks
  private let machine: TestMachine

  /// Connects a sink.
  ///
  /// - Parameters:
  ///   - descriptor: one end of a connection, which the sink then owns.
  ///   - clocks: what the events' times are taken from where they bear none.
  ///   - machine: has the time zone that rings are shown in.
  ///   - before: what an earlier sink has recorded.
  init(
    _ descriptor: Int32,
    clocks: ManualClocks,
    _ machine: TestMachine,
    after before: [RecordedPresentation]
  ) {
    self.clocks = clocks
    self.machine = machine
    state = Mutex(State(recorded: before))
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    bell = (ring: ends[1], hear: ends[0])
    let thread = Thread { self.serve(descriptor) }
    thread.name = "sink"
    thread.start()
  }

  deinit {
    close(bell.ring)
    close(bell.hear)
  }

  /// Everything that was presented or withdrawn, in order.
  var recorded: [RecordedPresentation] { state.withLock { $0.recorded } }

  /// What is presented now, the oldest first.
  var presented: [RecordedPresentation] { state.withLock { $0.shown.map(\.record) } }

  /// What is presented of an alarm now.
  func shown(_ id: AlarmID) -> Presentation? {
    state.withLock { $0.shown.last { $0.presentation.alarm == id }?.presentation }
  }

  /// Asks the service something; whatever it sent before its answer is recorded then.
  ///
  /// - Throws: `TestAlarmsError` with what the service says.
  func ask(_ body: Request.Body) async throws {
    try await withCheckedContinuation { answer in
      let hasEnded = state.withLock { state in
        if !state.hasEnded { state.questions.append(Question(body: body, answer: answer)) }
        return state.hasEnded
      }
      if hasEnded { return answer.resume(returning: .failure(Self.ended)) }
      ring()
    }.get()
  }

  /// Waits until all is recorded that the service has sent so far.
  func catchUp() async {
    // Of a service that has ended nothing more comes.
    try? await ask(.status)
  }

  /// How long an answer takes in real time is no part of a test.
  private static let patience: Duration = .seconds(600)
  private static let ended = TestAlarmsError("the service of this test has ended")

  private func ring() {
    var one: UInt8 = 1
    // A pipe that is full wakes just as well.
    _ = write(bell.ring, &one, 1)
  }

  // MARK: - On its thread

  private func serve(_ descriptor: Int32) {
    let connection = Connection(adopting: descriptor, path: "the service of this test")
    do {
      try connection.request(.subscribe, within: Self.patience)
      try connection.report(
        .ready(
          SinkReport.Ready(
            name: "test",
            version: Version.text,
            capabilities: ["sound", "visual", "buttons"],
            audible: true
          )
        )
      )
      while true {
        try takeEvents(connection)
        while let question = state.withLock({ $0.questions.first }) {
          let result = try answer(question, connection)
          try takeEvents(connection)
          _ = state.withLock { $0.questions.removeFirst() }
          question.answer.resume(returning: result)
        }
        wait(connection)
      }
    } catch {
      // Lost with the service: `restart` makes another sink.
    }
    let left = state.withLock { state in
      state.hasEnded = true
      defer { state.questions = [] }
      return state.questions
    }
    for question in left { question.answer.resume(returning: .failure(Self.ended)) }
  }

  /// Sleeps until something comes from the service or from the test.
  private func wait(_ connection: Connection) {
    var descriptors = [
      pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: bell.hear, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&descriptors, 2, -1)
    var rings: UInt64 = 0
    while read(bell.hear, &rings, 8) > 0 {}
  }

  /// Asks; only a connection that is lost is thrown.
  private func answer(
    _ question: Question,
    _ connection: Connection
  ) throws(ClientError) -> Result<Void, TestAlarmsError> {
    do throws(ClientError) {
      try connection.request(question.body, within: Self.patience)
      return .success(())
    } catch .service(let error) {
      return .failure(TestAlarmsError("\(error.code): \(error.message)"))
    }
  }

  private func takeEvents(_ connection: Connection) throws(ClientError) {
    while let incoming = try connection.receive() {
      guard case .event(let message) = incoming else { continue }
      for seq in record(message) { try connection.report(.presented(seq: seq)) }
    }
  }

  /// Records a message.
  ///
  /// - Returns: the numbers to confirm; none if nobody waits for that.
  private func record(_ message: SinkMessage) -> [UInt64] {
    let now = Date(clocks.wallNow())
    switch message {
    case .sync(let presentations):
      // What it was told already is not told again.
      for presentation in presentations where !isShown(presentation) { show(presentation, now) }
      return presentations.map(\.seq)
    case .present(let presentation):
      show(presentation, now)
      return [presentation.seq]
    case .cleared(let cleared):
      state.withLock { state in
        state.shown.removeAll { $0.presentation.occurrence == cleared.occurrence }
        state.recorded.append(RecordedPresentation(cleared, at: now))
      }
      return [cleared.seq]
    case .missed(let missed): return [missed.seq]
    case .notice(let notice): return [notice.seq]
    default: return []
    }
  }

  private func isShown(_ presentation: Presentation) -> Bool {
    state.withLock { $0.shown.contains { $0.presentation == presentation } }
  }

  private func show(_ presentation: Presentation, _ now: Date) {
    let date = presentation.fired.map { Date($0) } ?? now
    let zone = TimeZone(identifier: machine.zone) ?? .gmt
    let record = RecordedPresentation(presentation, at: date, in: zone)
    state.withLock { state in
      state.shown.removeAll { $0.presentation.occurrence == presentation.occurrence }
      state.shown.append((presentation, record))
      state.recorded.append(record)
    }
  }
}
