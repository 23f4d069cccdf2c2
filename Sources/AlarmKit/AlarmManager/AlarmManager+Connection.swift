import TocsinApplication

extension AlarmManager {
  /// Where a program's alarms are kept.
  public struct Connection: Sendable {
    private let kind: Kind

    private enum Kind {
      case environment
      case automatic
      case daemon(socket: String?)
      case embedded(store: URL?)
      case ephemeral
    }

    /// With the daemon if one runs, else in this process, with the user's own store.
    ///
    /// In this process alarms ring only while the program runs; what came due meanwhile rings or counts as
    /// missed when it runs again.
    public static let automatic = Connection(kind: .automatic)

    /// With a daemon and nowhere else; calls fail with `unavailable` while none runs.
    ///
    /// - Parameter socket: the path of its socket; the usual ones if nil.
    /// - Returns: the place.
    public static func daemon(socket: String? = nil) -> Connection {
      Connection(kind: .daemon(socket: socket))
    }

    /// In this process and nowhere else.
    ///
    /// - Parameter store: the file that the alarms are kept in, created if it is not there; the user's own
    ///   if nil. One process at a time can have it.
    /// - Returns: the place.
    public static func embedded(store: URL? = nil) -> Connection {
      Connection(kind: .embedded(store: store))
    }

    /// In this process and in memory: alarms are gone when it ends.
    public static let ephemeral = Connection(kind: .ephemeral)

    /// The place that the variable TOCSIN_ALARMKIT names; `automatic` if it is not set.
    ///
    /// Where it names none, all calls fail and say so.
    public static let environment = Connection(kind: .environment)

    func place(environment: [String: String]) -> ApplicationOptions.Place {
      switch kind {
      case .environment: .init(environment: environment)
      case .automatic: .automatic
      case .daemon(let socket): .daemon(socket: socket)
      case .embedded(let store?): .embedded(store: store.path, environment: environment)
      case .embedded(nil): .user(isEphemeral: false)
      case .ephemeral: .user(isEphemeral: true)
      }
    }
  }
}
