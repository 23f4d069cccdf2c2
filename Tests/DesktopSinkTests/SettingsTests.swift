import SinkKit
import Testing

@testable import DesktopSink

@Suite struct DesktopSettingsTests {
  @Test("Every wrong setting is named, all at once")
  func wrong() {
    let settings = [
      "default-action": "quit", "on-dismiss": "show", "countdowns": "maybe", "colour": "red",
    ]
    do {
      _ = try Bench(settings)
      Issue.record("nothing was wrong with them")
    } catch let error as SettingsError {
      #expect(
        error.problems.map(\.key) == ["default-action", "on-dismiss", "countdowns", "colour"]
      )
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(
    "The bus is where the environment says, or where sessions have theirs, and is never started"
  )
  func bus() {
    func find(_ environment: [String: String], sockets: Set<String> = []) -> SessionBus {
      SessionBus.find(environment: { environment[$0] }, isSocket: sockets.contains)
    }
    let set = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a", "XDG_RUNTIME_DIR": "/run/user/1"]
    #expect(find(set) == .address("unix:path=/a"))
    let directory = ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/run/a b"]
    #expect(find(directory, sockets: ["/run/a b/bus"]) == .address("unix:path=/run/a%20b/bus"))
    for environment in [directory, [:], ["XDG_RUNTIME_DIR": "relative"]] {
      guard case .missing(let text) = find(environment) else {
        Issue.record("\(environment)")
        continue
      }
      #expect(text.contains("tocsin-desktop --attach"))
    }
  }

  @Test("What a server can do is read from its capabilities")
  func features() {
    let dunst: Set = ["actions", "body", "body-hyperlinks", "icon-static", "x-dunst-stack-tag"]
    #expect(
      ServerFeatures(capabilities: dunst)
        == ServerFeatures(hasActions: true, hasBodyMarkup: false, updatesInPlace: true)
    )
    #expect(
      ServerFeatures(capabilities: ["body", "body-markup"])
        == ServerFeatures(hasActions: false, hasBodyMarkup: true, updatesInPlace: false)
    )
    #expect(ServerFeatures(capabilities: []) == ServerFeatures())
  }
}
