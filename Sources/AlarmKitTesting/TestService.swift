import AlarmKit
import Synchronization
import TocsinApplication
import TocsinService
import TocsinTime

/// The service behind a test: on clocks that stand, with its store and its socket in a folder of its own.
final class TestService: Sendable {
  let clocks: ManualClocks
  let application: String
  private let folder: URL
  private let zone: Mutex<String>
  private let rules: Mutex<Rules>
  private let parts: Mutex<Parts>

  /// What plugins.conf would say.
  private struct Rules {
    var application: String
    var authorization: AlarmManager.AuthorizationState
    var alarmLimit: Int
  }

  /// What is made anew when the service is restarted.
  private struct Parts {
    var service: EmbeddedService
    var sink: RecordingSink
  }

  init(
    now: Instant,
    zone: String,
    application: String,
    authorization: AlarmManager.AuthorizationState,
    alarmLimit: Int
  ) throws {
    clocks = ManualClocks(wall: now)
    self.application = application
    self.zone = Mutex(zone)
    let rules = Rules(
      application: application,
      authorization: authorization,
      alarmLimit: alarmLimit
    )
    self.rules = Mutex(rules)
    folder = try Self.makeFolder()
    let options = Self.options(folder: folder, zone: zone, clocks: clocks, rules)
    let service = try EmbeddedService(options)
  }
}
