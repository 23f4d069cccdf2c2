import SinkKit
import SinkTesting
import Testing

@testable import DesktopSink

@Suite struct ServerFaultTests {
  private func failed(_ seq: UInt64, _ reason: String) -> SinkReport {
    .failed(SinkReport.Failed(seq: seq, reason: reason, retry: true))
  }

  @Test("Without a server an event is answered at once as failed for now, and tried every 30 s")
  func absent() throws {
    let bench = try Bench(server: .absent)
    bench.present(Sample.ringing(seq: 1))
    #expect(bench.reports() == [failed(1, "no server")])
    bench.advance(300)
    #expect(bench.server.calls.count == 11)
    #expect(bench.reports().isEmpty)
    bench.server.mode = .works
    bench.advance(30)
    #expect(bench.reports() == [.presented(seq: 1)])
    #expect(bench.screen.count == 1)
  }

  @Test("That is one line in the log when it begins and one when it ends")
  func logs() throws {
    let bench = try Bench(server: .absent)
    for serial in 0..<5 {
      bench.present(Sample.ringing(seq: UInt64(serial), UInt32(serial)))
      bench.advance(60)
    }
    #expect(bench.logs() == ["no server; trying again"])
    bench.server.come()
    bench.settle()
    #expect(bench.logs() == ["the notification server answers"])
    bench.server.leave()
    bench.server.come()
    bench.settle()
    #expect(bench.logs().count == 2)
    let fine = try Bench()
    fine.present(Sample.ringing())
    #expect(fine.logs().isEmpty)
  }

  @Test("With nothing presented any more nothing wakes")
  func quiet() throws {
    let bench = try Bench(server: .absent)
    bench.present(Sample.ringing(seq: 1))
    bench.receive(.cleared(Sample.cleared(seq: 2)))
    #expect(bench.reports() == [failed(1, "no server"), .presented(seq: 2)])
    #expect(bench.host.nextWake == nil)
    bench.receive(.missed(Sample.missed(seq: 3)))
    #expect(bench.reports() == [failed(3, "no server")])
    #expect(bench.host.nextWake == nil)
    bench.server.come()
    bench.settle()
    #expect(bench.reports() == [.presented(seq: 3)])
  }

  @Test("A new alert does not wait for the next try")
  func hurry() throws {
    let bench = try Bench(server: .absent)
    bench.present(Sample.ringing(seq: 1))
    bench.server.mode = .works
    bench.present(Sample.ringing(seq: 2, 1))
    #expect(bench.screen.count == 2)
  }

  @Test("A bus that lets nobody in is given up within a second")
  func deafBus() throws {
    let bench = try Bench(server: .hangs)
    bench.present(Sample.ringing(seq: 1))
    bench.advance(0.79)
    #expect(bench.reports().isEmpty)
    bench.advance(0.21)
    #expect(bench.server.isGivenUp)
    #expect(bench.reports() == [failed(1, "the bus does not answer")])
  }

  @Test(
    "Each event at a server that hangs is answered within four seconds, with one call under way"
  )
  func hangs() throws {
    let bench = try Bench()
    bench.present(Sample.ringing(seq: 1, 1, title: "Pills"))
    _ = bench.reports()
    bench.server.mode = .hangs
    bench.present(Sample.counting(seq: 2, 1))
    bench.present(Sample.ringing(seq: 3, 2, title: "Bus"))
    bench.advance(2)
    bench.present(Sample.ringing(seq: 4, 3, title: "Egg"))
    #expect(bench.reports().isEmpty)
    bench.advance(1)
    let reason = "the notification server does not answer"
    #expect(bench.reports() == [failed(2, reason), failed(3, reason)])
    bench.advance(2)
    #expect(bench.reports() == [failed(4, reason)])
    let calls = bench.server.calls.count
    bench.advance(50)
    #expect(bench.server.calls.count == calls)
    #expect(bench.reports().isEmpty)

    // Meanwhile things went on.
    bench.present(Sample.ringing(seq: 5, 1, title: "Pills", snoozes: 1))
    bench.receive(.cleared(Sample.cleared(seq: 6, of: 2)))
    bench.receive(.ping)
    #expect(bench.reports() == [.presented(seq: 6), .pong])
    bench.server.resume()
    bench.settle()
    #expect(bench.screen.map(\.body) == ["07:00, snoozed once", "07:00"])
    #expect(bench.screen.map(\.summary) == ["Pills", "Egg"])
    let last: Set<SinkReport> = [.presented(seq: 2), .presented(seq: 5), .presented(seq: 4)]
    #expect(Set(bench.reports()) == last)
  }

