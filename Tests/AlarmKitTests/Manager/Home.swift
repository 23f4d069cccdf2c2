import AlarmKit

/// A user's home with a plugins.conf that starts nothing, removed with the test.
final class Home {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let settings = folder.appendingPathComponent("tocsin")
    try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
    try Data("[daemon]\n".utf8).write(to: settings.appendingPathComponent("plugins.conf"))
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// A manager of a program of this user.
  func manager(
    _ connection: AlarmManager.Connection,
    _ application: String = "test"
  ) -> AlarmManager {
    AlarmManager(
      connection: connection,
      application: application,
      environment: [
        "HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "XDG_STATE_HOME": folder.path,
        "XDG_RUNTIME_DIR": folder.path,
      ]
    )
  }
}
