public import Glibc

/// Hosts a sink in a program that has its own loop, on that program's thread.
///
/// The program feeds messages and takes reports. Around its own poll(2) it asks for the sink's
/// descriptors and timeout before, and calls `tick()` after:
///
/// ```swift
/// var descriptors = mine
/// host.appendDescriptors(to: &descriptors)
/// poll(&descriptors, nfds_t(descriptors.count), host.timeoutMilliseconds())
/// host.tick()
/// ```
///
/// It ignores SIGPIPE for the process, as a plugin's host does, if the sink writes to pipes: that is
/// the program's to do, and so is calling `end()` before it exits and on signals.
public final class EmbeddedSinkHost<S: Sink> {
  /// The sink.
  public let sink: S
  /// The sink's own host.
  public let host: SinkHost

  private let session: SinkSession<S>
  private let loop: PollLoop

  /// Makes the sink; `ready` is the first report.
  ///
  /// - Parameters:
  ///   - name: what the sink would be called in plugins.conf.
  ///   - settings: what would be its section there.
  ///   - clock: the clocks; the machine's if nil.
  ///   - make: makes the sink, for sinks with more to be told than settings.
  ///   - report: takes the sink's reports, on the same thread, also from within `receive`.
  /// - Throws: what `make` throws, or `SettingsError`.
  public init(
    name: String,
    settings: [String: String] = [:],
    clock: (any SinkClock)? = nil,
    make: @escaping (SinkSettings, SinkHost) throws -> S = { try S(settings: $0, host: $1) },
    report: @escaping (SinkReport) -> Void
  ) throws {
    let clock = clock ?? SystemSinkClock()
    loop = PollLoop(clock: clock)
    var failure: (any Error)?
    session = SinkSession(
      clock: clock,
      loop: loop,
      make: { settings, host in
        do {
          let sink = try make(settings, host)
          try settings.finish()
          return sink
        } catch {
          failure = error
          throw error
        }
      },
      report: report
    )
    session.start(name: name, settings: settings)
    guard let sink = session.sink, let host = session.host else {
      throw failure ?? SettingsError(sink: name, problems: [])
    }
    self.sink = sink
    self.host = host
  }

  /// Whether the sink has been ended, by `end()` or by `bye`.
  public var hasEnded: Bool { session.outcome != .running }

  /// Passes a message of the router on; `hello` is ignored.
  public func receive(_ message: SinkMessage) {
    if case .hello = message { return }
    session.receive(message)
  }

  /// When the sink's next timer is due, in the clock's elapsed time; nil without one.
  public var nextWake: Duration? { loop.nextWake }

  /// Adds what the sink waits for to a list for poll(2).
  public func appendDescriptors(to descriptors: inout [pollfd]) {
    _ = loop.prepare(into: &descriptors)
  }

  /// The longest poll(2) may wait for the sink's sake: -1 for ever, 0 not at all.
  public func timeoutMilliseconds() -> CInt {
    var descriptors: [pollfd] = []
    return PollLoop.milliseconds(loop.prepare(into: &descriptors))
  }

  /// Does all that is due or ready; does not wait.
  public func tick() { loop.turn(atMost: .zero) }

  /// Waits until something is due or ready, at most that long, and does it.
  public func wait(atMost limit: Duration) { loop.turn(atMost: limit) }

  /// Withdraws everything and ends the sink; nothing happens the second time.
  public func end() { session.end() }
}
