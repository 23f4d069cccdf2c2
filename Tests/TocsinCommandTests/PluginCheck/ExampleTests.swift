import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinModel

@testable import TocsinCommand

/// Programs that can run blink.sh.
private let shells = [["dash"], ["bash", "--posix"], ["busybox", "sh"]]
  .filter { Program.exists($0[0]) }

@Suite("The plugins of contrib", .timeLimit(.minutes(10)))
struct ExampleTests {
  private let bench: CheckedPlugin

  init() throws { bench = try CheckedPlugin() }

  @Test(
    "are short, and can be run as they are",
    arguments: ["blink.sh", "webhook.py", "pcspeaker.c"]
  )
  func short(name: String) throws {
    let path = ExamplePlugin.path(name)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 120)
    #expect(text.contains("[plugin "))
    #expect(text.hasPrefix("#!") == (access(path, X_OK) == 0))
  }

  // MARK: blink.sh

  @Test("blink.sh keeps the protocol in every shell", arguments: shells)
  func blinkIsChecked(shell: [String]) throws {
    let led = try lamp()
    let words = ["--timeout", "30s", "--set", "led=\(led)"] + shell
    let result = try CheckedPlugin.check(words + [ExamplePlugin.path("blink.sh")])
    #expect(result.code == 0, "\(result.out)\(result.err)")
    #expect(result.lines("note").count == 1, "\(result.out)")
  }

  @Test("blink.sh lets the kernel blink while something rings, and puts the light back")
  func blink() throws {
    let led = try lamp()
    let plugin = try ExamplePlugin([ExamplePlugin.path("blink.sh")], settings: ["led": led])
    let first = try plugin.present(1, title: RouterLines.wildTitle)
    #expect(try plugin.report() == .presented(seq: first))
    #expect(try content("\(led)/trigger") == "timer\n")
    let second = try plugin.present(2)
    #expect(try plugin.report() == .presented(seq: second))
    let snoozed = try plugin.present(1, .countdown)
    #expect(try plugin.report() == .presented(seq: snoozed))
    #expect(try content("\(led)/trigger") == "timer\n")
    let over = try plugin.clear(2)
    #expect(try plugin.report() == .presented(seq: over))
    #expect(try content("\(led)/trigger") == "kbd-capslock\n")
    #expect(try content("\(led)/brightness") == "0\n")
    let again = try plugin.present(1)
    #expect(try plugin.report() == .presented(seq: again))
    #expect(try plugin.end() == 0)
    #expect(try content("\(led)/trigger") == "kbd-capslock\n")
  }

  @Test("blink.sh takes a sync for all there is")
  func blinkSync() throws {
    let led = try lamp()
    let plugin = try ExamplePlugin([ExamplePlugin.path("blink.sh")], settings: ["led": led])
    try plugin.present(1)
    _ = try plugin.report()
    try plugin.program.write(RouterLines.sync([]).bytes)
    try plugin.program.write(RouterLines.ping.bytes)
    #expect(try plugin.report() == .pong)
    #expect(try content("\(led)/trigger") == "kbd-capslock\n")
  }

  @Test("blink.sh says failed where the light cannot be switched")
  func blinkFails() throws {
    let missing = "\(bench.folder.path)/none"
    let plugin = try ExamplePlugin([ExamplePlugin.path("blink.sh")], settings: ["led": missing])
    let seq = try plugin.present(1)
    guard case .failed(let failed) = try plugin.report() else {
      Issue.record("it did not fail")
      return
    }
    #expect(failed.seq == seq)
    #expect(failed.retry != true)
  }

  private static var hasCapsLock: Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/class/leds")) ?? []
    return names.contains { $0.hasSuffix("::capslock") }
  }

  @Test("blink.sh prints a line where there is no light", .disabled(if: hasCapsLock, "has one"))
  func blinkPrints() throws {
    let plugin = try ExamplePlugin([ExamplePlugin.path("blink.sh")], settings: [:])
    let seq = try plugin.present(1, title: "Tea \"green\"")
    #expect(try plugin.report() == .presented(seq: seq))
    #expect(try plugin.program.display.line() == "Tea green rings")
  }

  /// A folder as Linux has one for each LED.
  private func lamp() throws -> String {
    let path = "\(bench.folder.path)/led"
    mkdir(path, 0o755)
    _ = try bench.write("led/trigger", "none [kbd-capslock] timer", mode: 0o644)
    _ = try bench.write("led/brightness", "0", mode: 0o644)
    return path
  }

  private func content(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  // MARK: pcspeaker.c

  /// Compiles it, with whatever looks for mistakes in its memory if the compiler has that.
  private func speaker() throws -> String {
    let program = "\(bench.folder.path)/pcspeaker"
    let words = ["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program]
    let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
    let source = ExamplePlugin.path("pcspeaker.c")
    let strict = ["-fsanitize=address,undefined", "-fno-sanitize-recover", source]
    if try Program.run(words + strict, environment: environment).code == 0 { return program }
    let result = try Program.run(words + [source], environment: environment)
    #expect(result.code == 0, "\(result.err)")
    return program
  }

  @Test("pcspeaker.c keeps the protocol", .enabled(if: Program.exists("cc"), "needs cc"))
  func speakerIsChecked() throws {
    let program = try speaker()
    let device = try bench.write("device", "", mode: 0o644)
    let words = ["--timeout", "30s", "--set", "device=\(device)", program]
    let result = try CheckedPlugin.check(words)
    #expect(result.code == 0, "\(result.out)\(result.err)")
    #expect(result.lines("note").count == 1, "\(result.out)")
    let away = try CheckedPlugin.check(["--timeout", "30s", "--set", "device=/nowhere", program])
    #expect(away.code == 0, "\(away.out)\(away.err)")
    #expect(away.out.contains("no speaker there: modprobe pcspkr, group input\", and goes on"))
  }

  @Test(
    "pcspeaker.c says failed while the device is away, beeps once it has come, and leaves no tone",
    .enabled(if: Program.exists("cc"), "needs cc")
  )
  func speakerBeeps() throws {
    let device = "\(bench.folder.path)/device"
    let plugin = try ExamplePlugin([try speaker()], settings: ["device": device])
    let seq = try plugin.present(1)
    guard case .failed(let failed) = try plugin.report() else {
      Issue.record("it did not fail")
      return
    }
    #expect(failed.seq == seq)
    #expect(failed.retry == true)
    // Made elsewhere and moved, so that it is never there without being there whole.
    rename(try bench.write("made", "", mode: 0o644), device)
    #expect(try plugin.report() == .presented(seq: seq))
    plugin.program.signal(SIGTERM)
    #expect(try plugin.program.exitCode() == 0)
    let tones = try tones(device)
    #expect(tones.contains(880))
    #expect(tones.last == 0)
  }

  @Test(
    "pcspeaker.c reads no byte that is not a line's, whatever the line",
    .enabled(if: Program.exists("cc"), "needs cc")
  )
  func speakerReads() throws {
    let plugin = try ExamplePlugin([try speaker()], settings: ["device": "/nowhere"])
    var router = plugin.lines
    let alert = String(decoding: router.present(1).bytes, as: UTF8.self)
    var lines = [
      "{", "}", "[", "\"", "\\", "{\"", "{\"type", "{\"type\"", "{\"type\":", "{\"type\":\"",
      "{\"type\":\"\\", "{\"type\":\"alert", "{,,,", "{:}", "{\"a\":,\"b\":]", "\u{0}",
      "{\"type\":\"sync\",\"presentations\":", "{\"type\":\"sync\",\"presentations\":[",
      "{\"type\":\"sync\",\"presentations\":[,,]}", "{\"type\":\"sync\",\"presentations\":[[[{",
      "{\"type\":\"hello\",\"settings\":[\"device\"]}", "{\"type\":\"hello\",\"settings\":\"",
      "{\"type\":\"alert\",\"seq\":-1,\"occurrence\":\"\"}",
      "{\"type\":\"alert\",\"seq\":99999999999999999999999,\"occurrence\":\"a\"}",
      String(repeating: "[", count: 65_000), String(repeating: "{\"a\":", count: 13_000),
      "{\"type\":\"" + String(repeating: "\\\"", count: 30_000),
      String(repeating: "x", count: 200_000),
      "{\"type\":\"alert\",\"seq\":1,\"occurrence\":\"\(String(repeating: "o", count: 60_000))\"}",
    ]
    // As long as a line can be, so that there is nothing behind its end.
    for end in ["\\", "\"", "\\\"", "\",", "\":", "\":\"", "\":{", "\":[\"", "\":1"] {
      let start = "{\"type"
      let middle = String(repeating: "x", count: 65_535 - start.utf8.count - end.utf8.count)
      lines.append(start + middle + end)
    }
    for end in stride(from: 0, to: alert.utf8.count, by: 7) { lines.append("\(alert.prefix(end))") }
    try plugin.program.write(lines.joined(separator: "\n") + "\n")
    try plugin.program.write(RouterLines.ping.bytes)
    var report = try plugin.report()
    while report != .pong { report = try plugin.report() }
    #expect(try plugin.end() == 0)
    #expect(try plugin.program.errors.rest() == "")
  }

  /// The tones that were written to a device, in hertz.
  private func tones(_ path: String) throws -> [Int32] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // struct input_event: a time of two longs, a type, a code and a value.
    let size = MemoryLayout<Int>.size * 2 + 8
    return stride(from: 0, to: bytes.count - size + 1, by: size * 2).map { start in
      Array(bytes.dropFirst(start + size - 4).prefix(4)).enumerated()
        .reduce(0) { $0 | Int32($1.element) << Int32(8 * $1.offset) }
    }
  }
}
