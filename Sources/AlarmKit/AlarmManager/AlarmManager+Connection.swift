public import Foundation
package import TocsinApplication
package import TocsinService

extension AlarmManager {
  /// Where a program's alarms are kept.
  public struct Connection: Sendable {
    private let kind: Kind

    private enum Kind {
      case automatic
      case daemon(socket: String?)
      case embedded(store: URL?)
      case ephemeral
      case service(ServiceOptions)
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

    /// In this process, as these options say.
    package static func service(_ options: ServiceOptions) -> Connection {
      Connection(kind: .service(options))
    }

    /// The place that the variable TOCSIN_ALARMKIT names; `automatic` if it is not set.
    ///
    /// - Parameter environment: the environment of the process.
    /// - Returns: the place; `automatic` with a line on standard error for a word that means nothing.
    static func named(in environment: [String: String]) -> Connection {
      switch environment["TOCSIN_ALARMKIT"] ?? "" {
      case "", "automatic": return .automatic
      case "daemon": return .daemon()
      case "embedded": return .embedded()
      case "ephemeral": return .ephemeral
      case let word:
        StandardError.say(
          "TOCSIN_ALARMKIT is automatic, daemon, embedded or ephemeral, not \(word): taken as automatic"
        )
        return .automatic
      }
    }

    func place(environment: [String: String]) -> ApplicationOptions.Place {
      switch kind {
      case .automatic: .automatic
      case .daemon(let socket): .daemon(socket: socket)
      case .embedded(let store): .embedded(.ofProgram(store: store?.path, environment: environment))
      case .ephemeral: .embedded(.inMemory(environment: environment))
      case .service(let options): .embedded(options)
      }
    }
  }
}
