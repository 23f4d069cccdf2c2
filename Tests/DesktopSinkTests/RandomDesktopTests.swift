import ProcessTesting
import SinkKit
import SinkTesting
import Testing

@testable import DesktopSink

/// A day of random events before a server that comes, goes, hangs, refuses and closes what it likes.
private struct RandomDesktop {
  private let bench: Bench
  private var random: SeededGenerator
  private var seq: UInt64 = 0
  private var presented: [UInt32: Presentation] = [:]
  /// Events without a receipt, and when they were sent.
  private var unanswered: [UInt64: Duration] = [:]
  private var problems: [String] = []

  init(seed: UInt64) throws {
    random = SeededGenerator(state: seed)
    let inPlace = Bool.random(using: &random)
    bench = try Bench(features: ServerFeatures(hasActions: true, updatesInPlace: inPlace))
  }

  /// Lives through it and says what was wrong.
  mutating func run() -> [String] {
    for _ in 0..<150 {
      step()
      bench.advance(Double.random(in: 0...2, using: &random))
      takeReports()
    }
    calm()
    return problems
  }

  private mutating func step() {
    let serial = UInt32.random(in: 0..<4, using: &random)
    seq += 1
    switch Int.random(in: 0..<14, using: &random) {
    case 0...2: present(Sample.ringing(seq: seq, serial, title: "\(serial)", snoozes: Int(seq)))
    case 3: present(Sample.counting(seq: seq, serial, title: "\(serial)", total: 600))
    case 4: present(Sample.halted(seq: seq, serial))
    case 5, 6: clear(serial)
    case 7:
      unanswered[seq] = bench.host.elapsed
      bench.receive(.missed(Sample.missed(seq: seq, of: serial)))
    case 8: bench.server.press(["stop", "snooze", "default"].randomElement(using: &random) ?? "")
    case 9:
      let reason = CloseReason(rawValue: Int.random(in: 1...4, using: &random)) ?? .undefined
      if let handle = bench.server.screen.keys.min() { bench.server.close(reason, handle) }
    case 10: if bench.server.mode == .works { bench.server.mode = .hangs }
    case 11: bench.server.resume()
    case 12:
      bench.server.leave()
      bench.server.resume(.absent)
    default:
      if bench.server.mode == .absent { bench.server.come() } else { bench.server.resume() }
    }
    bench.settle()
  }

  private mutating func present(_ presentation: Presentation) {
    presented[presentation.occurrence.serial] = presentation
    unanswered[presentation.seq] = bench.host.elapsed
    bench.present(presentation)
  }

  private mutating func clear(_ serial: UInt32) {
    presented[serial] = nil
    unanswered[seq] = bench.host.elapsed
    bench.receive(.cleared(Sample.cleared(seq: seq, of: serial)))
  }

  private mutating func takeReports() {
    for report in bench.host.takeReports() {
      switch report {
      case .presented(let seq): unanswered[seq] = nil
      case .failed(let failed): unanswered[failed.seq] = nil
      case .intent(let intent):
        let rings = presented.values.contains { intent.target == .occurrence($0.occurrence) }
        if !rings { problems.append("an answer for what is over: \(intent)") }
      default: break
      }
    }
    for (seq, sent) in unanswered where bench.host.elapsed - sent > .seconds(5) {
      problems.append("event \(seq) has no receipt")
      unanswered[seq] = nil
    }
  }

  /// The server works from now on: all must come right.
  private mutating func calm() {
    if bench.server.mode == .absent { bench.server.come() } else { bench.server.resume() }
    bench.advance(120)
    takeReports()
    let ringing = presented.values.filter { $0.state == .alerting }.map(\.title).sorted()
    let shown = bench.screen.filter { $0.urgency == .critical }.map(\.summary).sorted()
    if shown != ringing { problems.append("\(ringing) ring and \(shown) are shown") }
    for serial in presented.keys.sorted() {
      seq += 1
      clear(serial)
    }
    bench.advance(10)
    takeReports()
    let left = bench.screen.filter { $0.category != "x-tocsin.missed" }
    if !left.isEmpty { problems.append("\(left) are left") }
    if !unanswered.isEmpty { problems.append("\(unanswered.keys) are unanswered") }
    if let wake = bench.host.nextWake { problems.append("it would wake at \(wake)") }
  }
}

@Suite(.timeLimit(.minutes(10))) struct RandomDesktopTests {
  @Test("Whatever comes, each event is answered, and in the end what rings is what is shown")
  func seeds() throws {
    for seed in 0..<60 {
      var desktop = try RandomDesktop(seed: UInt64(seed))
      let problems = desktop.run()
      #expect(problems.isEmpty, "seed \(seed)")
      if !problems.isEmpty { break }
    }
  }
}
