import Foundation
import Testing

@testable import TocsinResources

@Suite("A program's files of texts")
struct TextTablesTests {
  /// Makes a bundle with these files, and takes it away.
  private func with(
    _ files: [String: String],
    _ body: (LocalizedStringResource.BundleDescription) throws -> Void
  ) throws {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("texts-\(UUID().uuidString).resources")
    defer { try? FileManager.default.removeItem(at: root) }
    for (name, text) in files {
      let url = root.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: url)
    }
    try body(.atURL(root))
  }

  private func german(
    _ text: String.LocalizationValue,
    _ bundle: LocalizedStringResource.BundleDescription,
    table: String? = nil,
    locale: String = "de_AT"
  ) -> String {
    String(
      localized: LocalizedStringResource(
        text,
        table: table,
        locale: Locale(identifier: locale),
        bundle: bundle
      )
    )
  }

  @Test("say a text in the language that is asked for, with what is written into it")
  func found() throws {
    try with([
      "de.lproj/Localizable.strings": """
      /* what is shown */
      "Tea" = "Tee";
      "%@ in %lld min" = "In %2$lld Minuten: %1$@ ü";
      """,
      "de.lproj/Kitchen.strings": #""Tea" = "Kräutertee";"#,
      "de-AT.lproj/Localizable.strings": #""Potato" = "Erdapfel";"#,
    ]) { bundle in
      #expect(german("Tea", bundle) == "Tee")
      #expect(german("Potato", bundle) == "Erdapfel")
      #expect(german("Potato", bundle, locale: "de_DE") == "Potato")
      #expect(german("\("Tee") in \(5) min", bundle) == "In 5 Minuten: Tee ü")
      #expect(german("Tea", bundle, table: "Kitchen") == "Kräutertee")
      #expect(german("Tea", bundle, table: "None") == "Tea")
      #expect(german("Tea", bundle, locale: "fr") == "Tea")
      #expect(german("Coffee", bundle) == "Coffee")
    }
  }

  @Test("that are none are passed over")
  func broken() throws {
    try with(["de.lproj/Localizable.strings": "\"Tea\" = ", "de.lproj/Other.strings": "[1]"]) {
      #expect(german("Tea", $0) == "Tea")
      #expect(german("Tea", $0, table: "Other") == "Tea")
    }
    #expect(german("Tea", .atURL(URL(fileURLWithPath: "/nowhere"))) == "Tea")
  }

  @Test("are those of a country first, then of its language")
  func languages() {
    #expect(TextTables.languages("de_AT.UTF-8@euro") == ["de-AT", "de_AT", "de"])
    #expect(TextTables.languages("fr") == ["fr"])
    for none in ["", "C", "POSIX", "C.UTF-8"] { #expect(TextTables.languages(none) == []) }
  }

  @Test("are in the language of the environment")
  func environment() {
    let all = ["LC_ALL": "fr_FR", "LC_MESSAGES": "es", "LANG": "de"]
    #expect(TextTables.identifier(all) == "fr_FR")
    #expect(TextTables.identifier(["LC_ALL": "", "LC_MESSAGES": "es", "LANG": "de"]) == "es")
    #expect(TextTables.identifier(["LANG": "de"]) == "de")
    #expect(TextTables.identifier([:]) == Locale.current.identifier)
  }
}
