import Foundation
import Testing
import TocsinModel

/// What is written and read is what docs/protocol.schema.json says, and the other way round.
@Suite("The protocol's schema", .timeLimit(.minutes(10))) struct SchemaTests {
  private typealias Line = ProtocolSchema.Line

  private func value(_ line: some Encodable) throws -> JSONValue {
    try JSONLine.decode(JSONValue.self, from: JSONLine.encode(line))
  }

  private func samples() throws -> [Line] {
    var lines = try SampleLines.messages.map { Line(group: .routerToSink, line: try value($0)) }
    lines += try SampleLines.reports.map { Line(group: .sinkToRouter, line: try value($0)) }
    lines += try SampleLines.requests.map { Line(group: .request, line: try value($0)) }
    lines += try SampleLines.replies.map { Line(group: .reply, line: try value($0)) }
    lines += try SampleLines.applicationMessages.map {
      Line(group: .daemonToProgram, line: try value($0))
    }
    return lines
  }

  @Test("allows every line that is written, names every key of it, and none that no line has")
  func written() throws {
    let faults = try ProtocolSchema.faults(in: samples(), areAll: true)
    #expect(faults == [])
  }

  @Test("has examples that are what it says and that can be read")
  func examples() throws {
    let schema = try ProtocolSchema()
    var lines: [Line] = []
    for group in ProtocolSchema.Group.allCases {
      for definition in schema.members(of: group) {
        #expect(
          schema.definitions[definition]?["examples"]?.array?.isEmpty == false,
          "\(definition)"
        )
      }
      for example in schema.examples(of: group) {
        lines.append(Line(group: group, line: example))
        let line = try JSONLine.encode(example)
        switch group {
        case .routerToSink:
          let message = try JSONLine.decode(SinkMessage.self, from: line)
          #expect(SampleLines.type(of: message) == example["type"]?.string)
        case .sinkToRouter:
          let report = try JSONLine.decode(SinkReport.self, from: line)
          #expect(SampleLines.type(of: report) == example["type"]?.string)
        case .request:
          let request = try JSONLine.decode(Request.self, from: line)
          #expect(SampleLines.type(of: request) == example["type"]?.string)
        case .reply:
          let reply = try JSONLine.decode(Reply.self, from: line)
          #expect(SampleLines.type(of: reply) == example["type"]?.string)
        case .daemonToProgram:
          let message = try JSONLine.decode(ApplicationMessage.self, from: line)
          #expect(SampleLines.type(of: message) == example["type"]?.string)
        }
      }
    }
    let faults = try ProtocolSchema.faults(in: lines, areAll: false)
    #expect(faults == [])
  }

  @Test("is for the types of messages that there are, and for no others")
  func types() throws {
    let schema = try ProtocolSchema()
    #expect(
      schema.types(of: .routerToSink)
        == Set(SampleLines.messages.compactMap { SampleLines.type(of: $0) })
    )
    #expect(
      schema.types(of: .sinkToRouter)
        == Set(SampleLines.reports.compactMap { SampleLines.type(of: $0) })
    )
    #expect(
      schema.types(of: .request) == Set(SampleLines.requests.map { SampleLines.type(of: $0) })
    )
    #expect(schema.types(of: .reply) == Set(SampleLines.replies.map { SampleLines.type(of: $0) }))
    #expect(
      schema.types(of: .daemonToProgram)
        == Set(SampleLines.applicationMessages.map { SampleLines.type(of: $0) })
    )
    let commonTypes = SampleLines.messages.allSatisfy { message in
      (try? value(message))?["type"]?.string == SampleLines.type(of: message)
    }
    #expect(commonTypes)
  }

  @Test("has the words that the code has, where one of several is to be chosen")
  func words() throws {
    func words<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> [String]
    where Word.RawValue == String { type.allCases.map(\.rawValue) }
    let known = [
      "action": words(AlarmAction.self), "alarmKind": words(AlarmKind.self),
      "alarmState": words(AlarmState.self), "behavior": words(AlarmButton.Behavior.self),
      "clearReason": words(ClearReason.self).filter { $0 != "other" },
      "missedReason": words(MissedReason.self),
      "noticeLevel": words(SinkMessage.Notice.Level.self),
      "receiptResult": words(AlertReceipt.Result.self), "stepKind": words(RouteStep.Kind.self),
      "historyEvent": words(HistoryEntry.Event.self), "errorCode": words(ServiceError.Code.self),
      "access": words(Access.self),
      "weekday": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    ]
    let schema = try ProtocolSchema()
    for (name, definition) in schema.definitions {
      guard let words = definition["enum"]?.array?.compactMap(\.string) else { continue }
      #expect(Set(words) == known[name].map { Set($0) }, "\(name)")
    }
    for name in known.keys { #expect(schema.definitions[name]?["enum"] != nil, "\(name)") }
  }

  @Test("does not allow what is wrong, or all of this means nothing")
  func wrong() throws {
    let texts: [(ProtocolSchema.Group, String)] = [
      (.routerToSink, #"{"type":"dance"}"#),
      (.routerToSink, #"{"type":"ping","seq":7}"#),
      (.routerToSink, #"{"type":"sync","presentations":[{"type":"alert","seq":7}]}"#),
      (.routerToSink, #"{"type":"notice","seq":7,"level":"cosmic","text":""}"#),
      (.sinkToRouter, #"{"type":"presented"}"#),
      (.sinkToRouter, #"{"type":"ready","name":"lamp","parts":[{"name":"a.b"}]}"#),
      (.sinkToRouter, #"{"type":"ready","name":"lamp","parts":[{"name":"a","size":1}]}"#),
      (.request, #"{"type":"silence","id":"1","match":"label:x","duration":"2h"}"#),
      (.request, #"{"type":"stop","id":"1","target":"mine"}"#),
      (.reply, #"{"type":"error","id":"1","code":"bored","message":"no"}"#),
      (.request, #"{"type":"join","id":"1","application":""}"#),
      (.request, #"{"type":"performed","id":"1"}"#),
      (.daemonToProgram, #"{"type":"authorization","access":"perhaps"}"#),
      (.daemonToProgram, #"{"type":"perform","number":7}"#),
    ]
    let lines = try texts.map { group, text in
      let line = try JSONLine.decode(JSONValue.self, from: Array(text.utf8))
      return Line(group: group, line: line)
    }
    let faults = try ProtocolSchema.faults(in: lines, areAll: false)
    let found = Set(faults.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } })
    #expect(found == Set(lines.indices))
  }

  @Test("docs/protocol.md tells of each message and of each word")
  func documented() throws {
    let path = ProtocolSchema.root.appendingPathComponent("docs/protocol.md")
    let text = try String(contentsOf: path, encoding: .utf8)
    let schema = try ProtocolSchema()
    var words = Set(ProtocolSchema.Group.allCases.flatMap { schema.types(of: $0) })
    for (name, definition) in schema.definitions where name != "weekday" {
      words.formUnion(definition["enum"]?.array?.compactMap(\.string) ?? [])
    }
    #expect(words.count > 80)
    #expect(words.filter { !text.contains("`\($0)`") }.sorted() == [])
  }
}
