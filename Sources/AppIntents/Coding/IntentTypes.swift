import Synchronization

/// The types of intents by the names that they are found by.
///
/// The runtime finds a type by its mangled name in any later run of the program. It does not find all of them: for those
/// that it does not, such as private ones, the types that were seen are remembered as long as the process lives.
package enum IntentTypes {
  private static let seen = Mutex<[String: any AppIntent.Type]>([:])

  /// The name that a type is found by; remembers the type.
  package static func name(of type: any AppIntent.Type) -> String {
    let name = _mangledTypeName(type) ?? String(reflecting: type)
    seen.withLock { $0[name] = type }
    return name
  }

  /// The type with that name; nil if the program has none, or none that can be found.
  package static func type(named name: String) -> (any AppIntent.Type)? {
    if let type = seen.withLock({ $0[name] }) { return type }
    return _typeByName(name) as? any AppIntent.Type
  }

  /// Forgets what was seen, as the end of the process does.
  static func forget() { seen.withLock { $0 = [:] } }
}
