import Foundation
package import Glibc

/// A session bus of a test's own, in a folder of its own, that starts no services.
package final class PrivateBus {
  package var directory: String { folder.path }
  private let folder: TemporaryFolder
  package private(set) var address = ""
  private var daemon: Program?

  package static var isPossible: Bool { Program.exists("dbus-daemon") }

  package init() throws {
    folder = try TemporaryFolder()
    try write(
      "bus.conf",
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(directory)/bus</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
        </policy>
      </busconfig>
      """
    )
    try start()
  }

  /// What programs on the bus find in their environment.
  package var environment: [String: String] {
    ["DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin", "TZ": "UTC", "HOME": directory]
  }

  package var isRunning: Bool { daemon?.isRunning == true }

  /// Starts the bus, at the same address each time.
  package func start() throws {
    unlink("\(directory)/bus")
    let words = [
      "dbus-daemon", "--nofork", "--print-address", "--config-file=\(directory)/bus.conf",
    ]
    let daemon = try Program(words, environment: [:])
    guard let address = try daemon.output.line() else {
      throw Failure("dbus-daemon: \(try daemon.errors.rest())")
    }
    // Without the guid, which is another after a restart.
    self.address = String(address.prefix { $0 != "," })
    self.daemon = daemon
  }

  /// Ends the bus and with it everybody's connection.
  package func stop() throws {
    try daemon?.crash()
    daemon = nil
  }

  @discardableResult
  package func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws -> String {
    let path = "\(directory)/\(name)"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    chmod(path, mode)
    return path
  }
}
