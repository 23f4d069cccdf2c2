package import TocsinTime

/// A local date or none, in four bytes where an optional takes eight.
@propertyWrapper
package struct PackedDate: Hashable, Sendable {
  private var days = Int32.min

  package init() {}

  package var wrappedValue: CivilDate? {
    get { days == .min ? nil : CivilDate(daysSince1970: days) }
    set { days = newValue?.daysSince1970 ?? .min }
  }
}
