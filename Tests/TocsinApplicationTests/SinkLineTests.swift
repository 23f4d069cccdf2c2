import Glibc
import Synchronization
import Testing
import TocsinClient
import TocsinModel
import TocsinService
import TocsinTime

@testable import TocsinApplication

/// A program's own sink and its service, over a real connection.
@Suite("The line of a program's sink", .timeLimit(.minutes(10)))
struct SinkLineTests {
  /// A service in memory, on a clock moved by hand, and a program's line to it.
  private struct Bench {
    let clocks = ManualClocks(wall: Instant(microseconds: 1_800_000_000_000_000))
    let link: ApplicationLink

    init() {
      var options = ApplicationOptions(application: "kettle", environment: [:])
      var service = ServiceOptions(environment: [:], programDirectory: "/nowhere")
      service.clocks = clocks
      options.place = .embedded(service)
      link = ApplicationLink(options)
    }

    func schedule(_ seconds: Double) async throws -> AlarmID {
      var generator = SystemRandomNumberGenerator()
      let id = AlarmID(using: &generator)
      let alarm = Alarm(
        id: id,
        title: "Tea",
        countdown: CountdownDuration(preAlert: seconds)
      )
      _ = try await link.answer(to: .schedule(alarm))
      return id
    }
  }

  private static let ready = SinkReport.Ready(
    name: "shelf",
    version: "",
    capabilities: ["visual"],
    audible: false
  )

  @Test("tells what is presented in order, and takes receipts")
  func receipts() async throws {
    let bench = Bench()
    let line = try SinkLine(Self.ready) { try bench.link.connect() }
    var messages = line.messages.makeAsyncIterator()
    #expect(await messages.next()?.content == .sync([]))
    let id = try await bench.schedule(60)
    guard let first = await messages.next(), case .present(let counting) = first.content else {
      Issue.record("no countdown comes")
      return
    }
    #expect(counting.state == .countdown && counting.alarm == id)
    line.send(.presented(seq: counting.seq), for: first)
    // It waits for the receipt, so on a thread of its own.
    let link = bench.link
    #expect(DetachedThread.start { try? link.advance(by: .seconds(60)) })
    guard let second = await messages.next(), case .present(let alert) = second.content else {
      Issue.record("no alert comes")
      return
    }
    #expect(alert.state == .alerting)
    line.send(.failed(SinkReport.Failed(seq: alert.seq, reason: "no wood")), for: second)
    // The press comes behind the receipt, so when it has been carried out that has been taken.
    line.press(Intent(.stop, .occurrence(alert.occurrence)))
    guard case .cleared(let cleared)? = await messages.next()?.content else {
      Issue.record("it is not cleared")
      return
    }
    #expect(cleared.reason == .stopped && cleared.source == "shelf")
    let filter = Request.HistoryFilter(alarm: id, events: [.failed])
    let record = try await bench.link.answer(to: .history(filter)).entries
    #expect(record.map(\.source) == ["shelf"] && record.first?.detail == "no wood")
    line.end()
    #expect(await messages.next() == nil)
    bench.link.close()
  }

  @Test("connects again when the connection is lost; receipts for the old one are dropped")
  func reconnects() async throws {
    let bench = Bench()
    _ = try await bench.schedule(60)
    let ends = Mutex<[Int32]>([])
    let line = try SinkLine(Self.ready) {
      let connection = try bench.link.connect()
      ends.withLock { $0.append(connection.fileDescriptor) }
      return connection
    }
    var messages = line.messages.makeAsyncIterator()
    guard let first = await messages.next(), case .sync(let shown) = first.content else {
      Issue.record("no sync comes")
      return
    }
    #expect(shown.map(\.title) == ["Tea"])
    for end in ends.withLock({ $0 }) { shutdown(end, Int32(SHUT_RDWR)) }
    guard let again = await messages.next(), case .sync(let same) = again.content else {
      Issue.record("no second sync comes")
      return
    }
    #expect(same == shown)
    #expect(ends.withLock { $0.count } == 2)
    #expect(first.connection != again.connection)
    #expect(line.take(connection: again.connection).isEmpty)
    line.end()
    bench.link.close()
  }

  @Test("keeps presses until there is a connection, and receipts not")
  func presses() async throws {
    let line = try SinkLine(Self.ready) { throw ApplicationError.unavailable("away") }
    var generator = SystemRandomNumberGenerator()
    let id = OccurrenceID(
      alarm: AlarmID(using: &generator),
      origin: Instant(microseconds: 0),
      serial: 0
    )
    let intent = Intent(.stop, .occurrence(id))
    line.send(.pong, for: SinkLine.Message(content: .ping, connection: 1))
    line.press(intent)
    #expect(line.take(connection: nil).isEmpty)
    #expect(line.take(connection: 2) == [.intent(intent)])
    #expect(line.take(connection: 2).isEmpty)
    line.end()
    for await message in line.messages { Issue.record("nothing is to be told: \(message)") }
  }

  @Test("ends when there is nothing any more to connect to")
  func over() async throws {
    let line = try SinkLine(Self.ready) { nil }
    for await message in line.messages { Issue.record("nothing is to be told: \(message)") }
  }
}
