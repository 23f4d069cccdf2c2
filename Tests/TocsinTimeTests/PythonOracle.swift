import Foundation

/// Runs a Python script beside this file; Python's zoneinfo is the second opinion on zones.
enum PythonOracle {
  static let python: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return path.split(separator: ":").map { "\($0)/python3" }
      .first(where: FileManager.default.isExecutableFile(atPath:))
  }()

  /// Whether there is a Python with zoneinfo (3.9) and a database for it.
  static let isThere: Bool = {
    guard SystemZones.areInstalled, let python else { return false }
    let check = Process()
    check.executableURL = URL(fileURLWithPath: python)
    check.arguments = ["-c", "import zoneinfo"]
    check.standardError = FileHandle.nullDevice
    guard (try? check.run()) != nil else { return false }
    check.waitUntilExit()
    return check.terminationStatus == 0
  }()

  /// The lines that the script printed, each split at its spaces.
  static func run(_ script: String) throws -> Records {
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: try require(python, "python3"))
    process.arguments = [here.appendingPathComponent(script).path]
    process.environment = ["PYTHONTZPATH": SystemZones.directory, "PYTHONUTF8": "1"]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Missing(what: "an answer of \(script)") }
    return Records(bytes: Array(data))
  }

  /// Lines of words; read by hand as splitting strings takes seconds in a debug build.
  struct Records {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    /// The first letter of the line here, nil at the end.
    mutating func kind() -> Character? {
      guard position < bytes.count else { return nil }
      defer { position += 2 }
      return Character(Unicode.Scalar(bytes[position]))
    }

    /// The next number of the line, and the separator after it.
    mutating func number() -> Int64 {
      var value: Int64 = 0
      var isNegative = false
      while position < bytes.count {
        let byte = bytes[position]
        position += 1
        if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") { break }
        if byte == UInt8(ascii: "-") {
          isNegative = true
        } else {
          value = value * 10 + Int64(byte) - 48
        }
      }
      return isNegative ? -value : value
    }

    /// The rest of the line.
    mutating func text() -> String {
      let start = position
      while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      defer { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
  }
}
