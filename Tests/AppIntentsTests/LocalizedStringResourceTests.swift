import Foundation
import Testing

@testable import TocsinResources

@Suite("A text that is looked up")
struct LocalizedStringResourceTests {
  private func coded(_ text: LocalizedStringResource) throws -> LocalizedStringResource {
    try JSONDecoder().decode(
      LocalizedStringResource.self,
      from: try JSONEncoder().encode(text)
    )
  }

  @Test("is itself where nothing is written into it")
  func literal() {
    let text: LocalizedStringResource = "100 % wool, %@ %d"
    #expect(text.key == "100 % wool, %@ %d")
    #expect(String(localized: text) == "100 % wool, %@ %d")
    let medicine = "Aspirin"
    let made = LocalizedStringResource(stringLiteral: "Time for \(medicine)")
    #expect(String(localized: made) == "Time for Aspirin" && made.key == "Time for Aspirin")
  }

  @Test("has a place for each value")
  func interpolated() {
    let name = "Tea"
    let minutes = 5
    let unsigned: UInt8 = 7
    let text: LocalizedStringResource =
      "\(name) in \(minutes) min, \(unsigned), \(0.5, specifier: "%.2f"), \(true), 50%"
    #expect(text.key == "%@ in %lld min, %llu, %.2f, %@, 50%%")
    #expect(String(localized: text) == "Tea in 5 min, 7, 0.50, true, 50%")
  }

  @Test("may hold another")
  func nested() {
    let inner: LocalizedStringResource = "eggs (\(3))"
    let outer: LocalizedStringResource = "Boil \(inner)"
    #expect(String(localized: outer) == "Boil eggs (3)")
  }

  @Test("keeps what is written into it as it is")
  func values() {
    let tricky = "%@ %lld 100%"
    let text: LocalizedStringResource = "<\(tricky)> <\(Int.min)> <\(UInt64.max)>"
    #expect(
      String(localized: text) == "<%@ %lld 100%> <-9223372036854775808> <18446744073709551615>"
    )
  }

  @Test("may be put in another order by a translator, and a slip of hers is seen")
  func forms() {
    let value: String.LocalizationValue = "\("a") \(2)"
    #expect(value.filled("%2$lld, %1$@") == "2, a")
    #expect(value.filled("%03lld") == "a")
    #expect(value.filled("%2$03lld|%%|%3$@|%n") == "002|%|%3$@|%n")
    #expect(value.filled("%@ %@ %@") == "a 2 %@")
  }

  @Test("may have a key of its own, a table and a language")
  func keyed() {
    let text = LocalizedStringResource(
      "alarm.title",
      defaultValue: "Wake \("Ada")",
      table: "Alarms",
      locale: Locale(identifier: "de_DE"),
      comment: "on the lock screen"
    )
    #expect(text.key == "alarm.title" && text.table == "Alarms")
    #expect(text.locale.identifier == "de_DE")
    #expect(String(localized: text) == "Wake Ada")
    #expect(text.localizedStringResource == text)
    #expect(String(localized: "at \(7)") == "at 7")
  }

  @Test("is the same after it went through a file")
  func coding() throws {
    let name = "Tea"
    let texts: [LocalizedStringResource] = [
      "", "Tea", "100%", "\(name) \(3) \(0.25) \(UInt(4))",
      "\(UInt64.max) \(Double.infinity) \(Int64.min)", "Boil \(LocalizedStringResource("eggs"))",
      LocalizedStringResource("a.key", defaultValue: "Tea", table: "T"),
      LocalizedStringResource("Tea", locale: Locale(identifier: "fr")),
      LocalizedStringResource("Tea", bundle: .atURL(URL(fileURLWithPath: "/x.bundle"))),
    ]
    for text in texts { #expect(try coded(text) == text) }
    #expect(Set(texts).count == texts.count)
    let plain = try JSONEncoder().encode([texts[1]])
    #expect(String(decoding: plain, as: UTF8.self) == #"["Tea"]"#)
  }
}
