import Glibc

/// Programs that make what the tests read.
enum Command {
  static func exists(_ name: String) -> Bool { path(name) != nil }

  /// Whether sox has its part for a format.
  static func soxWrites(_ format: String) -> Bool {
    let arguments = ["sox", "-n", "-t", format, "/dev/null", "trim", "0", "0.1"]
    return exists("sox") && (try? run(arguments)) == 0
  }

  /// Runs a program to its end, in silence.
  ///
  /// - Returns: its exit status.
  static func run(_ arguments: [String], in folder: String = "/") throws -> CInt {
    // A shell changes the folder; the arguments stay what they are.
    let all = ["sh", "-c", "cd \"$0\" && exec \"$@\" >/dev/null 2>&1", folder] + arguments
    var argv: [UnsafeMutablePointer<CChar>?] = all.map { strdup($0) } + [nil]
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    var variables: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=\(path)"), nil]
    defer { for text in argv + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, "/bin/sh", nil, nil, &argv, &variables)
    guard code == 0 else { throw Scratch.Failure(what: "\(arguments): \(code)") }
    var status: CInt = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }

  private static func path(_ name: String) -> String? {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
