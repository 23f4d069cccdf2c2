public import Glibc

/// What a descriptor is ready for, as poll(2) tells it.
public struct PollEvents: OptionSet, Hashable, Sendable {
  /// The bits of `pollfd`.
  public let rawValue: Int16

  /// Takes the bits of `pollfd` as they are.
  public init(rawValue: Int16) { self.rawValue = rawValue }

  /// There is something to read (POLLIN).
  public static let readable = PollEvents(rawValue: Int16(POLLIN))
  /// A write would not block (POLLOUT).
  public static let writable = PollEvents(rawValue: Int16(POLLOUT))
  /// Something exceptional, such as an edge on a sysfs attribute (POLLPRI).
  public static let priority = PollEvents(rawValue: Int16(POLLPRI))
  /// An error, such as a pipe without reader; told without being asked for (POLLERR).
  public static let failed = PollEvents(rawValue: Int16(POLLERR))
  /// The other end is closed; told without being asked for (POLLHUP).
  public static let hungUp = PollEvents(rawValue: Int16(POLLHUP))
}

/// A set of descriptors that is polled and looked at as a whole, on the host's loop.
///
/// For libraries that bring their own: a PCM's poll descriptors, whose events only
/// `snd_pcm_poll_descriptors_revents` can read, or a GLib context (`g_main_context_prepare`,
/// `_query`, then `_check`, `_dispatch`). For a single descriptor use `SinkHost.watch`.
public protocol PollSource: AnyObject {
  /// What to wait for in the next wait, and how long at most; called before each wait.
  ///
  /// - Returns: the descriptors with `events` set; nil as timeout for no limit.
  func prepare() -> (descriptors: [pollfd], timeout: Duration?)

  /// Deals with what came, if anything: called after each wait.
  ///
  /// - Parameter descriptors: those of the last `prepare`, with `revents` set.
  func dispatch(_ descriptors: ArraySlice<pollfd>)
}

/// A single watched descriptor.
final class DescriptorWatch: PollSource {
  let descriptor: CInt
  let events: PollEvents
  private let body: (PollEvents) -> Void

  init(_ descriptor: CInt, _ events: PollEvents, _ body: @escaping (PollEvents) -> Void) {
    self.descriptor = descriptor
    self.events = events
    self.body = body
  }

  func prepare() -> (descriptors: [pollfd], timeout: Duration?) {
    ([pollfd(fd: descriptor, events: events.rawValue, revents: 0)], nil)
  }

  func dispatch(_ descriptors: ArraySlice<pollfd>) {
    guard let ready = descriptors.first?.revents, ready != 0 else { return }
    body(PollEvents(rawValue: ready))
  }
}
