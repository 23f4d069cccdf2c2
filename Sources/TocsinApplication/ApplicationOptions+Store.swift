import TocsinService

extension ApplicationOptions.Place {
  /// In this process, with the user's plugins.conf and a store of the program's own.
  ///
  /// - Parameters:
  ///   - store: the path of the store.
  ///   - environment: says where plugins.conf is.
  /// - Returns: the place; nowhere if plugins.conf cannot be read.
  package static func embedded(
    store: String,
    environment: [String: String]
  ) -> ApplicationOptions.Place {
    do throws(ConfigurationError) {
      var options = ServiceOptions(readingFor: environment)
      options.configuration = try options.reload()
      options.store = .file(store)
      return .embedded(options)
    } catch {
      return .nowhere("\(error)")
    }
  }
}
