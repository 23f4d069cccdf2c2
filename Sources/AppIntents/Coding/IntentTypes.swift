import Synchronization

/// The types of intents by the names that they are found by.
///
/// The runtime finds a type by its mangled name in any run of the program, but not a private one or one within a
/// function: their mangled names hold addresses. Those are remembered under a readable name instead, so they are found
/// once this run of the program has named them itself.
package enum IntentTypes {
  private static let hidden = Mutex<[String: any AppIntent.Type]>([:])

  /// The name that a type is found by, the same in each run; remembers a type that only this makes known.
  package static func name(of type: any AppIntent.Type) -> String {
    let mangled = _mangledTypeName(type)
    if let mangled, let found = _typeByName(mangled), found == type { return mangled }
    let full = String(reflecting: type)
    let readable = full.replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
    return hidden.withLock { hidden in
      // Of two that read alike, the second one keeps its addresses: better not found later than mistaken.
      for name in [readable, full] where hidden[name].map({ $0 == type }) ?? true {
        hidden[name] = type
        return name
      }
      return full
    }
  }

  /// The type with that name; nil if the program has none, or none that can be found.
  package static func type(named name: String) -> (any AppIntent.Type)? {
    if let type = hidden.withLock({ $0[name] }) { return type }
    return _typeByName(name) as? any AppIntent.Type
  }

  /// Forgets what was named, as the end of the process does.
  static func forget() { hidden.withLock { $0 = [:] } }
}
