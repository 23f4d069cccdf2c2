#if !TOCSIN_FOUNDATION_RESOURCES
  extension LocalizedStringResource: Codable {
    private enum CodingKeys: String, CodingKey { case key, defaultValue, table, bundle, locale }

    /// Reads a text by itself, or an object with its `key`.
    public init(from decoder: any Decoder) throws {
      if let plain = try? decoder.singleValueContainer().decode(String.self) {
        self.init(stringLiteral: plain)
        return
      }
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let key = try container.decode(String.self, forKey: .key)
      self.init(
        key: key,
        defaultValue: try container.decodeIfPresent(
          String.LocalizationValue.self,
          forKey: .defaultValue
        ) ?? String.LocalizationValue(key),
        table: try container.decodeIfPresent(String.self, forKey: .table),
        bundle: try container.decodeIfPresent(URL.self, forKey: .bundle).map { .atURL($0) }
          ?? .main,
        localeIdentifier: try container.decodeIfPresent(String.self, forKey: .locale)
      )
    }

    /// Writes a text by itself where that is all there is, else an object.
    public func encode(to encoder: any Encoder) throws {
      if self == LocalizedStringResource(stringLiteral: key) {
        var container = encoder.singleValueContainer()
        try container.encode(key)
        return
      }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(key, forKey: .key)
      if defaultValue != String.LocalizationValue(key) {
        try container.encode(defaultValue, forKey: .defaultValue)
      }
      try container.encodeIfPresent(table, forKey: .table)
      if case .atURL(let url) = bundle { try container.encode(url, forKey: .bundle) }
      try container.encodeIfPresent(localeIdentifier, forKey: .locale)
    }
  }
#endif
