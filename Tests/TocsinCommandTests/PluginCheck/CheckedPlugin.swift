import Foundation
import Glibc
import ProcessTesting

/// Plugins in a folder of their own, and what `tocsin plugin-check` reports of them.
final class CheckedPlugin {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A sink in Python that does all right, but for what the lines in it put in place of something.
  static func python(_ fault: String) -> String {
    """
    #!/usr/bin/env python3
    import json, os, signal, subprocess, sys, time
    def say(**m): print(json.dumps(m), flush=True)
    def hello(m): say(type="ready", name="t", version="1", capabilities=["visual"], audible=False)
    def ping(m): say(type="pong")
    def event(m): say(type="presented", seq=m["seq"])
    def bye(m): sys.exit(0)
    def other(m): pass
    def raw(line): pass
    def garbage(): pass
    def end(): pass
    def sync(m):
        for p in m["presentations"]: event(p)
    \(fault)
    kinds = dict(hello=hello, ping=ping, sync=sync, bye=bye, alert=event, countdown=event,
        paused=event, cleared=event)
    for line in sys.stdin.buffer:
        raw(line)
        try:
            m = json.loads(line.decode())
            kind = kinds.get(m["type"], other)
        except (ValueError, TypeError, KeyError):
            garbage()
            continue
        kind(m)
    end()
    """
  }

  /// Writes a program; its path.
  func write(_ name: String, _ text: String, mode: mode_t = 0o755) throws -> String {
    let path = "\(folder.path)/\(name)"
    try (text + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    chmod(path, mode)
    return path
  }

  /// Checks a command line.
  static func check(_ words: [String]) throws -> Program.Result {
    try Program.run(
      ["tocsin", "plugin-check"] + words,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]
    )
  }
}

extension Program.Result {
  /// The lines of a report that begin with this word.
  func lines(_ word: String) -> [String] {
    out.split(separator: "\n").map(String.init).filter { $0.hasPrefix(word) }
  }
}
