import Glibc
import SinkKit

/// Where the session bus is.
///
/// GLib would look for it too, but where it finds nothing it starts a bus of its own with
/// dbus-launch(1), on which nobody shows anything.
enum SessionBus: Equatable {
  /// The environment names an address, or there is a socket where sessions have theirs.
  case address(String)
  /// There is none; the text says what was looked for.
  case missing(String)

  /// Source: the D-Bus Specification, "Well-known Message Bus Instances".
  static func find(
    environment: (String) -> String?,
    isSocket: (String) -> Bool
  ) -> SessionBus {
    if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
      return .address(address)
    }
    let remedy = "start tocsin-desktop --attach in a desktop session"
    guard let directory = environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") else {
      return .missing(
        "no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set; \(remedy)"
      )
    }
    let path = directory + "/bus"
    guard isSocket(path) else {
      return .missing(
        "no session bus: DBUS_SESSION_BUS_ADDRESS is not set and \(path) is no socket; \(remedy)"
      )
    }
    return .address("unix:path=\(escaped(path))")
  }

  /// The one of this process.
  static func ofProcess() -> SessionBus {
    find(
      environment: Environment.variable,
      isSocket: { path in
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
      }
    )
  }

  /// An address has all but a few characters as %XX.
  private static func escaped(_ path: String) -> String {
    let plain = Set("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz/.\\*".utf8)
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      if plain.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
