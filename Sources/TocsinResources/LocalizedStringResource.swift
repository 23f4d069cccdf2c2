#if TOCSIN_FOUNDATION_RESOURCES
  /// A text that is looked up when it is shown, as Foundation has it.
  ///
  /// For a toolchain whose Foundation brings the type: build with `-D TOCSIN_FOUNDATION_RESOURCES`, and this
  /// module declares none of its own.
  public typealias LocalizedStringResource = Foundation.LocalizedStringResource
#else
  /// A text that is looked up when it is shown: a key, and what stands there where nothing is found.
  ///
  /// Foundation has none on Linux. On the day it does, `-D TOCSIN_FOUNDATION_RESOURCES` makes this name its.
  public struct LocalizedStringResource: Sendable, Hashable {
    /// What the text is looked up by.
    public let key: String
    /// The text where nothing is found, with what was written into it.
    public let defaultValue: String.LocalizationValue
    /// The name of the file of texts, without `.strings`; nil for `Localizable`.
    public let table: String?
    /// Where the files of texts are.
    public let bundle: BundleDescription
    /// The language where it is not the process's own.
    var localeIdentifier: String?

    /// Where files of texts are.
    public enum BundleDescription: Sendable, Hashable, Codable {
      /// With the program.
      case main
      /// In the bundle at that place.
      case atURL(URL)
    }

    /// The language it is shown in; follows the process's unless set.
    public var locale: Locale {
      get { localeIdentifier.map(Locale.init(identifier:)) ?? .current }
      set { localeIdentifier = Self.identifier(newValue) }
    }

    /// Names a text by itself.
    ///
    /// - Parameters:
    ///   - keyAndValue: what it is looked up by, and what is shown where nothing is found.
    ///   - table: the name of the file of texts, without `.strings`; nil for `Localizable`.
    ///   - locale: the language it is shown in.
    ///   - bundle: where the files of texts are.
    ///   - comment: a word for the translator; not kept.
    public init(
      _ keyAndValue: String.LocalizationValue,
      table: String? = nil,
      locale: Locale = .current,
      bundle: BundleDescription = .main,
      comment: StaticString? = nil
    ) {
      key = keyAndValue.key
      defaultValue = keyAndValue
      self.table = table
      self.bundle = bundle
      localeIdentifier = Self.identifier(locale)
    }

    /// Names a text by a key of its own.
    ///
    /// - Parameters:
    ///   - key: what it is looked up by.
    ///   - defaultValue: what is shown where nothing is found.
    ///   - table: the name of the file of texts, without `.strings`; nil for `Localizable`.
    ///   - locale: the language it is shown in.
    ///   - bundle: where the files of texts are.
    ///   - comment: a word for the translator; not kept.
    public init(
      _ key: StaticString,
      defaultValue: String.LocalizationValue,
      table: String? = nil,
      locale: Locale = .current,
      bundle: BundleDescription = .main,
      comment: StaticString? = nil
    ) {
      self.key = key.description
      self.defaultValue = defaultValue
      self.table = table
      self.bundle = bundle
      localeIdentifier = Self.identifier(locale)
    }

    init(
      key: String,
      defaultValue: String.LocalizationValue,
      table: String?,
      bundle: BundleDescription,
      localeIdentifier: String?
    ) {
      self.key = key
      self.defaultValue = defaultValue
      self.table = table
      self.bundle = bundle
      self.localeIdentifier = localeIdentifier
    }

    private static func identifier(_ locale: Locale) -> String? {
      locale.identifier == Locale.current.identifier ? nil : locale.identifier
    }
  }

  extension LocalizedStringResource: ExpressibleByStringInterpolation {
    /// Names a text by itself.
    public init(stringLiteral value: String) {
      self.init(String.LocalizationValue(stringLiteral: value))
    }

    /// Names a text by its form, `%@` standing for each value written into it.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
      self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
    }
  }

  /// A value that is shown as a text that is looked up.
  public protocol CustomLocalizedStringResourceConvertible {
    /// The text.
    var localizedStringResource: LocalizedStringResource { get }
  }

  extension LocalizedStringResource: CustomLocalizedStringResourceConvertible {
    /// The text itself.
    public var localizedStringResource: LocalizedStringResource { self }
  }

  extension String {
    /// Looks a text up, in the resource's own language.
    public init(localized resource: LocalizedStringResource) {
      self = resource.resolved
    }

    /// Looks a text up by itself, in the program's own files.
    ///
    /// - Parameters:
    ///   - keyAndValue: what it is looked up by, and what is shown where nothing is found.
    ///   - table: the name of the file of texts, without `.strings`; nil for `Localizable`.
    ///   - locale: the language it is shown in.
    ///   - comment: a word for the translator; not kept.
    public init(
      localized keyAndValue: String.LocalizationValue,
      table: String? = nil,
      locale: Locale = .current,
      comment: StaticString? = nil
    ) {
      self = LocalizedStringResource(keyAndValue, table: table, locale: locale).resolved
    }
  }
#endif
