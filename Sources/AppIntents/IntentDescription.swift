public import TocsinResources

/// What an intent does, for people.
public struct IntentDescription: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The sentence.
  public var descriptionText: LocalizedStringResource
  /// What it is grouped under.
  public var categoryName: LocalizedStringResource?
  /// Words it is found by.
  public var searchKeywords: [LocalizedStringResource]

  /// Describes an intent.
  ///
  /// - Parameters:
  ///   - descriptionText: the sentence.
  ///   - categoryName: what it is grouped under.
  ///   - searchKeywords: words it is found by.
  public init(
    _ descriptionText: LocalizedStringResource,
    categoryName: LocalizedStringResource? = nil,
    searchKeywords: [LocalizedStringResource] = []
  ) {
    self.descriptionText = descriptionText
    self.categoryName = categoryName
    self.searchKeywords = searchKeywords
  }

  /// Describes an intent in one sentence.
  public init(stringLiteral value: String) {
    self.init(LocalizedStringResource(stringLiteral: value))
  }

  /// Describes an intent in one sentence with values in it.
  public init(stringInterpolation: LocalizedStringResource.StringInterpolation) {
    self.init(LocalizedStringResource(stringInterpolation: stringInterpolation))
  }
}
