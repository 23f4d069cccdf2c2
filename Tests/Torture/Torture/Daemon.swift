import Foundation
import Glibc
import ProcessTesting
import TocsinClient
import TocsinModel

/// The real daemon in a folder of its own, with the library that strikes before its C library.
final class Daemon {
  let folder: String
  /// Where the store is.
  let stateFolder: String
  private let socket: String
  private let environment: [String: String]
  private var program: Program?

  init(_ folder: String, control: FaultControl, library: String, trace: String?) throws {
    self.folder = folder
    stateFolder = "\(folder)/state/tocsin"
    socket = "\(folder)/run/tocsin.sock"
    for name in ["run", "state/tocsin", "config/tocsin"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)",
        withIntermediateDirectories: true
      )
    }
    // Without plugins: what they are told is what a subscriber is told.
    try Data("[daemon]\nring-for = never\n".utf8)
      .write(to: URL(fileURLWithPath: "\(folder)/config/tocsin/plugins.conf"))
    var environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder, "TZ": "Europe/Berlin", "TOCSIN_SOCKET": socket,
      "XDG_RUNTIME_DIR": "\(folder)/run", "XDG_STATE_HOME": "\(folder)/state",
      "XDG_CONFIG_HOME": "\(folder)/config", "LD_PRELOAD": library,
      "TOCSIN_TORTURE_FOLDER": stateFolder, "TOCSIN_TORTURE_CONTROL": control.path,
    ]
    if let trace { environment["TOCSIN_TORTURE_TRACE"] = trace }
    self.environment = environment
  }

  /// Starts it.
  ///
  /// - Returns: whether it serves; if not, it has ended, and `words` has why.
  func start() throws -> Bool {
    let started = try Program(["tocsind"], environment: environment, output: .nothing)
    program = started
    do {
      try started.errors.wait(for: "listens on")
      return true
    } catch {
      // It was struck before it served.
      _ = try started.exitCode()
      return false
    }
  }

  var isRunning: Bool { program?.isRunning ?? false }

  /// Ends it at once.
  func kill() throws {
    try program?.crash()
    program = nil
  }

  /// Ends it in order.
  ///
  /// - Returns: its exit code.
  func end() throws -> Int32 {
    program?.signal(SIGTERM)
    defer { program = nil }
    return try program?.exitCode() ?? 0
  }

  func connect() throws -> Connection { try Connection(to: socket, within: patience) }

  /// What it has said so far and nobody has read.
  func words() -> String { (try? program?.errors.rest()) ?? "" }
}