  @Test("When libnotify gives a call up, the next try comes as soon as the server is heard of")
  func givenUp() throws {
    let bench = try Bench()
    bench.server.mode = .hangs
    bench.present(Sample.ringing(seq: 1))
    bench.server.resume(.hangs)
    bench.settle()
    bench.server.resume(.absent)
    bench.settle()
    #expect(bench.reports() == [failed(1, "no server")])
    bench.server.come()
    bench.settle()
    #expect(bench.reports() == [.presented(seq: 1)])
  }

  @Test("A pop-up that could not be taken away is taken away when the server answers again")
  func hangsAtTheEnd() throws {
    let bench = try Bench()
    bench.present(Sample.ringing(seq: 1))
    bench.server.mode = .hangs
    bench.receive(.cleared(Sample.cleared(seq: 2)))
    bench.advance(3)
    let reason = "the notification server does not answer"
    #expect(bench.reports() == [.presented(seq: 1), failed(2, reason)])
    bench.server.resume(.absent)
    bench.settle()
    bench.server.mode = .works
    bench.advance(30)
    #expect(bench.screen.isEmpty)
    #expect(bench.reports() == [.presented(seq: 2)])
    #expect(bench.host.nextWake == nil)
  }

  @Test("What is over before a server that hangs could show it is never shown")
  func overtaken() throws {
    let bench = try Bench(server: .hangs)
    bench.present(Sample.ringing(seq: 1))
    bench.present(Sample.ringing(seq: 2, snoozes: 1))
    bench.receive(.cleared(Sample.cleared(seq: 3)))
    bench.server.resume()
    bench.settle()
    let shows = bench.server.calls.filter { $0 != .open }
    #expect(shows.isEmpty)
    #expect(
      bench.reports() == [
        .failed(SinkReport.Failed(seq: 1, reason: "the next state came first", retry: false)),
        .failed(
          SinkReport.Failed(
            seq: 2,
            reason: "it was over before it could be shown",
            retry: false
          )
        ), .presented(seq: 3),
      ]
    )
  }

  @Test("After a restart of the server all is shown anew, under new names")
  func restart() throws {
    let bench = try Bench()
    bench.present(Sample.ringing(seq: 1))
    bench.receive(.missed(Sample.missed(seq: 2, of: 9)))
    let old = bench.server.handles
    _ = bench.reports()
    bench.server.leave()
    bench.settle()
    #expect(
      bench.reports() == [failed(1, "the notification server has left the session bus")]
    )
    bench.server.press("stop", on: old.min())
    bench.settle()
    #expect(bench.reports().isEmpty)
    bench.advance(3)
    bench.server.come()
    bench.settle()
    #expect(bench.screen.count == 2)
    #expect(old.isDisjoint(with: bench.server.screen.keys))
    #expect(bench.reports() == [.presented(seq: 1)])
    bench.server.press("stop", on: bench.server.screen.first { $0.value.urgency == .critical }?.key)
    bench.settle()
    #expect(bench.reports() == [.intent(Intent(.stop, .occurrence(Sample.occurrence())))])
  }

  @Test("A server that leaves while it is asked is answered for as gone")
  func leavesMeanwhile() throws {
    let bench = try Bench()
    bench.present(Sample.ringing(seq: 1))
    bench.server.mode = .hangs
    bench.present(Sample.counting(seq: 2))
    bench.server.leave()
    bench.server.resume(.absent)
    bench.settle()
    bench.server.come()
    bench.settle()
    #expect(bench.screen.map(\.urgency) == [.low])
    #expect(bench.reports().last == .presented(seq: 2))
  }

  @Test("A server that refuses is asked again after 30 s, and others are shown meanwhile")
  func refuses() throws {
    let bench = try Bench()
    bench.server.mode = .refuses
    bench.present(Sample.ringing(seq: 1))
    #expect(bench.reports() == [failed(1, "the notification server refused: too many")])
    let calls = bench.server.calls.count
    bench.advance(29)
    #expect(bench.server.calls.count == calls)
    bench.server.mode = .works
    bench.present(Sample.ringing(seq: 2, 1))
    #expect(bench.reports() == [.presented(seq: 2)])
    bench.advance(1)
    #expect(bench.reports() == [.presented(seq: 1)])
  }
}
