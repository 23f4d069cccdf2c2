import Foundation
import Testing

@testable import AppIntents

@Suite("An intent written down", .serialized)
struct IntentFormTests {
  private func restored(_ intent: any AppIntent) throws -> any AppIntent {
    let form = try IntentForm(intent)
    // As in another run of the program, in which nothing was seen yet.
    IntentTypes.forget()
    return try form.intent()
  }

  @Test("comes back with every kind of parameter")
  func parameters() throws {
    let intent = BakeIntent.example
    let back = try #require(try restored(intent) as? BakeIntent)
    #expect(back.isSame(as: intent))
    #expect(back.note == nil && back.loaves == 2)
  }

  @Test("comes back with what an optional parameter holds")
  func optional() throws {
    var intent = BakeIntent.example
    intent.note = "with seeds"
    intent.unit = nil
    intent.loaves = 3
    let back = try #require(try restored(intent) as? BakeIntent)
    #expect(back.note == "with seeds" && back.unit == nil && back.loaves == 3)
  }

  @Test("is its type's mangled name, and JSON with its keys in order")
  func form() throws {
    var intent = GenericIntent<[Int]>()
    intent.value = [1, 2]
    let form = try IntentForm(intent)
    #expect(form.type == _mangledTypeName(GenericIntent<[Int]>.self))
    #expect(form.parameters == #"{"value":[1,2]}"#)
    IntentTypes.forget()
    #expect((try form.intent() as? GenericIntent<[Int]>)?.value == [1, 2])
    #expect(try IntentForm(BakeIntent.example) == IntentForm(BakeIntent.example))
  }

  @Test("that writes itself is written whole")
  func whole() throws {
    let intent = WholeIntent(count: 7, names: ["a", "b"])
    #expect(try restored(intent) as? WholeIntent == intent)
  }

  @Test("without anything to fill in is its name")
  func empty() throws {
    #expect(try IntentForm(EmptyIntent()).parameters == nil)
    #expect(try restored(EmptyIntent()) is EmptyIntent)
  }

  @Test("that is a class has its class's parameters and those above")
  func classes() throws {
    let intent = DerivedIntent()
    intent.name = "n"
    intent.count = 4
    let back = try #require(try restored(intent) as? DerivedIntent)
    #expect(back !== intent && back.name == "n" && back.count == 4)
  }

  @Test("of a private type comes back once this run has named it")
  func privateType() throws {
    let form = try IntentForm(Hidden.intent(count: 5))
    #expect(form.type == "AppIntentsTests.PrivateIntent")
    #expect(Hidden.count(try form.intent()) == 5)
    IntentTypes.forget()
    #expect(throws: IntentCodingError.noType(name: form.type)) { try form.intent() }
    #expect(try IntentForm(Hidden.intent(count: 6)).type == form.type)
    #expect(Hidden.count(try form.intent()) == 5)
  }

  @Test("of a type within a function is not mistaken for another that is called alike")
  func localTypes() throws {
    func first() throws -> IntentForm {
      struct Local: LiveActivityIntent {
        static let title: LocalizedStringResource = "Local"
        @Parameter(title: "Count", default: 1) var count: Int
        func perform() async throws -> some IntentResult { .result() }
      }
      return try IntentForm(Local())
    }
    func second() throws -> IntentForm {
      struct Local: LiveActivityIntent {
        static let title: LocalizedStringResource = "Other"
        @Parameter(title: "Count", default: 1) var count: Int
        func perform() async throws -> some IntentResult { .result() }
      }
      return try IntentForm(Local())
    }
    let (one, two) = (try first(), try second())
    #expect(one.type != two.type)
    #expect(type(of: try one.intent()).title == "Local")
    #expect(type(of: try two.intent()).title == "Other")
    #expect(try first() == one)
    #expect(try second() == two)
  }

  @Test("keeps the default of a parameter that came later, and passes over one that is gone")
  func changedType() throws {
    var intent = BakeIntent.example
    intent.loaves = 9
    var form = try IntentForm(intent)
    let json = try #require(form.parameters)
    form.parameters = json.replacing(#""loaves":9"#, with: #""slices":9"#)
    #expect((try form.intent() as? BakeIntent)?.loaves == 2)
  }

  @Test("of a type that is gone is an error that names it")
  func noType() {
    let form = IntentForm(type: "4Gone6IntentV", parameters: "{}")
    #expect(throws: IntentCodingError.noType(name: "4Gone6IntentV")) { try form.intent() }
    #expect("\(IntentCodingError.noType(name: "4Gone6IntentV"))".contains("4Gone6IntentV"))
    // A type that is there but no intent.
    let text = IntentForm(type: _mangledTypeName(String.self) ?? "")
    #expect(throws: IntentCodingError.self) { try text.intent() }
  }

  @Test("with a parameter that must be given and is not is an error that names both")
  func noValue() throws {
    let error = IntentCodingError.noValue(type: "BakeIntent", parameter: "recipe")
    #expect(throws: error) { try IntentForm(BakeIntent()) }
    var form = try IntentForm(BakeIntent.example)
    form.parameters = "{}"
    #expect(throws: error) { try form.intent() }
    form.parameters = nil
    #expect(throws: error) { try form.intent() }
    #expect(error.localizedDescription.contains("recipe"))
  }

  @Test("with another kind of value is an error that names the parameter")
  func otherKind() throws {
    var intent = GenericIntent<Int>()
    intent.value = 1
    var form = try IntentForm(intent)
    for json in [#"{"value":"one"}"#, #"{"value":null}"#, #"{"value":[1]}"#] {
      form.parameters = json
      do {
        _ = try form.intent()
        Issue.record("\(json) was taken")
      } catch {
        guard case .unreadable(let type, "value", _) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(type == "GenericIntent<Int>")
      }
    }
  }

  @Test("that is no JSON is an error", arguments: ["", "[", "7", "[]", "\u{0}"])
  func noJSON(text: String) throws {
    var intent = GenericIntent<Int>()
    intent.value = 1
    var form = try IntentForm(intent)
    form.parameters = text
    #expect(throws: IntentCodingError.self) { try form.intent() }
    let whole = IntentForm(type: try IntentForm(WholeIntent()).type, parameters: text)
    #expect(throws: IntentCodingError.self) { try whole.intent() }
  }

  @Test("with a number that JSON has not is an error that names the parameter")
  func unwritable() {
    var intent = GenericIntent<Double>()
    intent.value = .infinity
    do {
      _ = try IntentForm(intent)
      Issue.record("infinity was written")
    } catch {
      guard case .unwritable("GenericIntent<Double>", "value", _) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
