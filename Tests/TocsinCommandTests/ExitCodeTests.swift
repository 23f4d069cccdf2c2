import Glibc
import Testing
import TocsinClient
import TocsinModel

@testable import TocsinCommand

@Suite("Exit codes")
struct ExitCodeTests {
  @Test(
    "every refusal has its code",
    arguments: [
      (.notFound, 1), (.ambiguous, 1), (.wrongState, 1), (.stale, 1), (.duplicate, 1),
      (.past, 65), (.invalid, 64), (.tooLarge, 64), (.badRequest, 70), (.unknownRequest, 70),
      (.limitReached, 75), (.busy, 75), (.noTimeZone, 78), (.config, 78), (.storage, 74),
      (.permission, 77),
    ] as [(ServiceError.Code, Int32)]
  )
  func service(code: ServiceError.Code, exit: Int32) {
    let failure = CommandFailure(.service(ServiceError(code, "no")))
    #expect(failure.exit.rawValue == exit)
    #expect(failure.code == code.rawValue)
    #expect(failure.message == "no")
  }

  @Test(
    "every fault of the connection has its code",
    arguments: [
      (.noDaemon(paths: ["/a"]), 69), (.lost(path: "/a"), 69),
      (.timeout(path: "/a", operation: "answer", seconds: 1), 69),
      (.system(operation: "read from", path: "/a", code: EIO), 69),
      (.refused(path: "/a", code: EACCES), 77), (.pathTooLong(path: "/a"), 64),
      (.tooLarge(bytes: 1), 64), (.protocol(path: "/a", what: "junk"), 70),
    ] as [(ClientError, Int32)]
  )
  func client(error: ClientError, exit: Int32) {
    #expect(CommandFailure(error).exit.rawValue == exit)
  }

  @Test(
    "without a daemon actions are 69, and say how to start one",
    arguments: [
      ["stop"], ["snooze", "--for", "5m"], ["cancel", "x"], ["status"], ["sinks"], ["reload"],
      ["watch"],
      ["extend", "5m"], ["edit", "x", "--title", "y"], ["enable", "x"], ["disable", "--sink", "x"],
      ["silence"], ["silence", "all", "for", "1h"], ["silence", "end", "1"],
    ]
  )
  func noDaemon(words: [String]) {
    let page = Page()
    #expect(page.run(words) == 69)
    #expect(page.out.isEmpty)
    #expect(
      page.err == "tocsin: no daemon answers at /nowhere/tocsin.sock; is tocsind running? "
        + "start it with: tocsind, or systemctl --user start tocsind\n"
    )
  }

  @Test("with --json a failure is a document too, whatever fails")
  func json() {
    let page = Page()
    #expect(page.run("status", "--json") == 69)
    #expect(
      page.out.hasPrefix("{\"schema\":1,\"error\":{\"code\":\"noDaemon\",\"message\":\"no daemon")
    )
    #expect(page.out.hasSuffix(",\"exit\":69}}\n"))
    #expect(page.run("alarm", "7", "--json") == 65)
    #expect(page.out.contains("\"code\":\"time\""))
    #expect(page.run("list", "--jsno", "--json") == 64)
    #expect(page.out.contains("\"code\":\"usage\""))
    #expect(!page.err.isEmpty)
    #expect(page.run("stop", "--", "--json") == 69)
    #expect(page.out.isEmpty)
  }

  @Test(
    "colours: the option, NO_COLOR, CLICOLOR_FORCE, the terminal",
    arguments: [
      ([:], "auto", true, true), ([:], "auto", false, false),
      (["NO_COLOR": "1"], "auto", true, false),
      (["NO_COLOR": ""], "auto", true, true), (["CLICOLOR_FORCE": "1"], "auto", false, true),
      (["CLICOLOR_FORCE": "0"], "auto", false, false),
      (["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], "auto", true, false),
      (["NO_COLOR": "1"], "always", false, true), ([:], "never", true, false),
      (["TERM": "dumb"], "auto", true, false),
    ] as [([String: String], String, Bool, Bool)]
  )
  func colors(environment: [String: String], option: String, terminal: Bool, expected: Bool) {
    let session = Session(
      environment: environment,
      outputIsTerminal: terminal,
      inputIsTerminal: false,
      width: 80,
      write: { _ in },
      complain: { _ in }
    )
    session.color = option
    #expect(session.colors == expected)
  }
}
