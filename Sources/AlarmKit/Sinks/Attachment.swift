import TocsinApplication
import TocsinModel

extension AlarmManager {
  /// A sink that is attached.
  ///
  /// It stays so until `detach()`, or the end of its manager or of the program; letting go of this value
  /// changes nothing.
  public final class Attachment: Sendable {
    private let line: SinkLine

    init(_ line: SinkLine) { self.line = line }

    /// Withdraws what the sink presents, after what it is doing now, and tells it nothing more.
    ///
    /// Nothing happens the second time.
    public func detach() { line.end() }
  }

  /// Lets a sink of this program present its alarms.
  ///
  /// It returns at once; the sink is told what is presented as soon as there is a connection, and again after
  /// the daemon was away. Each sink has a connection to the service of its own.
  ///
  /// - Parameter sink: presents this program's alarms, and no others.
  /// - Returns: what takes it away again.
  /// - Throws: `Failure` if the system has no descriptor or thread left for it.
  @discardableResult
  public func attach(_ sink: some Sink) throws -> Attachment {
    let ready = SinkReport.Ready(
      name: sink.name,
      version: "",
      capabilities: [sink.isAudible ? "sound" : "visual"],
      audible: sink.isAudible
    )
    let line: SinkLine
    do throws(ApplicationError) {
      // Weak, so that a sink does not keep a manager that nobody else has.
      line = try SinkLine(ready) { [weak self] in try self?.link.connect() }
    } catch {
      throw thrown(for: error)
    }
    let alarm: @Sendable (AlarmID) async -> TocsinModel.Alarm? = { [weak self] id in
      await self?.link.alarm(id)
    }
    // Detached, so that it is not taken for a part of an intent that attaches a sink.
    Task.detached {
      var run = SinkRun(sink, line: line, alarm: alarm)
      await run.run()
    }
    return Attachment(line)
  }
}

extension ApplicationLink {
  /// An alarm as it was scheduled; nil if it is gone.
  fileprivate func alarm(_ id: AlarmID) async -> TocsinModel.Alarm? {
    // Asked for, as what the program has been told may be older than what the sink has.
    let answer = try? await answer(to: .show(id.description), within: .seconds(1))
    return answer?.alarms.first?.alarm ?? alarms.first { $0.alarm.id == id }?.alarm
  }
}
