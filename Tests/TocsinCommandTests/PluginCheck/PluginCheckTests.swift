import Foundation
import Glibc
import ProcessTesting
import Testing

@testable import TocsinCommand

/// A plugin with one fault, and the line that tells of it.
private struct Faulty: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// What it does instead, in Python.
  var fault: String
  /// How the line begins, behind the word FAIL, and two texts that are in it.
  var what: String
  var came: String
  var remedy: String
  /// Short where something does not come.
  var timeout = "30s"

  static let all = [
    Faulty(
      testDescription: "does not answer ping",
      fault: "def ping(m): pass",
      what: "takes an empty sync and answers ping",
      came: "it hangs: nothing came",
      remedy: "as soon as a ping is read",
      timeout: "1s"
    ),
    Faulty(
      testDescription: "hangs when something rings",
      fault: "def event(m): time.sleep(1000)",
      what: "takes a sync in which something rings",
      came: "it hangs: nothing came, and it answers no ping either",
      remedy: "as if each had come as an event",
      timeout: "1s"
    ),
    Faulty(
      testDescription: "does not confirm",
      fault: "def event(m): m['type'] == 'cleared' or say(type='presented', seq=m['seq'])",
      what: "answers cleared",
      came: "none came, though it answers ping",
      remedy: "answer each event with its seq",
      timeout: "1s"
    ),
    Faulty(
      testDescription: "confirms twice",
      fault: "def event(m): [say(type='presented', seq=m['seq']) for _ in 'ab']",
      what: "answers each event once",
      came: "event 1 was confirmed twice (and ",
      remedy: "write one receipt for each event"
    ),
    Faulty(
      testDescription: "confirms what was never sent",
      fault: "def ping(m): say(type='pong'); say(type='presented', seq=4711)",
      what: "answers each event once",
      came: "a receipt for event 4711 came, which was never sent",
      remedy: "give back the seq of the event itself"
    ),
    Faulty(
      testDescription: "prints what is no message",
      fault: "def event(m): print('it rings!'); say(type='presented', seq=m['seq'])",
      what: "writes messages and nothing else",
      came: "the line it rings! came",
      remedy: "what is for the log goes to standard error"
    ),
    Faulty(
      testDescription: "speaks before it is ready",
      fault: "say(type='pong')",
      what: "introduces itself first, once and in full",
      came: "came before ready",
      remedy: "write ready before anything else"
    ),
    Faulty(
      testDescription: "ignores bye and the end of its input",
      fault: "def bye(m): time.sleep(1000)",
      what: "ends after bye",
      came: "it runs on",
      remedy: "exit with status 0",
      timeout: "2s"
    ),
    Faulty(
      testDescription: "ends with a status that is not 0",
      fault: "def bye(m): sys.exit(3)",
      what: "ends after bye",
      came: "it ended with status 3",
      remedy: "exit with status 0"
    ),
    Faulty(
      testDescription: "ignores the end of its input",
      fault: "def end(): time.sleep(1000)",
      what: "ends when its input does",
      came: "it runs on",
      remedy: "take the end of standard input for a bye",
      timeout: "2s"
    ),
    Faulty(
      testDescription: "ignores SIGTERM",
      fault: "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
      what: "ends on SIGTERM",
      came: "it runs on",
      remedy: "do not ignore SIGTERM",
      timeout: "2s"
    ),
    Faulty(
      testDescription: "dies of an unknown type",
      fault: "def other(m): m['type'] == 'moonrise' and sys.exit('what is this?')",
      what: "ignores types it does not know",
      came: "it ended with status 1, after \"what is this?\"",
      remedy: "later versions add some"
    ),
    Faulty(
      testDescription: "dies of a long line",
      fault: "def raw(line): len(line) > 60000 and sys.exit(4)",
      what: "takes a line of 63 KiB",
      came: "it ended with status 4",
      remedy: "make room for lines of 64 KiB"
    ),
    Faulty(
      testDescription: "dies of a line that is no JSON",
      fault: "def raw(line): line[:2] == b'}{' and os.kill(os.getpid(), signal.SIGSEGV)",
      what: "skips a line that is no JSON",
      came: "it was ended by signal 11",
      remedy: "skip a line that cannot be read"
    ),
    Faulty(
      testDescription: "leaves a child",
      fault:
        "null = subprocess.DEVNULL; subprocess.Popen(['sleep', '1000'], stdin=null, stdout=null)",
      what: "ends after bye",
      came: "it left sleep (process ",
      remedy: "end the processes it started",
      timeout: "2s"
    ),
    Faulty(
      testDescription: "leaves a child in a session of its own",
      fault:
        "c = 'trap exit TERM; read x < /dev/tty; i=0; while [ $i -lt 40 ]; do sleep .1; i=$((i+1)); done'; "
        + "subprocess.Popen(['sh', '-c', c], stdin=subprocess.DEVNULL, start_new_session=True)",
      what: "ends after bye",
      came: "holds its standard output open",
      remedy: "in a session of its own",
      timeout: "2s"
    ),
    Faulty(
      testDescription: "closes its output",
      fault: "def sync(m): os.close(1); time.sleep(1000)",
      what: "takes an empty sync and answers ping",
      came: "it closed its standard output and runs on",
      remedy: "as soon as a ping is read",
      timeout: "1s"
    ),
    Faulty(
      testDescription: "has settings that are wrong",
      fault: "def hello(m): print('there is no key led', file=sys.stderr); sys.exit(78)",
      what: "says what it is",
      came: "its settings are wrong, after \"there is no key led\"",
      remedy: "--set"
    ),
    Faulty(
      testDescription: "names a capability that is none",
      fault:
        "def hello(m): say(type='ready', name='t', version='1', capabilities=['sounds'], audible=True)",
      what: "introduces itself first, once and in full",
      came: "the capability sounds",
      remedy: "did you mean sound?"
    ),
    Faulty(
      testDescription: "answers what was never presented",
      fault:
        "def ping(m): say(type='pong'); say(type='intent', action='stop', "
        + "occurrence='00000000-0000-0000-0000-000000000001:0:0')",
      what: "sends intents that name what was presented",
      came: "which was never presented",
      remedy: "unchanged"
    ),
    Faulty(
      testDescription: "floods its output and reads no more",
      fault: "def sync(m):\n    while True: print('flood' * 100)",
      what: "takes an empty sync and answers ping",
      came: "it hangs: nothing came",
      remedy: "as soon as a ping is read",
      timeout: "1s"
    ),
  ]
}

