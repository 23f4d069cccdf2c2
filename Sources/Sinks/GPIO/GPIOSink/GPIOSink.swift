public import SinkKit

/// Not written yet.
public final class GPIOSink: Sink {
  /// The host given to `init`.
  public let host: SinkHost
  /// What it is.
  public let descriptor = SinkDescriptor(
    name: "tocsin-gpio",
    version: Version.text,
    capabilities: [.light, .buttons],
    audible: true
  )

  /// Reads the settings.
  public init(settings: SinkSettings, host: SinkHost) throws { self.host = host }

  /// Fails.
  public func present(_ presentation: Presentation) {
    host.failed(presentation.seq, "not written yet")
  }

  /// Has nothing to take away.
  public func clear(_ withdrawal: Withdrawal) { host.presented(withdrawal) }
}
