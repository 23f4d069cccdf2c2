import TocsinModel

/// What a service inside a program goes by: what a daemon of the same user would.
extension ServiceOptions {
  /// The options of a service in this process, with the user's store, or with none.
  ///
  /// - Parameters:
  ///   - environment: says where the store, the socket and plugins.conf are.
  ///   - socket: where it listens instead, so that others can answer its alarms.
  ///   - isEphemeral: keeps alarms in memory only, and listens nowhere.
  ///   - isOverLiveLine: whether standard error is a terminal with a live line.
  /// - Returns: the options, to be changed where the program knows better.
  /// - Throws: all that is wrong with plugins.conf.
  package static func ofUser(
    environment: [String: String],
    socket: String? = nil,
    isEphemeral: Bool = false,
    isOverLiveLine: Bool = false
  ) throws(ConfigurationError) -> ServiceOptions {
    var options = ServiceOptions(readingFor: environment, isOverLiveLine: isOverLiveLine)
    options.configuration = try options.reload()
    if isEphemeral {
      options.store = .memory
    } else {
      options.socket = socket ?? ServicePaths.sockets { environment[$0] }[0]
    }
    return options
  }

  /// The same without plugins.conf having been read and without a socket.
  ///
  /// - Parameters:
  ///   - environment: says where the store and plugins.conf are.
  ///   - isOverLiveLine: whether standard error is a terminal with a live line.
  package init(readingFor environment: [String: String], isOverLiveLine: Bool = false) {
    self.init(
      environment: environment,
      programDirectory: ConfigurationFinder.runningProgramDirectory
    )
    store = .file(ServicePaths.store { environment[$0] })
    reload = { () throws(ConfigurationError) in
      try ConfigurationFinder(environment: environment).load().configuration
    }
    // What the service warns of is about alarms that may not ring: whoever runs the program should see it.
    log = Log(environment: [:], least: .warning, overLiveLine: isOverLiveLine)
  }
}
