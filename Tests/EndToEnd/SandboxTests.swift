import Foundation
import Glibc
import ProcessTesting
import Testing
import TocsinClient
import TocsinModel

/// What plugins may do to the daemon, and that none survives it.
@Suite(.timeLimit(.minutes(10)))
struct SandboxTests {
  @Test("a plugin that does not mind SIGTERM is gone with all it started when the daemon is killed")
  func killed() async throws {
    try await waiting {
      let place = try Place()
      let ends = try pipeEnds()
      let script = try place.script(
        "stubborn",
        """
        #!/bin/sh
        trap '' TERM
        sleep 1000 <&3 &
        read -r hello
        echo up >&2
        while :; do sleep 1000 <&3; done
        """
      )
      try place.configure("[plugin stubborn]\nrun = \(script)\nstdout = yes\n")
      let daemon = try place.daemon(output: .descriptor(ends.write))
      close(ends.write)
      try daemon.errors.wait(for: "stubborn: up")
      daemon.signal(SIGKILL)
      _ = try daemon.exitCode()
      // All of them hold the daemon's output open.
      var byte: UInt8 = 0
      #expect(read(ends.read, &byte, 1) == 0)
      close(ends.read)
    }
  }

  private static let one = 54_321

  /// A place where a daemon of another user keeps everything.
  private func foreignPlace(_ configuration: String) throws -> Place {
    let place = try Place(configuration)
    for name in ["", "/run", "/state", "/config"] {
      chown(place.directory + name, uid_t(Self.one), gid_t(Self.one))
      chmod(place.directory + name, 0o755)
    }
    return place
  }

  @Test(
    "a plugin of the daemon's own user reads neither the store nor what the daemon has open",
    .enabled(if: Users.canBeOthers, "needs root and setpriv")
  )
  func closedOff() async throws {
    try await waiting {
      let place = try foreignPlace("")
      let script = try place.script(
        "probe",
        """
        #!/bin/sh
        echo "works in $(readlink /proc/$$/cwd), where there is: $(cat alarms.db | wc -c)" >&2
        cd "${XDG_STATE_HOME}/tocsin"
        echo "in the folder: $(ls)" >&2
        cat /proc/$PPID/mem /proc/$PPID/environ >/dev/null && echo 'memory is open' >&2
        ls /proc/$PPID/fd/ && echo 'descriptors are open' >&2
        head -c 1 /proc/$PPID/root/etc/passwd && echo 'its view is open' >&2
        echo note > plugins/note
        echo "user $(id -u) $(cat plugins/note)" >&2
        echo '{"type":"ready","name":"probe"}'
        while read -r line; do :; done
        """
      )
      try place.configure("[plugin probe]\nrun = \(script)\n")
      // From the beginning, in case it says that nothing can be hidden here.
      let folder = "\(place.directory)/state/tocsin"
      try place.makeDirectory("state/tocsin")
      chown(folder, uid_t(Self.one), gid_t(Self.one))
      let daemon = try place.start(
        ["sh", "-c", "cd \(folder) && exec \"$@\"", "sh"]
          + Users.words(as: Self.one, [Program.find("tocsind")])
      )
      var lines: [String] = []
      while lines.last?.contains("probe: user \(Self.one) note") != true {
        lines.append(try #require(try daemon.errors.line()))
      }
      guard !lines.contains(where: { $0.contains("plugins can read the store here") }) else {
        return
      }
      #expect(lines.contains { $0.hasSuffix("in the folder: plugins") }, "\(lines)")
      #expect(lines.contains { $0.hasSuffix("works in \(folder), where there is: 0") }, "\(lines)")
      #expect(!lines.contains { $0.contains("open") && !$0.contains("cannot open") }, "\(lines)")
      #expect(try place.storeFiles().contains("alarms.db"))
    }
  }

  @Test(
    "a daemon that may not make a plugin another user's says so",
    .enabled(if: Users.canBeOthers, "needs root and setpriv")
  )
  func mayNot() async throws {
    try await waiting {
      let place = try foreignPlace("[plugin lamp]\nrun = /bin/cat\nuser = nobody\n")
      let daemon = try place.daemon(Users.words(as: Self.one, [Program.find("tocsind")]))
      let command = try Users.words(as: Self.one, [Program.find("tocsin"), "sinks", "--json"])
      let sinks = try place.run(command).out
      let reason =
        "tocsind runs as user \(Self.one) and cannot start lamp as nobody: "
        + "start it as root or take user away"
      #expect(sinks.contains(reason), "\(sinks)")
      #expect(daemon.isRunning)
    }
  }
}
