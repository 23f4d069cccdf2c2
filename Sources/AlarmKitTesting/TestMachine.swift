import AlarmKit
import Synchronization
import TocsinService

/// What a test's machine is set to: its time zone, and what plugins.conf says.
final class TestMachine: Sendable {
  private struct Settings {
    var zone: String
    var authorization: AlarmManager.AuthorizationState
    let alarmLimit: Int
  }

  private let settings: Mutex<Settings>

  init(zone: String, authorization: AlarmManager.AuthorizationState, alarmLimit: Int) {
    settings = Mutex(Settings(zone: zone, authorization: authorization, alarmLimit: alarmLimit))
  }

  /// The name of the time zone.
  var zone: String {
    get { settings.withLock { $0.zone } }
    set { settings.withLock { $0.zone = newValue } }
  }

  /// Whether programs may set alarms.
  var authorization: AlarmManager.AuthorizationState {
    get { settings.withLock { $0.authorization } }
    set { settings.withLock { $0.authorization = newValue } }
  }

  /// What plugins.conf says: no sink but the recording one, which needs no section.
  func configuration() throws(ConfigurationError) -> Configuration {
    let settings = settings.withLock { $0 }
    let access =
      switch settings.authorization {
      case .authorized: "allow"
      case .notDetermined: "on-request"
      case .denied: "deny"
      }
    let text = """
      [daemon]
      alarm-limit = \(settings.alarmLimit)
      [access]
      default = \(access)
      """
    return try Configuration([Configuration.Source(name: "the test's plugins.conf", text: text)])
  }
}
