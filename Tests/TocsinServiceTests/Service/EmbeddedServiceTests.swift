import Foundation
import Glibc
import Testing
import TocsinModel

@testable import TocsinEngine
@testable import TocsinService

@Suite("A service inside a program", .timeLimit(.minutes(10)))
struct EmbeddedServiceTests {
  private func options(_ shelf: Shelf, socket: String?) -> ServiceOptions {
    var options = ServiceOptions(environment: ["TZ": "UTC"], programDirectory: "/")
    options.store = .file(shelf.path)
    options.socket = socket
    options.log = Log { _, _ in }
    return options
  }

  @Test("serves its program and others, and ends when told, twice too")
  func serves() throws {
    let shelf = Shelf()
    let service = try EmbeddedService(options(shelf, socket: shelf.directory + "/s"))
    let wire = Wire(service.connection)
    let other = try #require(Wire.connect(to: shelf.directory + "/s"))
    #expect(wire.ask("schedule", timerKeys(1))["type"] as? String == "ok")
    #expect(other.ask("stop", ["alarm": "Tea"])["type"] as? String == "ok")
    service.stop()
    service.stop()
    #expect(wire.line() == nil && other.line() == nil)
  }

  @Test("rings and warns where it cannot make its socket")
  func noSocket() throws {
    let shelf = Shelf()
    try shelf.write(Data(), "file")
    let service = try EmbeddedService(options(shelf, socket: shelf.directory + "/file/s"))
    let wire = Wire(service.connection)
    wire.ask("subscribe")
    #expect(wire.object()["type"] as? String == "sync")
    wire.write(Wire.request("schedule", timerKeys(1, seconds: 0.001), id: "a"))
    var types: [String] = []
    while !types.contains("alert"), types.count < 10 {
      types.append(wire.object()["type"] as? String ?? "end")
    }
    #expect(types.contains("alert"))
    let status = wire.ask("status")["status"] as? [String: Any]
    #expect(warnings(status).contains("only this program can answer its alarms"))
    service.stop()
  }

  @Test("does not start where another has the store, and leaves no descriptor open")
  func locked() throws {
    let shelf = Shelf()
    let first = try EmbeddedService(options(shelf, socket: nil))
    let store = failure { try EmbeddedService(options(shelf, socket: nil)) }
    #expect(store?.kind == .locked(pid: getpid()))
    first.stop()
    // Its end is closed by whoever has it.
    close(first.connection)
    let again = try EmbeddedService(options(shelf, socket: nil))
    again.stop()
    close(again.connection)
  }
}

@Suite("A daemon")
struct DaemonFailureTests {
  @Test("that cannot listen says what to do, and is to be started again only if that may help")
  func cannotListen() throws {
    let shelf = Shelf()
    var options = ServiceOptions(environment: ["TZ": "UTC"], programDirectory: "/")
    options.log = Log { _, _ in }
    options.socket = shelf.directory + "/s"
    let socket = try ControlSocket(path: shelf.directory + "/s", group: nil)
    let busy = try #require(startError(options))
    #expect(busy.isBusy && busy.message.contains("stop it, or set TOCSIN_SOCKET"))
    #expect(Daemon.exitStatus(for: busy) == 75)
    withExtendedLifetime(socket) {}
    options.socket = "/proc/nowhere/s"
    let refused = try #require(startError(options))
    #expect(!refused.isBusy && refused.message.contains("set TOCSIN_SOCKET to a place where"))
    #expect(Daemon.exitStatus(for: refused) == 69)
  }

  private func startError(_ options: ServiceOptions) -> ServiceStartError? {
    do {
      let service = try AlarmService(options: options, reactor: try Reactor())
      try service.assumeIsolated { try $0.start() }
      return nil
    } catch { return error as? ServiceStartError }
  }

  @Test(
    "tells by its exit code what keeps it from serving",
    arguments: [
      (.locked(pid: 1), 75), (.newer(version: 9), 74), (.damaged, 74), (.full, 74),
      (.readOnly, 74), (.cannotOpen, 74), (.io, 74),
    ] as [(StoreError.Kind, Int32)]
  )
  func exitCodes(kind: StoreError.Kind, code: Int32) {
    #expect(Daemon.exitStatus(for: StoreError(kind, "open", path: "/x", message: "no")) == code)
    #expect(Daemon.exitStatus(for: SystemError("epoll_create1", code: EMFILE)) == 69)
  }

  @Test(
    "understands its few words, and no others",
    arguments: [
      ([], "nil nil nil false"),
      (["--store", "a", "--socket=b", "--config", "c"], "c a b false"),
      (["--ephemeral"], "nil nil nil true"),
      (["--socket=a=b"], "nil nil a=b false"),
      (["--store="], "usage --store needs a value"),
      (["--store", ""], "usage --store needs a value"),
      (["--store"], "usage --store needs a value"),
      (["--store=", "--ephemeral"], "usage --store needs a value"),
      (["--ephemeral=yes"], "usage --ephemeral takes no value"),
      (["--ephemeral", "--store", "a"], "usage --ephemeral keeps no --store"),
      ([""], "usage unknown argument "),
      (["serve"], "usage unknown argument serve"),
      (["--help"], "help"), (["-h"], "help"), (["--store", "a", "--version"], "version"),
    ]
  )
  func words(arguments: [String], result: String) {
    let text: String
    do throws(DaemonOptions.Other) {
      let options = try DaemonOptions(arguments)
      text =
        [options.configuration, options.store, options.socket].map { $0 ?? "nil" }
        .joined(separator: " ") + " \(options.isEphemeral)"
    } catch {
      text =
        switch error {
        case .help: "help"
        case .version: "version"
        case .usage(let message): "usage \(message)"
        }
    }
    #expect(text == result)
  }
}
