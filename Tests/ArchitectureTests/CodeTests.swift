import Testing

@Suite("Code")
struct CodeTests {
  private let sources = Repository.sources + Repository.examples
  private let all = Repository.sources + Repository.examples + Repository.tests

  @Test("A main.swift has five lines at most")
  func mains() {
    let mains = sources.filter { $0.path.hasSuffix("/main.swift") }
    #expect(!mains.isEmpty)
    for main in mains { #expect(main.codeLines.count <= 5, "\(main.path)") }
  }

  @Test("No file is longer than can be read at once")
  func lengths() {
    let long = all.filter { $0.lines.count > 400 }
    for file in long { print("warning: \(file.path) has \(file.lines.count) lines, over 400") }
    for file in long { #expect(file.lines.count <= 600, "\(file.path)") }
  }

  @Test("Nothing outside can end the program", arguments: ["try!", "as!", "fatalError("])
  func traps(word: String) {
    for source in sources {
      for (index, line) in source.code.enumerated() where line.contains(word) {
        Issue.record("\(source.path):\(index + 1): \(word)")
      }
    }
  }

  @Test(
    "Whoever says that something is safe says why, beside it",
    arguments: ["@unchecked Sendable", "nonisolated(unsafe)", "unsafeBitCast"]
  )
  func safety(word: String) {
    for source in all {
      for (index, line) in source.code.enumerated() where line.contains(word) {
        let reason = source.comments(around: index).lowercased()
        #expect(
          reason.contains("safe because"),
          "\(source.path):\(index + 1): \(word) without \"safe because ...\""
        )
      }
    }
  }
}

@Suite("The reader of sources")
struct SwiftSourceTests {
  private func source(_ text: String) -> SwiftSource {
    SwiftSource(path: "Sources/Sinks/Lamp/LampSink/x.swift", text: text)
  }

  @Test("knows code from comments and texts")
  func code() {
    let text = ##"""
      // try! a
      let a = "try! b \(c("try! d")) \" try! e"  // try! f
      let g = #"try! "h" \#(i("try!"))"# + j
      /* try! k
         try! l */ m()
      """##
    let code = source(text).code
    #expect(!code.contains { $0.contains("try!") })
    #expect(code.count == 5)
    #expect(code[2].hasSuffix("+ j") && code[4].hasSuffix("m()"))
    #expect(source("try! x").code == ["try! x"])
  }

  @Test("knows what is imported, and by whom")
  func imports() {
    let text = """
      import Glibc
      public import struct TocsinTime.Zone
      @testable import SinkKit
      // import Nothing
      let import_ = "import Nothing"
      """
    #expect(source(text).imports == ["Glibc", "TocsinTime", "SinkKit"])
    #expect(source("").module == "LampSink")
    #expect(SwiftSource(path: "Sources/tocsin/main.swift", text: "").module == "tocsin")
  }

  @Test("puts a comment's lines together")
  func comments() {
    let source = source("// It is safe\n  // because nobody looks.\nlet x = 1")
    #expect(source.comments(around: 2) == "It is safe because nobody looks.")
  }

  @Test("reads a manifest")
  func manifest() {
    let manifest = Manifest(
      """
      func library(_ name: String) {}
      .target(name: "CLamp"),
      // library("Commented", ["A"]),
      library("Lamp", path: "Sources/Lamp", ["CLamp", "Kit"]),
      program("lamp", [
        "Lamp"
      ]),
      library("Kit", []),
      """
    )
    #expect(manifest.targets.map(\.name) == ["CLamp", "Lamp", "lamp", "Kit"])
    #expect(manifest["Lamp"]?.dependencies == ["CLamp", "Kit"])
    #expect(manifest["Lamp"]?.path == "Sources/Lamp")
    #expect(manifest["lamp"]?.dependencies == ["Lamp"])
    #expect(manifest.cModules == ["CLamp"])
  }
}
