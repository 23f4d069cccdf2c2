import Testing
import TocsinModel

@testable import TocsinService

private func parse(_ texts: String...) throws(ConfigurationError) -> Configuration {
  try Configuration(
    texts.enumerated().map { Configuration.Source(name: "f\($0.offset)", text: $0.element) }
  )
}

@Suite("Access of programs in the configuration")
struct AccessConfigurationTests {
  @Test("holds what every key says, also over several files, and reads what it writes")
  func everyKey() throws {
    let read = try parse(
      "[access]\ndefault = on-request\nallow = kitchen-*, \"a, b\"\n",
      "[access]\ndeny = *noisy*\n"
    )
    var expected = AccessSettings()
    expected.fallback = .onRequest
    expected.allow = [Glob("kitchen-*"), Glob("a, b")]
    expected.deny = [Glob("*noisy*")]
    #expect(read.access == expected)
    #expect(try parse(read.text).access == expected)
    #expect(try parse(read.text, "[access]\nallow = none\ndeny =\n").access.allow == [])
    #expect(!Configuration().text.contains("[access]"))
  }

  @Test("says where a mistake is, and what was meant")
  func mistakes() {
    let text = """
      [access mine]
      [acess]
      [access]
      default = on-requst
      alow = a
      deny = "open
      """
    let expected = [
      "f0:1:2: [access] has no name",
      "f0:2:2: unknown section acess, did you mean access?",
      "f0:4:11: default: unknown word on-requst, did you mean on-request?",
      "f0:5:1: unknown key alow in [access], did you mean allow?",
      "f0:6:8: deny: this quote is not closed",
    ]
    do {
      _ = try parse(text)
      Issue.record("it was taken")
    } catch {
      #expect(error.problems.map(\.description) == expected)
    }
    do {
      _ = try parse("[access]\ndefault = 7")
      Issue.record("it was taken")
    } catch {
      #expect(error.description == "f0:2:11: default: write allow, on-request or deny")
    }
  }

  @Test("lets deny win over allow, allow over the default, and asks only where it must")
  func rules() {
    var settings = AccessSettings()
    settings.allow = [Glob("com.example.*")]
    settings.deny = [Glob("*.noisy")]
    for rule in AccessSettings.Rule.allCases {
      settings.fallback = rule
      for hasAsked in [false, true] {
        #expect(settings.access(of: "com.example.Tea", hasAsked: hasAsked) == .authorized)
        #expect(settings.access(of: "com.example.noisy", hasAsked: hasAsked) == .denied)
      }
    }
    settings.fallback = .allow
    #expect(settings.access(of: "tea", hasAsked: false) == .authorized)
    settings.fallback = .deny
    #expect(settings.access(of: "tea", hasAsked: true) == .denied)
    settings.fallback = .onRequest
    #expect(settings.access(of: "tea", hasAsked: false) == .notDetermined)
    #expect(settings.access(of: "tea", hasAsked: true) == .authorized)
  }
}
