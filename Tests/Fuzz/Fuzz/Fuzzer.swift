import CFuzzer
import Glibc

/// What one input is given to.
struct FuzzTarget: Sendable {
  let name: String
  /// Traps where a promise is broken; whatever it throws is an answer too.
  let run: @Sendable (UnsafeBufferPointer<UInt8>) throws -> Void

  static let all = [
    requests, reports, lines, times, durations, configuration, zones, rules, timelines, sounds,
    stores,
  ]
}

/// The target that TOCSIN_FUZZ_TARGET names.
private let chosen = getenv("TOCSIN_FUZZ_TARGET").flatMap { name in
  FuzzTarget.all.first { $0.name == String(cString: name) }
}

/// Runs libFuzzer on the chosen target with this process's arguments.
func runFuzzer() -> Int32 {
  guard chosen != nil else {
    let names = FuzzTarget.all.map { $0.name }.joined(separator: " ")
    let text = "TOCSIN_FUZZ_TARGET must be one of: \(names)\n"
    write(STDERR_FILENO, text, text.utf8.count)
    return 64
  }
  var count = CommandLine.argc
  var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
  return LLVMFuzzerRunDriver(&count, &arguments, fuzzOneInput)
}

/// The name is what libFuzzer's own `main`, which is not used, would call.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  try? chosen?.run(UnsafeBufferPointer(start: data, count: size))
  return 0
}

/// Says what was promised, and traps if it does not hold.
func promise(_ holds: Bool, _ what: @autoclosure () -> String) {
  precondition(holds, what())
}
