import Foundation
import ProcessTesting
import Testing

/// The guide: what it shows compiles as it stands there.
@Suite("docs/alarmkit.md", .timeLimit(.minutes(10)))
struct GuideTests {
  private static let modules = "\(Program.directory)/Modules"
  private static let isPossible =
    FileManager.default.fileExists(atPath: modules)
    && (try? Program.run(
      ["/usr/bin/env", "swiftc", "--version"],
      environment: ProcessInfo.processInfo.environment
    ))?.code == 0

  /// The Swift in it, but for the manifest.
  private func blocks() throws -> [String] {
    let path = "\(Installation.package)/docs/alarmkit.md"
    let parts = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "```")
    return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
      .filter { $0.hasPrefix("swift\n") && !$0.contains("import PackageDescription") }
      .map { String($0.dropFirst("swift\n".count)) }
  }

  @Test(
    "its code compiles, in both language modes",
    .enabled(if: isPossible, "needs swiftc, and the modules beside the programs"),
    arguments: ["5", "6"]
  )
  func compiles(mode: String) async throws {
    let blocks = try blocks()
    #expect(blocks.count >= 6)
    try await waiting {
      let folder = try TemporaryFolder()
      for (index, block) in blocks.enumerated() {
        let isWhole = block.hasPrefix("import ")
        let head = "import AlarmKit\nfunc f\(index)() async throws {\n"
        let text = isWhole ? block : head + block + "\n}\n"
        let path = "\(folder.path)/block\(index).swift"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
      }
      let files = (0..<blocks.count).map { "\(folder.path)/block\($0).swift" }
      let result = try Program.run(
        ["/usr/bin/env", "swiftc", "-typecheck", "-swift-version", mode, "-I", Self.modules]
          + Self.moduleMaps + files,
        environment: ProcessInfo.processInfo.environment
      )
      #expect(result.code == 0, "\(result.err)")
    }
  }

  /// The C modules that the package's own are made with.
  private static var moduleMaps: [String] {
    let sources = "\(Installation.package)/Sources"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? []
    let built = (try? FileManager.default.contentsOfDirectory(atPath: Program.directory)) ?? []
    let candidates = names.map { "\(sources)/\($0)/module.modulemap" }
    let made = built.filter { $0.hasSuffix(".build") }
      .map { "\(Program.directory)/\($0)/module.modulemap" }
    return (candidates + made).filter { FileManager.default.fileExists(atPath: $0) }
      .flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
  }
}
