public import SinkKit

/// Shows alarms and countdowns as pop-ups of the desktop, and takes their buttons' answers.
///
/// As a plugin it needs the session bus in the daemon's environment; a daemon without one is joined
/// from the session by `tocsin-desktop --attach`.
public final class DesktopSink: Sink {
  /// The host given to `init`.
  public let host: SinkHost
  /// It is seen, and it takes answers.
  public let descriptor = SinkDescriptor(
    name: "tocsin-desktop",
    version: Version.text,
    capabilities: [.visual, .buttons],
    audible: false
  )

  /// What `--help` says.
  public static let about = """
    Shows alarms and countdowns as pop-ups of the desktop, with buttons to answer.

    settings:
      default-action = none | snooze | stop                  what a click on the text does (none)
      on-dismiss = show-again | nothing | snooze | stop      what closing a ringing alarm's does (show-again)
      countdowns = yes | no                                  whether countdowns are shown (yes)
      icon = NAME                                            an icon of the theme, or a file (alarm-symbolic)
    """

  /// How long the end waits for pop-ups to be taken away.
  private static let endLimit = Duration.seconds(1)

  private var popUps: PopUps
  private var server: (any NotificationServer)?
  private var alarmClock: SinkHost.Token?

  /// Reads the settings; the bus is looked for when there is something to show.
  public convenience init(settings: SinkSettings, host: SinkHost) throws {
    try self.init(settings: settings, host: host, time: .machine) { NotifyServer(report: $0) }
  }

  /// - Parameters:
  ///   - settings: the section of plugins.conf.
  ///   - host: the host.
  ///   - time: the zone in which times are shown.
  ///   - makeServer: makes the server, whose events may come from any thread.
  /// - Throws: `SettingsError`.
  init(
    settings: SinkSettings,
    host: SinkHost,
    time: LocalTimeText,
    makeServer: (@escaping @Sendable (ServerEvent) -> Void) -> any NotificationServer
  ) throws {
    self.host = host
    let desktopSettings = DesktopSettings(settings)
    try settings.finish()
    popUps = PopUps(settings: desktopSettings, time: time)
    let mailbox = host.mailbox(for: self)
    server = makeServer { event in mailbox.perform { $0.take(event) } }
  }

  /// Shows the alarm's pop-up, or changes it.
  public func present(_ presentation: Presentation) {
    run(popUps.present(presentation, at: host.moment))
  }

  /// Takes the alarm's pop-up away.
  public func clear(_ withdrawal: Withdrawal) {
    run(popUps.clear(withdrawal, at: host.moment))
  }

  /// Adds to the pop-up of missed alarms.
  public func missed(_ missed: SinkMessage.Missed) {
    run(popUps.missed(missed, at: host.moment))
  }

  /// Shows what a person should know; it stays if it is critical.
  public func notice(_ notice: SinkMessage.Notice) {
    run(popUps.notice(notice, at: host.moment))
  }

  /// Takes all pop-ups away; waits a second at most for a server that is slow.
  public func end() { server?.end(within: Self.endLimit) }

  private func take(_ event: ServerEvent) { run(popUps.handle(event, at: host.moment)) }

  private func run(_ effects: [PopUps.Effect]) {
    for effect in effects {
      switch effect {
      case .call(let call): server?.perform(call)
      case .giveUpOpening: server?.giveUpOpening()
      case .presented(let seq): host.presented(seq)
      case .failed(let seq, let reason, let retry): host.failed(seq, reason, retry: retry)
      case .send(let intent): host.send(intent)
      case .log(let level, let text): host.log(level, text)
      }
    }
    host.cancel(&alarmClock)
    alarmClock = popUps.nextWake(at: host.moment).map { deadline in
      host.wake(at: deadline) { [unowned self] in
        alarmClock = nil
        run(popUps.wake(at: host.moment))
      }
    }
  }
}
