#if !TOCSIN_FOUNDATION_RESOURCES
  extension LocalizedStringResource {
    /// The text as it is shown: looked up, and its places filled in.
    package var resolved: String {
      let form = TextTables.text(
        key,
        table: table ?? "Localizable",
        bundle: bundle,
        languages: TextTables.languages(localeIdentifier ?? TextTables.processIdentifier)
      )
      return defaultValue.filled(form ?? defaultValue.key)
    }
  }

  extension String.LocalizationValue {
    /// Fills a form's places: `%@` and `%lld` in turn, `%2$@` by number.
    ///
    /// A form without values is a text, whatever it holds: "100 % wool" stays as it is. A place without a value
    /// stays as written, so that a translator's slip is seen and nothing is read that is not there.
    package func filled(_ form: String) -> String {
      if arguments.isEmpty { return form }
      let place =
        /%(?:(%)|(?:(\d+)\$)?([-+ 0#]*\d*(?:\.\d+)?)(?:hh|h|ll|l|q|z|t|j)?([@diuxXofFeEgG]))/
      var next = 0
      return form.replacing(place) { match in
        if match.output.1 != nil { return "%" }
        let index = match.output.2.flatMap { Int($0) }.map { $0 - 1 } ?? next
        if match.output.2 == nil { next += 1 }
        guard arguments.indices.contains(index) else { return String(match.output.0) }
        return arguments[index].text(
          flags: String(match.output.3 ?? ""),
          conversion: String(match.output.4 ?? "")
        )
      }
    }
  }

  extension String.LocalizationValue.Argument {
    /// The value as a place wants it; one of another kind than the place is written plainly.
    func text(flags: String, conversion: String) -> String {
      switch self {
      case .text(let text): text
      case .resource(let resource): resource.resolved
      case .integer(let value):
        "diuxXo".contains(conversion)
          ? String(format: "%\(flags)ll\(conversion)", value) : value.description
      case .unsigned(let number):
        "diuxXo".contains(conversion)
          ? String(format: "%\(flags)ll\(conversion)", number.value) : number.value.description
      case .number(let value):
        "fFeEgG".contains(conversion)
          ? String(format: "%\(flags)\(conversion)", value) : value.description
      }
    }
  }
#endif
