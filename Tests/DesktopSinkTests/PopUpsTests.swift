import SinkKit
import SinkTesting
import Testing

@testable import DesktopSink

@Suite struct PopUpsTests {
  @Test("An alert is confirmed when the server has given an id, and not before")
  func presented() throws {
    let bench = try Bench()
    bench.server.mode = .hangs
    bench.present(Sample.ringing(seq: 7))
    #expect(bench.reports().isEmpty)
    bench.server.resume(.hangs)
    bench.settle()
    #expect(bench.reports().isEmpty)
    bench.server.resume()
    bench.settle()
    #expect(bench.reports() == [.presented(seq: 7)])
    #expect(bench.screen.map(\.summary) == ["Pills"])
    #expect(bench.host.nextWake == nil)
  }

  @Test("Nothing is asked of the bus before there is something to show")
  func lazy() throws {
    let bench = try Bench()
    bench.receive(.sync([]), .cleared(Sample.cleared(seq: 2)))
    #expect(bench.server.calls.isEmpty)
    #expect(bench.host.nextWake == nil)
    #expect(bench.reports() == [.presented(seq: 2)])
  }

  @Test("The next state changes the same pop-up; the end takes it away and confirms that")
  func cycle() throws {
    let bench = try Bench()
    bench.present(Sample.ringing(seq: 1))
    let handle = bench.server.handle
    bench.present(Sample.counting(seq: 2))
    #expect(bench.server.screen[handle]?.urgency == .low)
    bench.present(Sample.halted(seq: 3))
    #expect(bench.server.screen[handle]?.body == "Paused, 3:00 left")
    #expect(bench.screen.count == 1)
    bench.receive(.cleared(Sample.cleared(seq: 4)))
    #expect(bench.screen.isEmpty)
    #expect(bench.reports() == (1...4).map { .presented(seq: $0) })
    #expect(bench.host.nextWake == nil)
  }

  @Test("An event that changes nothing to be seen is confirmed without a call")
  func same() throws {
    let bench = try Bench()
    bench.present(Sample.ringing(seq: 1))
    let calls = bench.server.calls
    bench.present(Sample.ringing(seq: 2))
    #expect(bench.server.calls == calls)
    #expect(bench.reports() == [.presented(seq: 1), .presented(seq: 2)])
  }

  @Test("Alarms that ring together have a pop-up each, and what rings comes before what counts")
  func together() throws {
    let bench = try Bench(server: .hangs)
    bench.present(Sample.counting(seq: 1, 1))
    bench.present(Sample.ringing(seq: 2, 2, title: "Pills"))
    bench.present(Sample.ringing(seq: 3, 3, title: "Bus"))
    bench.server.resume()
    bench.settle()
    #expect(bench.screen.map(\.summary) == ["Pills", "Bus", "Tea"])
    bench.receive(.cleared(Sample.cleared(seq: 4, of: 2)))
    #expect(bench.screen.map(\.summary) == ["Bus", "Tea"])
  }

  @Test("A countdown is updated every second where that is done in place")
  func everySecond() throws {
    let features = ServerFeatures(hasActions: true, updatesInPlace: true)
    let bench = try Bench(features: features)
    bench.present(Sample.counting(total: 10))
    var bodies: [String] = []
    for _ in 0..<12 {
      bodies.append(bench.screen.first.map { String($0.body.prefix(4)) } ?? "")
      bench.advance(1)
    }
    #expect(bodies == (0...9).map { $0 == 0 ? "0:10" : "0:0\(10 - $0)" } + ["0:01", "0:01"])
    #expect(bench.server.calls.count == 11)
    #expect(bench.host.nextWake == nil)
  }

  @Test("Elsewhere it is updated each minute, and left alone in the last one")
  func everyMinute() throws {
    let bench = try Bench()
    bench.present(Sample.counting(total: 240))
    let before = bench.server.calls.count
    bench.advance(59)
    #expect(bench.server.calls.count == before)
    bench.advance(181)
    #expect(bench.server.calls.count == before + 3)
    #expect(bench.host.nextWake == nil)
  }

  @Test("A long countdown is updated each minute even then, and a paused one not at all")
  func seldom() throws {
    let bench = try Bench(features: ServerFeatures(hasActions: true, updatesInPlace: true))
    bench.present(Sample.counting(total: 2 * 3_600))
    let before = bench.server.calls.count
    bench.advance(600)
    #expect(bench.server.calls.count == before + 10)
    bench.present(Sample.halted(seq: 2))
    #expect(bench.host.nextWake == nil)
  }

  @Test("With countdowns = no only alerts are seen")
  func noCountdowns() throws {
    let bench = try Bench(["countdowns": "no"])
    bench.present(Sample.counting(seq: 1))
    #expect(bench.server.calls.isEmpty)
    bench.present(Sample.ringing(seq: 2))
    #expect(bench.screen.count == 1)
    bench.present(Sample.counting(seq: 3, snooze: true))
    #expect(bench.screen.isEmpty)
    #expect(bench.reports() == (1...3).map { .presented(seq: $0) })
  }