@Suite(
  "A plugin is checked",
  .enabled(if: Program.exists("python3"), "needs python3"),
  .timeLimit(.minutes(10))
)
struct PluginCheckTests {
  private let bench: CheckedPlugin

  init() throws { bench = try CheckedPlugin() }

  @Test("one that does all right passes, and the report says what it is")
  func right() throws {
    let path = try bench.write("lamp.py", CheckedPlugin.python(""))
    let result = try CheckedPlugin.check(["--timeout", "30s", path])
    #expect(result.code == 0, "\(result.out)\(result.err)")
    #expect(result.lines("FAIL").isEmpty)
    #expect(result.lines("-").isEmpty)
    #expect(result.out.hasPrefix("ok    says what it is: t 1, visual, not audible\n"))
    let count = CheckPlan(now: .init(seconds: 0)).checks.count + 5
    #expect(result.out.hasSuffix("\(count) checks: \(count) passed, 0 failed, 0 not tried\n"))
  }

  @Test("one with a fault is told which, and what to do", arguments: Faulty.all)
  private func faulty(plugin: Faulty) throws {
    let path = try bench.write("lamp.py", CheckedPlugin.python(plugin.fault))
    let result = try CheckedPlugin.check(["--timeout", plugin.timeout, path])
    #expect(result.code == 1, "\(result.err)")
    let line = result.lines("FAIL  \(plugin.what): expected ").first
    let found = try #require(line, "\(result.out)")
    #expect(found.contains(plugin.came), "\(found)")
    #expect(found.contains(plugin.remedy), "\(found)")
    if plugin.timeout == "30s" {
      #expect(result.lines("FAIL").count == 1, "\(result.out)")
    }
  }

