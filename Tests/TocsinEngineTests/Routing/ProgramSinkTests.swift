import Testing
import TocsinModel
import TocsinTime

@testable import TocsinEngine

@Suite("A program's own sink")
struct ProgramSinkTests {
  /// A timer of a program.
  private func timer(_ bench: inout RouterBench, _ title: String, of application: String?) {
    bench.timer(title) { $0.options.application = application }
  }

  @Test("presents the program's alarms from beginning to end, and nobody else's")
  func own() throws {
    var bench = try RouterBench()
    bench.ready("speaker", audible: true)
    bench.view("view", of: "kitchen")
    timer(&bench, "Tea", of: "kitchen")
    timer(&bench, "Pill", of: "pills")
    timer(&bench, "Mine", of: nil)
    bench.act(.pause, "Pill")
    bench.act(.stop, "Mine")
    #expect(bench.view("view") == ["countdown Tea"])
    bench.wait(10)
    #expect(bench.view("view") == ["alert Tea"])
    bench.act(.stop, "Tea")
    bench.act(.cancel, "Pill")
    #expect(
      bench.read().filter { $0.contains("view") } == [
        "0 view countdown Tea", "10 view alert Tea", "10 view stopped Tea",
      ]
    )
    #expect(bench.router.owners.isEmpty)
  }

  @Test("presents them whatever routes say of others, and no louder than they")
  func routes() throws {
    let night = try route("night", match: "all", to: ["speaker"]) { $0.quiet = 0.3 }
    var bench = try RouterBench([night])
    bench.readyBedroom()
    bench.view("view", of: "kitchen", audible: true)
    timer(&bench, "Tea", of: "kitchen")
    bench.wait(10)
    #expect(
      bench.read() == [
        "0 speaker countdown Tea <=0.3", "0 view countdown Tea <=0.3",
        "10 speaker alert Tea <=0.3", "10 view alert Tea <=0.3",
      ]
    )
  }

  @Test("is left out where nobody is to present anything")
  func dropped() throws {
    var bench = try RouterBench([try route("away", match: "all") { $0.drop = true }])
    bench.readyBedroom()
    bench.view("view", of: "kitchen")
    timer(&bench, "Tea", of: "kitchen")
    bench.wait(10)
    #expect(bench.read() == [])
    #expect(bench.view("view") == [])
  }

  @Test("keeps nobody else from being asked when those that routes name fail")
  func lastResort() throws {
    var bench = try RouterBench([try route(to: ["popup"])])
    bench.readyBedroom()
    bench.view("view", of: "kitchen")
    bench.condition("popup", .failed("no desktop"))
    timer(&bench, "Tea", of: "kitchen")
    bench.wait(10)
    let first = bench.read().filter { $0.contains("alert") }
    #expect(first == ["speaker", "popup", "bedside", "view"].map { "10 \($0) alert Tea" })
    // And also when they leave while it rings.
    bench = try RouterBench([try route(to: ["popup"])])
    bench.readyBedroom()
    bench.view("view", of: "kitchen")
    timer(&bench, "Tea", of: "kitchen")
    bench.wait(10)
    bench.confirm("popup", "view")
    _ = bench.read()
    bench.route(.gone(SinkID("popup")))
    #expect(bench.read() == ["10 speaker alert Tea", "10 bedside alert Tea"])
  }

  @Test("cannot confirm the alarm of somebody else, and may its own")
  func confirming() throws {
    var bench = try RouterBench()
    bench.view("view", of: "kitchen", audible: true)
    timer(&bench, "Pill", of: "pills")
    bench.wait(10)
    let seq = try #require(bench.table.presentations.first?.seq)
    bench.route(.presented(seq: seq, by: SinkID("view")))
    #expect(bench.receipts("Pill") == [])
    bench.wait(10)
    #expect(bench.router.unheardCount == 1)
    // The report names the alarm, so it is for its own program only.
    #expect(bench.read() == [])
    bench.act(.stop, "Pill")
    timer(&bench, "Tea", of: "kitchen")
    bench.wait(10)
    bench.confirm("view")
    bench.wait(60)
    #expect(bench.receipts("Tea") == ["view presented"])
    #expect(bench.router.unheardCount == 0)
  }

  @Test("is told what is the matter with its own alarms")
  func notices() throws {
    var bench = try RouterBench()
    bench.view("view", of: "kitchen")
    bench.view("other", of: "pills")
    timer(&bench, "Tea", of: "kitchen")
    bench.wait(30)
    let notices = bench.read().filter { $0.contains("notice") }
    #expect(notices.count == 1)
    #expect(notices.first?.contains("view notice Tea rings and nobody has confirmed it") == true)
    bench.route(.silence(try RouteMatch("label:x"), for: .seconds(20), source: "test"))
    bench.wait(20)
    #expect(bench.read() == [])
  }

  @Test("that joins late is shown what is its own, by routes as well")
  func late() throws {
    for routes in [[], [try route("r", match: "all", to: ["speaker"])]] {
      var bench = try RouterBench(routes)
      bench.ready("speaker", audible: true)
      timer(&bench, "Tea", of: "kitchen")
      timer(&bench, "Pill", of: "pills")
      bench.wait(5)
      timer(&bench, "Eggs", of: "kitchen")
      bench.wait(5)
      bench.view("view", of: "kitchen")
      #expect(bench.view("view") == ["countdown Eggs", "alert Tea"])
      #expect(bench.receipts("Tea") == ["speaker pending", "view pending"])
      #expect(bench.receipts("Pill") == ["speaker pending"])
    }
  }
}