  @Test("What was missed is one pop-up that grows, and is gone when it is closed")
  func missed() throws {
    let bench = try Bench()
    bench.receive(.missed(Sample.missed(seq: 1, of: 1)), .missed(Sample.missed(seq: 2, of: 1)))
    bench.receive(.missed(Sample.missed(seq: 3, of: 2, title: "Bus")))
    #expect(bench.screen.map(\.summary) == ["2 missed alarms"])
    #expect(bench.reports() == (1...3).map { .presented(seq: $0) })
    bench.server.close(.dismissed)
    bench.advance(60)
    #expect(bench.screen.isEmpty)
    bench.receive(.missed(Sample.missed(seq: 4, of: 3, title: "Later")))
    #expect(bench.screen.map(\.summary) == ["Missed alarm"])
  }

  @Test("At the end every pop-up goes, also those of missed alarms")
  func end() throws {
    let bench = try Bench()
    bench.present(Sample.ringing())
    bench.receive(.missed(Sample.missed(seq: 2, of: 5)))
    bench.receive(.bye)
    #expect(bench.server.hasEnded)
    #expect(bench.screen.isEmpty)
  }

  @Test("After a lost connection the pop-ups are those of the new list")
  func sync() throws {
    let bench = try Bench()
    bench.present(Sample.ringing(seq: 1, 1, title: "Pills"))
    bench.receive(.sync([Sample.ringing(seq: 9, 2, title: "Bus")]))
    #expect(bench.screen.map(\.summary) == ["Bus"])
    bench.receive(.sync([]))
    #expect(bench.screen.isEmpty)
  }

  @Test("What goes on at other sinks is taken away at once, while it rings")
  func rerouted() throws {
    let bench = try Bench()
    bench.present(Sample.ringing(seq: 1))
    bench.receive(.cleared(Sample.cleared(seq: 2, .rerouted)))
    #expect(bench.screen.isEmpty)
    bench.advance(60)
    #expect(bench.screen.isEmpty)
    #expect(bench.reports() == [.presented(seq: 1), .presented(seq: 2)])
  }

  @Test("Notices of one level are one pop-up that grows; a critical one stays until it is closed")
  func notices() throws {
    let bench = try Bench()
    bench.receive(.notice(Sample.notice(seq: 1, .critical, "nobody heard it", title: "Pills")))
    bench.receive(.notice(Sample.notice(seq: 2, .info, "the silence is over")))
    #expect(bench.screen.map(\.summary) == ["Pills", "About your alarms"])
    #expect(bench.screen.map(\.urgency) == [.critical, .normal])
    #expect(bench.screen.map(\.expires) == [false, true])
    bench.receive(.notice(Sample.notice(seq: 3, .critical, "nor that", title: "Bus")))
    #expect(bench.screen[0].summary == "Alarms need a look")
    #expect(bench.screen[0].body == "nobody heard it\nnor that")
    #expect(bench.reports() == (1...3).map { .presented(seq: $0) })
    bench.advance(3_600)
    #expect(bench.screen.count == 2)
    #expect(bench.host.nextWake == nil)
    for handle in bench.server.screen.keys { bench.server.close(.dismissed, handle) }
    bench.advance(60)
    #expect(bench.screen.isEmpty)
    // What was closed is not told again.
    bench.receive(.notice(Sample.notice(seq: 4, .critical, "and that")))
    #expect(bench.screen.map(\.body) == ["and that"])
  }

  @Test("News that came while the pop-up was being closed are shown in a new one")
  func crossing() {
    let settings = DesktopSettings(SinkSettings(sink: "popup", [:]))
    var popUps = PopUps(settings: settings, time: .utc)
    let moment = Moment(now: Sample.seven, elapsed: .zero)
    _ = popUps.notice(Sample.notice(seq: 1, .info, "first"), at: moment)
    _ = popUps.handle(.opened(ServerFeatures()), at: moment)
    #expect(popUps.handle(.shown(handle: 1), at: moment) == [.presented(1)])
    _ = popUps.notice(Sample.notice(seq: 2, .info, "second"), at: moment)
    _ = popUps.handle(.closed(handle: 1, .expired), at: moment)
    let effects = popUps.handle(.gone(handle: 1), at: moment)
    guard case .call(.show(2, let popUp))? = effects.first else {
      Issue.record("not shown anew: \(effects)")
      return
    }
    #expect(popUp.body == "second")
    #expect(popUps.handle(.shown(handle: 2), at: moment) == [.presented(2)])
  }

  @Test("What was told twice is gone when it is closed once")
  func repeated() throws {
    let bench = try Bench()
    bench.receive(.missed(Sample.missed(seq: 1, of: 1)), .missed(Sample.missed(seq: 2, of: 1)))
    bench.server.close(.dismissed)
    bench.advance(60)
    #expect(bench.screen.isEmpty)
  }
}
