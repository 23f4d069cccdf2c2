import Testing
import TocsinTime

@testable import TocsinCommand

@Suite("Reading command lines")
struct InvocationTests {
  private let command = CommandSpec(
    "demo",
    takes: "WORD…",
    count: 0...3,
    "Shows",
    options: [
      OptionSpec("number", short: "n", value: "N", "a number"),
      OptionSpec("label", value: "WORD", "a label", repeats: true),
      OptionSpec("all", short: "a", "all"),
    ]
  ) { _, _ in .success }

  @Test(
    "options and words may be mixed",
    arguments: [
      (["a", "b"], ["a", "b"], [:]),
      (["-n", "5", "a"], ["a"], ["number": ["5"]]),
      (["a", "-n5"], ["a"], ["number": ["5"]]),
      (["-n=5"], [], ["number": ["5"]]),
      (["--number=5", "a"], ["a"], ["number": ["5"]]),
      (["--number", "-5"], [], ["number": ["-5"]]),
      (["--number="], [], ["number": [""]]),
      (["--label=a=b"], [], ["label": ["a=b"]]),
      (["--label", "a", "x", "--label", "b"], ["x"], ["label": ["a", "b"]]),
      (["-an", "5"], [], ["all": [""], "number": ["5"]]),
      (["--all", "--all"], [], ["all": ["", ""]]),
      (["-5m", "-.5s", "-"], ["-5m", "-.5s", "-"], [:]),
      (["- [ ] plans"], ["- [ ] plans"], [:]),
      (["--", "--all", "-n"], ["--all", "-n"], [:]),
    ] as [([String], [String], [String: [String]])]
  )
  func right(words: [String], operands: [String], values: [String: [String]]) throws {
    let invocation = try Invocation(words, for: command)
    #expect(invocation.operands == operands)
    #expect(invocation.values == values)
  }

  @Test(
    "what cannot be meant is refused, with the nearest word",
    arguments: [
      (["--nubmer", "5"], "did you mean --number?"),
      (["--lab", "x"], "did you mean --label?"),
      (["--xyzzy"], "see: tocsin demo --help"),
      (["-x"], "no option -x"),
      (["-ax"], "no option -x"),
      (["--number"], "--number needs N"),
      (["-n"], "--number needs N"),
      (["--all=yes"], "--all takes no value"),
      (["-n", "1", "--number", "2"], "--number is given twice"),
      (["a", "b", "c", "d"], "takes no \"d\""),
    ] as [([String], String)]
  )
  func wrong(words: [String], sentence: String) {
    let thrown = failure(CommandFailure.self) { _ = try Invocation(words, for: command) }
    #expect(thrown?.exit == .usage)
    #expect(thrown?.message.contains(sentence) == true, "\(thrown?.message ?? "")")
  }

  @Test("numbers are whole and in their range", arguments: ["1.5", "x", "", "11", "-1"])
  func numbers(text: String) throws {
    let invocation = try Invocation(["-n", text], for: command)
    #expect(throws: CommandFailure.self) { try invocation.number("number", in: 0...10) }
    #expect(try Invocation(["-n10"], for: command).number("number", in: 0...10) == 10)
  }

  @Test(
    "the nearest word is one or two slips away",
    arguments: [
      ("lsit", "list"), ("snoze", "snooze"), ("tmier", "timer"), ("hist", "history"),
      ("Stop", "stop"), ("resumee", "resume"), ("xyzzy", nil), ("s", nil), ("", nil),
    ] as [(String, String?)]
  )
  func nearestWord(word: String, expected: String?) {
    #expect(NearestWord.of(word, in: CommandTable.visible.map(\.name)) == expected)
  }

  @Test("every option of every command is there once, and no value is completed without a name")
  func table() {
    let names = CommandTable.all.map(\.name)
    #expect(Set(names).count == names.count)
    for command in CommandTable.all {
      let options = command.allOptions
      #expect(Set(options.map(\.name)).count == options.count, "\(command.name)")
      let shorts = options.compactMap(\.short)
      #expect(Set(shorts).count == shorts.count, "\(command.name)")
      for option in options {
        #expect(option.value != nil || option.completion == .none)
        #expect(!option.help.hasSuffix("."))
      }
    }
    for word in CommandTable.otherWords.values { #expect(names.contains(word)) }
  }

  @Test("the examples of the help are right")
  func examples() throws {
    for command in CommandTable.visible {
      for example in command.examples {
        let line = example.line.prefix { $0 != ">" }
        var words: [String] = []
        for (index, part) in line.split(separator: "\"", omittingEmptySubsequences: false)
          .enumerated()
        {
          words +=
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map { String($0) }
        }
        #expect(words.prefix(2) == ["tocsin", command.name])
        _ = try Invocation(words.dropFirst(2), for: command)
      }
    }
  }
}
