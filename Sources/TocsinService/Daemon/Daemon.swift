import CLinux
import Glibc
import TocsinModel

/// The daemon as a process: arguments, signals, exit codes.
package enum Daemon {
  /// Serves until it is told to end, and returns the exit code (sysexits.h).
  package static func run(arguments: [String]) -> Int32 {
    StandardDescriptors.fill()
    let environment = processEnvironment()
    let log = Log(environment: environment)
    let words: DaemonOptions
    do throws(DaemonOptions.Other) {
      words = try DaemonOptions(Array(arguments.dropFirst()))
    } catch {
      return explain(error)
    }
    tocsin_keep_heap_small()
    // A plugin of the same user shall not reach what the daemon has open through /proc.
    tocsin_close_to_others()
    SignalSource.ignoreBrokenPipes()
    SignalSource.block(signals)
    let main: String?
    var options = ServiceOptions(
      environment: environment,
      programDirectory: ConfigurationFinder.runningProgramDirectory
    )
    do throws(ConfigurationError) {
      let loaded = try ConfigurationFinder(environment: environment)
        .load(file: words.configuration)
      options.configuration = loaded.configuration
      main = loaded.files.first
    } catch {
      log(.error, "\(error)")
      return ExitStatus.configuration
    }
    options.reload = { () throws(ConfigurationError) in
      try ConfigurationFinder(environment: environment)
        .reload(file: words.configuration, instead: main)
    }
    options.store = words.location(environment)
    options.socket = words.socketPath(environment)
    options.log = log
    return serve(options)
  }

  private static let signals = [SIGTERM, SIGINT, SIGHUP, SIGCHLD]

  private static func serve(_ options: ServiceOptions) -> Int32 {
    let log = options.log
    do {
      let reactor = try Reactor()
      let service = try AlarmService(options: options, reactor: reactor)
      try service.assumeIsolated { try $0.start() }
      let signals = try SignalSource(signals, reactor: reactor) { signal in
        service.assumeIsolated { $0.received(signal) }
      }
      log(.info, "listens on \(options.socket ?? "nothing")")
      try reactor.run()
      signals.cancel()
      return 0
    } catch {
      log(.critical, "\(error)")
      return exitStatus(for: error)
    }
  }

  /// What a failure to serve means to whoever started the daemon.
  static func exitStatus(for error: any Error) -> Int32 {
    switch error {
    case let error as StoreError:
      if case .locked = error.kind { return ExitStatus.tryAgain }
      return ExitStatus.store
    case let error as ServiceStartError where error.isBusy: return ExitStatus.tryAgain
    default: return ExitStatus.unavailable
    }
  }

  private static func explain(_ other: DaemonOptions.Other) -> Int32 {
    switch other {
    case .help:
      put(DaemonOptions.help, to: 1)
      return 0
    case .version:
      put("tocsind \(Version.text)\n", to: 1)
      return 0
    case .usage(let message):
      put("tocsind: \(message); see tocsind --help\n", to: 2)
      return ExitStatus.usage
    }
  }

  private static func put(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }

  /// The exit codes of a daemon that cannot serve, as in sysexits.h.
  enum ExitStatus {
    static let usage: Int32 = 64
    static let unavailable: Int32 = 69
    static let store: Int32 = 74
    static let tryAgain: Int32 = 75
    static let configuration: Int32 = 78
  }
}

extension AlarmService {
  /// Ends, reads plugins.conf again, or looks after children where the kernel has no pidfds.
  func received(_ signal: Int32) {
    switch signal {
    // What is wrong with it is in the log and in the status.
    case SIGHUP: try? reload()
    case SIGCHLD: plugins?.reapChildren()
    default: stop()
    }
  }
}