  @Test("one that hangs at once is reported, and nothing else is tried")
  func hangs() throws {
    let path = try bench.write("hang", "#!/bin/sh\nsleep 1000")
    let result = try CheckedPlugin.check(["--timeout", "0.3s", path])
    #expect(result.code == 1)
    #expect(
      result.lines("FAIL") == [
        "FAIL  says what it is: expected {\"type\":\"ready\",…} within 300ms of hello; it hangs: "
          + "nothing came; read the first line, hello, and answer {\"type\":\"ready\",…}; "
          + "flush standard output"
      ]
    )
    #expect(result.lines("-").count == CheckPlan(now: .init(seconds: 0)).checks.count)
  }

  @Test("one that confirms nothing is not waited for again and again")
  func patience() throws {
    let path = try bench.write("lamp.py", CheckedPlugin.python("def event(m): pass"))
    let result = try CheckedPlugin.check(["--timeout", "500ms", path])
    #expect(result.code == 1)
    #expect((1...7).contains(result.lines("FAIL").count), "\(result.out)")
    #expect(result.lines("-").count > 10)
  }

  @Test("Ctrl-C ends the check and what it checks")
  func interrupted() throws {
    let (check, held) = try startHanging("trap '' TERM", timeout: "10min")
    check.signal(SIGINT)
    #expect(try check.exitCode() == 130)
    #expect(try held.rest() == "")
  }

  @Test("what hangs is killed with all it has started")
  func killed() throws {
    let (check, held) = try startHanging("trap '' TERM", timeout: "1s")
    #expect(try check.exitCode() == 1)
    #expect(try held.rest() == "")
  }

  /// Begins to check a plugin that hangs and has a child, and that has started; what it gives ends with
  /// the last of the two.
  private func startHanging(
    _ first: String,
    timeout: String
  ) throws -> (check: Program, held: ProcessTesting.LineReader) {
    let path = try bench.write(
      "hang",
      "#!/bin/sh\n\(first); exec 9> \"$1\"; sleep 1000 & echo started >&9; while :; do wait; done"
    )
    let pipe = "\(bench.folder.path)/pipe"
    mkfifo(pipe, 0o600)
    let check = try Program(
      ["tocsin", "plugin-check", "--timeout", timeout, path, pipe],
      environment: ["PATH": "/usr/bin:/bin"]
    )
    let held = ProcessTesting.LineReader(open(pipe, O_RDONLY | O_CLOEXEC))
    #expect(try held.line() == "started")
    return (check, held)
  }

  @Test("what follows the command is the plugin's, and settings and name go to it with hello")
  func words() throws {
    let path = try bench.write(
      "lamp.py",
      CheckedPlugin.python(
        "def hello(m): say(type='ready', name=m['sink'] + m['settings']['led'] + os.environ["
          + "'TOCSIN_SINK'], version=' '.join(sys.argv[1:]), capabilities=[], audible=False)"
      )
    )
    let result = try CheckedPlugin.check(
      ["--set", "led=GPIO=22", "--name", "desk", "--", path, "--json", "-v", "--", "x"]
    )
    #expect(result.out.contains("says what it is: deskGPIO=22desk --json -v -- x, not audible"))
  }

  @Test("a failed receipt is a note, once for each reason, and its log is shown if asked for")
  func notes() throws {
    let fault = """
      def event(m):
          if m["type"] != "alert": return say(type="presented", seq=m["seq"])
          print("no lamp", file=sys.stderr, flush=True)
          say(type="failed", seq=m["seq"], reason="no lamp\\nat all", retry=True)
      """
    let path = try bench.write("lamp.py", CheckedPlugin.python(fault))
    let result = try CheckedPlugin.check(["-v", "--timeout", "30s", path])
    #expect(result.code == 0, "\(result.out)")
    #expect(
      result.lines("note").first
        == "note  takes a sync in which something rings: it answered failed: "
        + "\"no lamp at all\", and goes on trying"
    )
    #expect(result.lines("note").count == 2)
    #expect(result.lines("log   no lamp").count > 5)
  }

  @Test("with --json the report is one document")
  func json() throws {
    let path = try bench.write("lamp.py", CheckedPlugin.python("def bye(m): sys.exit(3)"))
    let result = try CheckedPlugin.check(["--json", "--timeout", "30s", path, "a"])
    #expect(result.code == 1)
    #expect(result.out.hasPrefix("{\"schema\":1,\"command\":[\"\(path)\",\"a\"],\"sink\":\"lamp\""))
    #expect(result.out.filter { $0 == "\n" }.count == 1)
    let object = try JSONSerialization.jsonObject(with: Data(result.out.utf8))
    let document = try #require(object as? [String: Any])
    #expect(document["failed"] as? Int == 1)
    let checks = try #require(document["checks"] as? [[String: Any]])
    let bye = try #require(checks.first { $0["check"] as? String == "bye" })
    #expect(bye["result"] as? String == "failed")
    #expect(bye["came"] as? String == "it ended with status 3")
    #expect(checks.filter { $0["result"] as? String == "ok" }.count == checks.count - 2)
  }

  @Test("a program that is not there or cannot run is told, with code 69")
  func missing() throws {
    let missing = try CheckedPlugin.check(["\(bench.folder.path)/none"])
    #expect(missing.code == 69)
    #expect(missing.err == "tocsin: there is no \(bench.folder.path)/none\n")
    let path = try bench.write("plain", "#!/bin/sh", mode: 0o644)
    let plain = try CheckedPlugin.check([path])
    #expect(plain.code == 69)
    #expect(plain.err == "tocsin: \(path) is not executable, chmod +x it\n")
    let other = try bench.write("other", "#!/nowhere/sh")
    let interpreter = try CheckedPlugin.check([other])
    #expect(interpreter.code == 69)
    #expect(interpreter.err.contains("is what its first line names installed?"))
  }

  @Test(
    "a command line that is wrong is told, with code 64",
    arguments: [
      ([], "plugin-check needs COMMAND"), (["--set", "led", "x"], "--set needs KEY=VALUE"),
      (["--name", "a b", "sh"], "--name is made of letters"),
      (["--timeout", "5", "sh"], "--timeout: 5 has no unit, write 5s or 5min"),
      (["--timeout", "1ms", "sh"], "--timeout is 100ms to 10min"),
    ] as [([String], String)]
  )
  func usage(words: [String], sentence: String) throws {
    let result = try CheckedPlugin.check(words)
    #expect(result.code == 64)
    #expect(result.err.contains(sentence), "\(result.err)")
  }

  @Test("our own sink that needs no hardware passes")
  func console() throws {
    let result = try CheckedPlugin.check(["--timeout", "30s", "tocsin-console"])
    #expect(result.code == 0, "\(result.out)\(result.err)")
  }
}
