import SinkKit
import SinkTesting

@testable import DesktopSink

/// A notification server that obeys the specification, and the sink before it, on a clock moved by hand.
final class Bench {
  let host: ManualSinkHost<DesktopSink>
  let server: FakeServer

  init(
    _ settings: [String: String] = [:],
    server mode: FakeServer.Mode = .works,
    features: ServerFeatures = ServerFeatures(hasActions: true)
  ) throws {
    let server = FakeServer(mode, features)
    self.server = server
    host = try ManualSinkHost(now: Sample.seven, settings: settings) { settings, host in
      try DesktopSink(settings: settings, host: host, time: .utc) { report in
        server.report = report
        return server
      }
    }
    _ = host.takeReports()
  }

  /// Passes messages on and lets the server answer.
  func receive(_ messages: SinkMessage...) {
    for message in messages { host.receive(message) }
    settle()
  }

  func present(_ presentation: Presentation) { receive(.present(presentation)) }

  /// Lets answers come in until there are no more.
  func settle() {
    var calls = -1
    while calls != server.calls.count || server.hasReported {
      calls = server.calls.count
      server.hasReported = false
      host.tick()
    }
  }

  /// Lets time pass; the server answers at once.
  func advance(_ seconds: Double) {
    let end = host.elapsed + .milliseconds(Int64(seconds * 1_000))
    settle()
    while let next = host.nextWake, next <= end {
      host.advance(by: next - host.elapsed)
      settle()
    }
    host.advance(by: end - host.elapsed)
    settle()
  }

  /// The reports since the last time, without lines for the log.
  func reports() -> [SinkReport] {
    host.takeReports().filter {
      if case .log = $0 { false } else { true }
    }
  }

  func logs() -> [String] {
    host.takeReports().compactMap {
      if case .log(let log) = $0, log.level != "debug" { log.message } else { nil }
    }
  }

  /// The pop-ups on the screen.
  var screen: [PopUp] { server.screen.sorted { $0.key < $1.key }.map(\.value) }
}

/// Keeps what it is asked for and what it would show.
///
/// As with libnotify on its one thread, what happens while a call is under way is told after its answer.
final class FakeServer: NotificationServer {
  enum Mode: Equatable { case works, absent, hangs, refuses }

  var mode: Mode
  let features: ServerFeatures
  var report: @Sendable (ServerEvent) -> Void = { _ in }
  private(set) var calls: [ServerCall] = []
  private(set) var screen: [Int: PopUp] = [:]
  private(set) var handles: Set<Int> = []
  /// Handles of pop-ups that were closed or lost, of which the sink may hear a moment later.
  private var dead: Set<Int> = []
  private var untold: [ServerEvent] = []
  /// The call a hanging server has not answered.
  private(set) var waiting: ServerCall?
  private(set) var isGivenUp = false
  private(set) var hasEnded = false
  var hasReported = false

  init(_ mode: Mode, _ features: ServerFeatures) {
    (self.mode, self.features) = (mode, features)
  }

  /// The only pop-up's handle.
  var handle: Int { screen.keys.first ?? -1 }

  func perform(_ call: ServerCall) {
    precondition(waiting == nil, "a call while another is under way")
    calls.append(call)
    if mode == .hangs { waiting = call } else { answer(call) }
  }

  /// Goes on after it hung.
  func resume(_ mode: Mode = .works) {
    self.mode = mode
    guard let call = waiting else { return }
    waiting = nil
    answer(call)
  }

  func giveUpOpening() {
    guard waiting == .open else { return }
    waiting = nil
    isGivenUp = true
    finish(.unavailable(reason: "the bus does not answer"))
  }

  func end(within limit: Duration) {
    screen = [:]
    hasEnded = true
  }

  func press(_ key: String, on handle: Int? = nil) {
    happen(.action(handle: handle ?? self.handle, key: key))
  }

  func close(_ reason: CloseReason, _ handle: Int? = nil) {
    let handle = handle ?? self.handle
    screen[handle] = nil
    happen(.closed(handle: handle, reason))
  }

  func leave() {
    screen = [:]
    mode = .absent
    happen(.left)
  }

  func come() {
    mode = .works
    happen(.came)
  }

  private func answer(_ call: ServerCall) {
    switch (mode, call) {
    case (.absent, _): finish(.unavailable(reason: "no server"))
    case (_, .open): finish(.opened(features))
    case (.refuses, .show(let handle, _)): finish(.refused(handle: handle, reason: "too many"))
    case (_, .show(let handle, _)) where dead.contains(handle): finish(.gone(handle: handle))
    case (_, .show(let handle, let popUp)):
      handles.insert(handle)
      screen[handle] = popUp
      finish(.shown(handle: handle))
    case (_, .close(let handle)):
      screen[handle] = nil
      finish(.gone(handle: handle))
    }
  }

  /// Tells the answer to a call, and what happened meanwhile.
  private func finish(_ answer: ServerEvent) {
    tell(answer)
    let events = untold
    untold = []
    for event in events { tell(event) }
  }

  private func happen(_ event: ServerEvent) {
    if waiting == nil { tell(event) } else { untold.append(event) }
  }

  private func tell(_ event: ServerEvent) {
    switch event {
    case .closed(let handle, _):
      // What a change that crossed the close made of it is taken away too.
      screen[handle] = nil
      dead.insert(handle)
    case .left: dead.formUnion(handles)
    default: break
    }
    hasReported = true
    report(event)
  }
}
