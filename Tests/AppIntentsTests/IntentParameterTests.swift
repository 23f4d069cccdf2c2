import Testing

@testable import AppIntents

@Suite("A parameter")
struct IntentParameterTests {
  @Test("belongs to its copy of the intent alone")
  func copies() {
    var first = BakeIntent.example
    let second = first
    first.recipe = "White"
    #expect(first.recipe == "White" && second.recipe == BakeIntent.example.recipe)
    var third = second
    third.amounts.append(Amount(count: 1, unit: .cups))
    #expect(third.amounts.count == 3 && second.amounts.count == 2)
  }

  @Test("of an intent made anew belongs to it alone")
  func restored() throws {
    let form = try IntentForm(BakeIntent.example)
    var first = try #require(try form.intent() as? BakeIntent)
    let second = try #require(try form.intent() as? BakeIntent)
    let third = first
    first.recipe = "White"
    #expect(second.recipe == BakeIntent.example.recipe)
    #expect(third.recipe == BakeIntent.example.recipe)
  }

  @Test("is nil, its default, or what it was declared with")
  func defaults() {
    let intent = BakeIntent()
    #expect(intent.note == nil && intent.unit == nil)
    #expect(intent.loaves == 2 && intent.words == [:])
    #expect(!intent.$recipe.hasValue && intent.$note.hasValue && intent.$loaves.hasValue)
  }

  @Test("is itself behind the dollar sign")
  func projected() {
    let intent = BakeIntent.example
    #expect(intent.$recipe.wrappedValue == intent.recipe)
    #expect(intent.$unit.title == "Unit" && intent.$unit.description == "how it is weighed")
    #expect(intent.$plain.title == nil)
  }
}

@Suite("An intent")
struct AppIntentTests {
  @Test("has the answers that nobody gave")
  func defaults() {
    #expect(BakeIntent.description == nil && !BakeIntent.openAppWhenRun)
    #expect(BakeIntent.isDiscoverable && BakeIntent.supportedModes == .background)
    #expect(EmptyIntent.supportedModes == .foreground)
  }

  @Test("comes to a value, a sentence, or nothing")
  func results() async throws {
    #expect(try await BakeIntent.example.perform().value == "Rye \"dark\" %@ ü 2")
    let dialog = await EmptyIntent().perform() as? any ProvidesDialog
    #expect(dialog?.dialog?.text == "Done")
  }

  @Test("runs whatever its type is, and throws what it throws")
  func erased() async throws {
    let intents: [any AppIntent] = [BakeIntent.example, EmptyIntent(), WholeIntent()]
    for intent in intents { try await intent.run() }
    let failing: any AppIntent = FailingIntent()
    await #expect(throws: RunError()) { try await failing.run() }
  }

  @Test("is described in a sentence")
  func descriptions() {
    let description: IntentDescription = "Stops it"
    #expect(description.descriptionText == "Stops it")
    #expect(IntentDescription("a", categoryName: "b").categoryName == "b")
  }

  @Test("may be about a thing of the program's")
  func entities() {
    struct Recipe: AppEntity { var id: Int }
    let identifier = EntityIdentifier(for: Recipe(id: 7))
    #expect(identifier == EntityIdentifier(for: Recipe.self, identifier: 7))
    #expect(identifier.identifier == "7")
    #expect(identifier != EntityIdentifier(for: Recipe.self, identifier: 8))
  }
}
