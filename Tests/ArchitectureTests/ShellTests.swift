import Foundation
import Testing

@Suite("Shell scripts")
struct ShellTests {
  private let repository = Repository.here

  @Test("are ones that bash can read")
  func syntax() throws {
    let scripts = repository.paths.filter { path in
      let text = repository.text(path) ?? ""
      return text.hasPrefix("#!/bin/bash\n") || text.hasPrefix("#!/bin/sh\n")
        || text.hasPrefix("# shellcheck shell=bash\n")
    }
    #expect(scripts.count > 5)
    for script in scripts {
      let said = try complaint(about: script)
      #expect(said.isEmpty, "\(said)")
    }
  }

  private func complaint(about path: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-n", repository.root.appendingPathComponent(path).path]
    let errors = Pipe()
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
  }
}
