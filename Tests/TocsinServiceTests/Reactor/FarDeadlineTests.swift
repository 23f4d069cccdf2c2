import Testing
import TocsinTime

@testable import TocsinService

/// A timer of 32 bits counts milliseconds for 24.8 days, or seconds to January 2038.
@Suite("A deadline that is far ahead", .timeLimit(.minutes(10)))
struct FarDeadlineTests {
  private static let day: Int64 = 86_400_000_000

  @Test(
    "Far deadlines neither fire early nor wake anybody",
    arguments: [24, 25, 40, 50, 400, 4_100, 36_500, 1_000_000] as [Int64]
  )
  func far(days: Int64) throws {
    let reactor = try Reactor()
    let clocks = SystemClocks()
    reactor.onWallDeadline = { Issue.record("the wall deadline fired \(days) days early") }
    reactor.onBootDeadline = { Issue.record("the boot deadline fired \(days) days early") }
    let wall = Instant(microseconds: clocks.wallNow().microseconds + days * Self.day)
    let boot = clocks.bootNow() + days * Self.day
    reactor.after(.zero) {
      reactor.wallDeadline = wall
      reactor.bootDeadline = boot
      reactor.after(.seconds(86_400 * days)) { Issue.record("the timer fired early") }
      reactor.after(.milliseconds(20)) { reactor.stop() }
    }
    try reactor.run()
    #expect(reactor.wallDeadline == wall)
    #expect(reactor.bootDeadline == boot)
    // For the timer that begins and the one that ends the test, and for nothing else.
    #expect(reactor.wakeUps <= 2)
  }

  @Test("A deadline just behind the limits of 32 bits is fired when its time comes")
  func behindTheLimit() throws {
    let reactor = try Reactor()
    let clocks = SystemClocks()
    var fired: [String] = []
    reactor.onWallDeadline = { fired.append("wall") }
    reactor.onBootDeadline = {
      fired.append("boot")
      reactor.stop()
    }
    // Set far ahead first, then where it is due: the far one leaves nothing behind.
    reactor.wallDeadline = Instant(rfc3339: "2038-01-19T03:14:08Z")
    reactor.bootDeadline = clocks.bootNow() + 25 * Self.day
    reactor.after(.zero) {
      reactor.wallDeadline = Instant(microseconds: clocks.wallNow().microseconds + 1_000)
      reactor.bootDeadline = clocks.bootNow() + 20_000
    }
    try reactor.run()
    #expect(fired == ["wall", "boot"])
  }
}
