/// Hosts a sink in a test, on clocks that only the test moves, and keeps what it reports.
///
/// ```swift
/// let bench = try ManualSinkHost<LampSink>(now: Instant(seconds: 1_800_000_000))
/// bench.receive(.present(alert))
/// bench.advance(by: .seconds(3))
/// #expect(bench.takeReports() == [.presented(seq: 7)])
/// ```
public final class ManualSinkHost<S: Sink> {
  /// The sink.
  public var sink: S { embedded.sink }
  /// The sink's own host.
  public var host: SinkHost { embedded.host }
  /// All reports since the last `takeReports()`.
  public var reports: [SinkReport] { record.reports }
  /// When the sink's next timer is due, as time since the start; nil if it would sleep for ever.
  public var nextWake: Duration? { embedded.nextWake }
  /// Time since the start.
  public var elapsed: Duration { clock.elapsed }
  /// The wall clock.
  public var now: Instant { clock.now }

  private final class Record {
    var reports: [SinkReport] = []
  }

  private let clock: ManualSinkClock
  private let record: Record
  private let embedded: EmbeddedSinkHost<S>

  /// Makes the sink and starts it; `ready` is its first report.
  ///
  /// - Parameters:
  ///   - now: the wall clock at the start.
  ///   - name: the sink's name in plugins.conf.
  ///   - settings: its section there.
  ///   - make: makes the sink, for sinks with more to be told than settings.
  /// - Throws: what `make` throws, or `SettingsError`.
  public init(
    now: Instant,
    name: String = "sink",
    settings: [String: String] = [:],
    make: @escaping (SinkSettings, SinkHost) throws -> S = { try S(settings: $0, host: $1) }
  ) throws {
    let record = Record()
    let clock = ManualSinkClock(now: now)
    self.record = record
    self.clock = clock
    embedded = try EmbeddedSinkHost(name: name, settings: settings, clock: clock, make: make) {
      record.reports.append($0)
    }
  }

  /// Passes a message of the router on.
  public func receive(_ message: SinkMessage) { embedded.receive(message) }

  /// Gives the reports so far and forgets them.
  public func takeReports() -> [SinkReport] {
    defer { record.reports = [] }
    return record.reports
  }

  /// Lets time pass: each timer runs exactly when it is due.
  public func advance(by duration: Duration) {
    let end = clock.elapsed + duration
    tick()
    while let next = embedded.nextWake, next <= end {
      clock.pass(next - clock.elapsed)
      tick()
    }
    clock.pass(end - clock.elapsed)
  }

  /// Sets the wall clock forward or back; elapsed time does not move.
  public func stepClock(by duration: Duration) { clock.step(by: duration) }

  /// Does what is due, what is ready among real descriptors, and what threads left; no time passes.
  public func tick() { embedded.tick() }

  /// Waits, in real time, for a descriptor or a thread of the sink; no time passes for the sink.
  public func waitForWork(atMost limit: Duration = .seconds(10)) { embedded.wait(atMost: limit) }

  /// Withdraws everything and ends the sink.
  public func end() { embedded.end() }
}

/// Clocks that are moved by hand.
final class ManualSinkClock: SinkClock {
  private(set) var now: Instant
  private(set) var elapsed: Duration = .zero

  init(now: Instant) { self.now = now }

  func pass(_ duration: Duration) {
    guard duration > .zero else { return }
    elapsed += duration
    now = now + duration
  }

  func step(by duration: Duration) { now = now + duration }
}
