import Testing
import TocsinModel
import TocsinTime

@testable import TocsinCommand

@Suite("The plan of a plugin's check")
struct CheckPlanTests {
  private let plan = CheckPlan(now: Instant(seconds: 1_800_000_000))

  private var texts: [RouterText] {
    plan.checks.flatMap(\.steps).compactMap { step in
      if case .write(let text) = step { text } else { nil }
    }
  }

  /// The lines of all that is written, each without its end.
  private var lines: [[UInt8]] {
    texts.flatMap(\.bytes).split(separator: 10, omittingEmptySubsequences: false)
      .map { Array($0) }
  }

  @Test("has a name of its own for each check, and asks each for something")
  func names() {
    #expect(Set(plan.checks.map(\.id)).count == plan.checks.count)
    #expect(plan.checks.count > 20)
    for check in plan.checks {
      #expect(check.steps.contains { if case .wait = $0 { true } else { false } }, "\(check.id)")
    }
  }

  @Test("numbers each event once, in order, and waits for none that it does not send")
  func numbers() {
    let seqs = texts.flatMap(\.seqs)
    #expect(seqs == Array(1...UInt64(seqs.count)))
    for check in plan.checks {
      var sent: Set<UInt64> = []
      for step in check.steps {
        switch step {
        case .write(let text): sent.formUnion(text.seqs)
        case .wait(.receipts(let seqs)): #expect(sent.isSuperset(of: seqs), "\(check.id)")
        case .wait, .pause, .closeInput, .terminate: break
        }
      }
    }
  }

  @Test("writes what the protocol allows, beside four lines that are none")
  func messages() {
    var types: [String: Int] = [:]
    var wrong: [String] = []
    for line in lines {
      #expect(line.count < JSONLine.limit)
      do {
        switch try JSONLine.decode(SinkMessage.self, from: line) {
        case .present(let presentation): types[presentation.type, default: 0] += 1
        case .unknown(let type): types[type, default: 0] += 1
        case .sync: types["sync", default: 0] += 1
        case .cleared: types["cleared", default: 0] += 1
        case .missed, .secondary, .notice: types["aside", default: 0] += 1
        case .ping: types["ping", default: 0] += 1
        case .bye: types["bye", default: 0] += 1
        case .hello, .receipt: Issue.record("\(line)")
        }
      } catch {
        wrong.append(String(decoding: line, as: UTF8.self))
      }
    }
    // An empty line, two that are no objects, one that is no text; and nothing after the last end.
    #expect(wrong.count == 5, "\(wrong)")
    #expect(types["moonrise"] == 1)
    #expect(types["aside"] == 3)
    #expect(types["bye"] == 1)
    #expect((types["alert"] ?? 0) > 260)
    #expect((types["countdown"] ?? 0) > 240)
    #expect(lines.contains { $0.count > 63 * 1024 })
  }

  @Test("a title with everything in it, and keys unheard of, are one message still")
  func hostile() throws {
    let titles = lines.compactMap { line -> Presentation? in
      if case .present(let one)? = try? JSONLine.decode(SinkMessage.self, from: line) {
        one
      } else {
        nil
      }
    }
    #expect(titles.contains { $0.title == RouterLines.wildTitle && $0.state == .alerting })
    let strange = lines.filter { $0.starts(with: #"{"type":"alert""#.utf8) && $0.last == 125 }
      .first { String(decoding: $0, as: UTF8.self).contains(#""unheard""#) }
    let line = try #require(strange)
    guard case .present(let one) = try JSONLine.decode(SinkMessage.self, from: line) else {
      Issue.record("it is no alert")
      return
    }
    #expect(one.seq > 0)
    #expect(plan.occurrences.contains(one.occurrence))
  }

  @Test("a result is one line")
  func results() {
    func line(_ outcome: CheckResult.Outcome) -> String {
      CheckResult(id: "x", what: "does it", outcome: outcome).line
    }
    #expect(line(.passed(nil)) == "ok    does it")
    #expect(line(.passed("well")) == "ok    does it: well")
    #expect(line(.noted("hm")) == "note  does it: hm")
    #expect(line(.notTried) == "-     does it: not tried")
    let failed = CheckResult.Outcome.failed(expected: "a", came: "b", remedy: "c")
    #expect(line(failed) == "FAIL  does it: expected a; b; c")
  }
}
