#if !TOCSIN_FOUNDATION_RESOURCES
  extension String {
    /// A text with places in it, and what stands in them.
    ///
    /// The form is what a translator sees: `"\(name) rings at \(hour)"` is `%@ rings at %lld`.
    public struct LocalizationValue: Sendable, Hashable, Codable, ExpressibleByStringInterpolation {
      /// The form.
      package var key: String
      /// What stands in its places, in order.
      package var arguments: [Argument]

      /// What stands in a place.
      package enum Argument: Sendable, Hashable, Codable {
        case text(String)
        case integer(Int64)
        case unsigned(UnsignedNumber)
        case number(Double)
        case resource(LocalizedStringResource)
      }

      /// A whole number that is written down as a text: readers of JSON round one so large.
      package struct UnsignedNumber: Sendable, Hashable, Codable {
        package var value: UInt64

        package init(_ value: UInt64) { self.value = value }

        package init(from decoder: any Decoder) throws {
          let container = try decoder.singleValueContainer()
          guard let value = UInt64(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
              in: container,
              debugDescription: "no whole number of 64 bits"
            )
          }
          self.value = value
        }

        package func encode(to encoder: any Encoder) throws {
          var container = encoder.singleValueContainer()
          try container.encode(value.description)
        }
      }

      /// Makes a text without places.
      public init(_ value: String) {
        key = value
        arguments = []
      }

      /// Makes a text without places.
      public init(stringLiteral value: String) { self.init(value) }

      /// Makes a text with a place for each value written into it.
      public init(stringInterpolation: StringInterpolation) {
        arguments = stringInterpolation.arguments
        key = arguments.isEmpty ? stringInterpolation.plain : stringInterpolation.form
      }

      /// Collects a text and the values written into it.
      public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var form = ""
        var plain = ""
        var arguments: [Argument] = []

        /// Begins an empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds a part of the form; a `%` in it stays one.
        public mutating func appendLiteral(_ literal: String) {
          plain += literal
          form += literal.replacing("%", with: "%%")
        }

        /// Adds a place for a text.
        public mutating func appendInterpolation(_ value: String) { append("@", .text(value)) }

        /// Adds a place for a text that is looked up itself.
        public mutating func appendInterpolation(_ value: LocalizedStringResource) {
          append("@", .resource(value))
        }

        /// Adds a place for a whole number.
        public mutating func appendInterpolation(_ value: some SignedInteger & FixedWidthInteger) {
          appendInterpolation(value, specifier: "%lld")
        }

        /// Adds a place for a whole number, written as the specifier says.
        ///
        /// - Parameters:
        ///   - value: the number.
        ///   - specifier: how it is written, as printf has it, such as `%02lld`.
        public mutating func appendInterpolation(
          _ value: some SignedInteger & FixedWidthInteger,
          specifier: String
        ) {
          append(specifier, .integer(Int64(clamping: value)))
        }

        /// Adds a place for a whole number that is not negative.
        public mutating func appendInterpolation(_ value: some UnsignedInteger & FixedWidthInteger)
        {
          appendInterpolation(value, specifier: "%llu")
        }

        /// Adds a place for a whole number that is not negative, written as the specifier says.
        ///
        /// - Parameters:
        ///   - value: the number.
        ///   - specifier: how it is written, as printf has it, such as `%02llu`.
        public mutating func appendInterpolation(
          _ value: some UnsignedInteger & FixedWidthInteger,
          specifier: String
        ) {
          append(specifier, .unsigned(UnsignedNumber(UInt64(clamping: value))))
        }

        /// Adds a place for a number.
        public mutating func appendInterpolation(_ value: some BinaryFloatingPoint) {
          appendInterpolation(value, specifier: "%lf")
        }

        /// Adds a place for a number, written as the specifier says.
        ///
        /// - Parameters:
        ///   - value: the number.
        ///   - specifier: how it is written, as printf has it, such as `%.1lf`.
        public mutating func appendInterpolation(
          _ value: some BinaryFloatingPoint,
          specifier: String
        ) {
          let number = Double(value)
          // JSON has no infinite number, and the program would lose the alarm for one in a title.
          append(specifier, number.isFinite ? .number(number) : .text(number.description))
        }

        /// Adds a place for any value, as it describes itself.
        public mutating func appendInterpolation(_ value: some Any) {
          append("@", .text(String(describing: value)))
        }

        private mutating func append(_ specifier: String, _ argument: Argument) {
          form += specifier.hasPrefix("%") ? specifier : "%" + specifier
          arguments.append(argument)
        }
      }
    }
  }
#endif
