import Foundation
import Testing
import TocsinModel
import TocsinTime

@testable import TocsinCommand

/// A timeline in Timelines/: what `tocsin simulate` plays, and in comments that begin with `#>` what it
/// must print, one event a line.
struct TimelineFile: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String

  static let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Timelines")

  /// Those in which the daemon is killed and started again.
  static var restarting: [TimelineFile] { all.filter { $0.text.contains(" down ") } }

  /// All there are, in the order of their names.
  static let all: [TimelineFile] = {
    let names = FileManager.default.enumerator(atPath: directory.path)?.allObjects ?? []
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".txt") }.sorted().map {
      let url = directory.appendingPathComponent($0)
      return TimelineFile(name: $0, text: (try? String(contentsOf: url, encoding: .utf8)) ?? "")
    }
  }()

  var testDescription: String { name }

  var expected: [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("#> ") }.map { String($0.dropFirst(3)) }
  }
}

/// What `tocsin simulate` did.
struct Played {
  var output = ""
  var complaint = ""
  var exit: Int32 = 0

  /// Plays a text as the file of that name, on a machine in UTC.
  init(_ text: String, name: String = "week.txt") {
    var (output, complaint) = ("", "")
    let session = Session(
      environment: ["TZ": "UTC"],
      outputIsTerminal: false,
      inputIsTerminal: false,
      width: 80,
      write: { output += $0 },
      complain: { complaint += $0 }
    )
    do throws(CommandFailure) {
      exit = try ServiceTools.simulate(text, name: name, session: session).rawValue
    } catch {
      exit = error.exit.rawValue
      complaint += error.message
    }
    self.output = output
    self.complaint = complaint
  }

  /// The events, each as a line of the form the files expect.
  func events() throws -> [String] {
    try output.split(separator: "\n").map { line in
      try JSONDecoder().decode(Event.self, from: Data(line.utf8)).line
    }
  }
}

/// The keys of an event that timelines are about.
private struct Event: Decodable {
  var at: String
  var type: String
  var title: String?
  var due: String?
  var late: Double?
  var reason: String?
  var code: String?
  var resumed: Bool?
  var countdown: Countdown?

  struct Countdown: Decodable {
    var total: Double
    var elapsed: Double
  }

  /// `at type title`, then what else there is to say: how late, or the due time if it is neither now
  /// nor told by that, the end or the rest of a countdown, the reason.
  var line: String {
    var words = [Self.short(at), type]
    if let code { return (words + [code]).joined(separator: " ") }
    words.append(title.flatMap { $0.isEmpty ? nil : $0 } ?? "-")
    let due = due.map(Self.short) ?? ""
    switch type {
    case "alert":
      let late = late ?? 0
      if late > 0 { words += ["late", Self.short(late)] }
      if let wanted = Instant(rfc3339: due), let now = Instant(rfc3339: at),
        wanted + .milliseconds(Int64((late * 1_000).rounded())) != now
      {
        words += ["due", due]
      }
    case "countdown": words += ["until", due]
    case "paused":
      let left = (countdown?.total ?? 0) - (countdown?.elapsed ?? 0)
      words += ["left", Self.short(left)]
    case "missed": words += [reason ?? "", "due", due]
    default: words.append(reason ?? "")
    }
    if resumed == true { words.append("resumed") }
    return words.joined(separator: " ")
  }

  private static func short(_ seconds: Double) -> String {
    Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
  }

  private static func short(_ time: String) -> String {
    time.replacingOccurrences(of: ".000Z", with: "Z")
  }
}
