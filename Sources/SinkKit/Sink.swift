/// A place where alarms reach a person: a sound card, a pop-up, a lamp, a terminal, a row of buttons.
///
/// A sink is written once against this protocol and hosted three ways: as a plugin process
/// (`SinkHost.run(LampSink.self)`), in the process of a program that embeds it
/// (`EmbeddedSinkHost`), and in tests on a clock that is moved by hand (`ManualSinkHost`).
///
/// **Who calls, and where.** The host calls everything, `init` included, on one thread, one call at
/// a time, so a sink needs no locks. The closures given to `host.wake`, `host.watch` and
/// `host.mailbox` run on the same thread. A call should return within a few milliseconds: while it
/// lasts the host answers no `ping`, and a sink that answers none is killed and restarted. What
/// blocks belongs on a thread of the sink's own, which comes back through `host.mailbox`.
///
/// **In which order.** `init`; then once `sync` with all that is presented at that moment; then
/// `present`, `clear`, `missed`, `notice`, `secondary` as things happen, and `sync` again after the connection
/// was lost; last `clear` for whatever is still presented, and `end`. `host.presentations` is
/// already as the call says when the call comes, so that a sink which shows one alarm of several
/// may simply look there for the one it should show now.
///
/// **Receipts.** Each presentation and each withdrawal with a `seq` wants one receipt, at once or
/// later: `host.presented` when it is *really* so (the PCM runs, the pin is high, the server gave an
/// id), or `host.failed`. Whatever `present`, `missed` or `notice` throws is reported as failed, without
/// retry.
/// A sink whose device is away does not throw in a loop or exit: it reports `failed` with `retry`,
/// waits for the device, presents what `host.presentations` then holds, and sends `presented`.
///
/// **Parts.** A sink whose `descriptor` names parts is told with `presentation.parts` which of them are
/// meant, nil for all. Parts that it has not are answered as failed before it hears of them, so a sink
/// of one piece need not look there.
public protocol Sink: AnyObject {
  /// The host given to `init`.
  var host: SinkHost { get }

  /// What the sink is and can do; asked once, after `init`.
  var descriptor: SinkDescriptor { get }

  /// Reads the settings and prepares the sink; nothing is presented yet.
  ///
  /// Read all settings, then `try settings.finish()`, then open devices.
  ///
  /// - Throws: `SettingsError` for settings (the process exits with 78), anything else if this sink
  ///   can never work here (69); a device that may still come is no reason to throw.
  init(settings: SinkSettings, host: SinkHost) throws

  /// Presents an alarm as it is now, in place of what was presented of the same occurrence.
  ///
  /// `presentation.volumeLimit` is the loudest it may be, whatever the alarm or the settings say. When
  /// the same alert comes again with more parts or a higher limit, what goes on must not begin anew.
  ///
  /// - Throws: an error whose description is one sentence for a person; it becomes `failed`.
  func present(_ presentation: Presentation) throws

  /// Withdraws a presentation; one that is not shown is no error, its receipt is due all the same.
  func clear(_ withdrawal: Withdrawal)

  /// Shows these presentations and no others.
  ///
  /// The default clears what is gone and presents what is new or changed, so that most sinks need
  /// not know of it.
  ///
  /// - Parameters:
  ///   - presentations: all that is presented now.
  ///   - shown: what this sink was to present until now.
  func sync(_ presentations: [Presentation], replacing shown: [Presentation])

  /// Tells of an alarm that reached nobody; does nothing by default.
  ///
  /// - Throws: as `present`.
  func missed(_ missed: SinkMessage.Missed) throws

  /// Tells what a person should know that is no alarm; does nothing by default.
  ///
  /// - Throws: as `present`.
  func notice(_ notice: SinkMessage.Notice) throws

  /// Tells of a press of an alarm's own button; does nothing by default.
  func secondary(_ secondary: SinkMessage.Secondary)

  /// Lets go of devices; everything has been cleared, nothing is called afterwards.
  ///
  /// The process ends within two seconds of it: drop, do not drain.
  func end()
}

extension Sink {
  /// Clears what is gone and presents what is new, changed, or failed before.
  public func sync(_ presentations: [Presentation], replacing shown: [Presentation]) {
    showDifference(presentations, replacing: shown)
  }

  /// What `sync` does by default, for sinks that only sometimes do something else.
  public func showDifference(_ presentations: [Presentation], replacing shown: [Presentation]) {
    var old: [OccurrenceID: Presentation] = [:]
    for presentation in shown { old[presentation.occurrence] = presentation }
    let wanted = Set(presentations.map(\.occurrence))
    for presentation in shown where !wanted.contains(presentation.occurrence) {
      clear(Withdrawal(of: presentation))
    }
    for presentation in presentations {
      guard old[presentation.occurrence] == presentation else {
        host.attempt(presentation.seq) { try present(presentation) }
        continue
      }
      switch host.receipt(for: presentation.seq) {
      case .presented: host.presented(presentation.seq)
      case .failed: host.attempt(presentation.seq) { try present(presentation) }
      case nil: break
      }
    }
  }

  /// Does nothing.
  public func missed(_ missed: SinkMessage.Missed) {}

  /// Does nothing.
  public func notice(_ notice: SinkMessage.Notice) {}

  /// Does nothing.
  public func secondary(_ secondary: SinkMessage.Secondary) {}

  /// Does nothing.
  public func end() {}
}
