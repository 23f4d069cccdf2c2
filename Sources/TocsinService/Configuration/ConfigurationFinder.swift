import Glibc
import TocsinModel

/// Finds plugins.conf and its drop-ins and reads them; the environment and the disk come in.
package struct ConfigurationFinder {
  /// The environment variables.
  package var environment: [String: String]
  /// The directory of the running program.
  package var programDirectory: String
  /// A file's bytes; nil if there is none.
  package var read: (String) throws(ConfigurationFile.Failure) -> [UInt8]?
  /// The names in a directory; empty if there is none.
  package var list: (String) throws(SystemError) -> [String]

  package init(
    environment: [String: String],
    programDirectory: String = ConfigurationFinder.runningProgramDirectory,
    read: @escaping (String) throws(ConfigurationFile.Failure) -> [UInt8]? = ConfigurationFile.read,
    list: @escaping (String) throws(SystemError) -> [String] = ConfigurationFile.dropIns
  ) {
    self.environment = environment
    self.programDirectory = programDirectory
    self.read = read
    self.list = list
  }

  /// The places in the order they are looked at; the first that is there is the only one read.
  package var candidates: [String] {
    var paths: [String] = []
    // The specification wants relative values ignored.
    if let home = environment["XDG_CONFIG_HOME"], home.hasPrefix("/") {
      paths.append("\(home)/tocsin/plugins.conf")
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      paths.append("\(home)/.config/tocsin/plugins.conf")
    }
    paths.append("/etc/tocsin/plugins.conf")
    paths.append("\(programDirectory)/plugins.conf")
    return paths
  }

  /// Reads the configuration, `--config FILE` if it is given, else the first candidate; with none of
  /// them there, the defaults without any plugin.
  ///
  /// - Returns: what they say, and the files that were read, the main one first.
  /// - Throws: all problems of all files together.
  package func load(
    file: String? = nil
  ) throws(ConfigurationError) -> (configuration: Configuration, files: [String]) {
    let found = if let file { Optional(file) } else { try find() }
    guard let main = found else { return (Configuration(), []) }
    let directory = "\(main).d"
    var files = [main]
    var sources: [Configuration.Source] = []
    var problems: [ConfigurationError.Problem] = []
    do throws(SystemError) {
      let names = try list(directory).filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }
      files += names.sorted().map { "\(directory)/\($0)" }
    } catch {
      problems.append(.init(file: directory, "\(error)"))
    }
    for file in files {
      switch text(of: file) {
      case .success(let text): sources.append(Configuration.Source(name: file, text: text))
      case .failure(let error): problems += error.problems
      }
    }
    do throws(ConfigurationError) {
      let configuration = try Configuration(sources)
      if problems.isEmpty { return (configuration, files) }
    } catch {
      problems += error.problems
    }
    throw ConfigurationError(problems: problems)
  }

  /// Reads the configuration again.
  ///
  /// A file that is gone for a moment, as while an editor writes it or a disk is away, must not put
  /// another in its place.
  ///
  /// - Parameters:
  ///   - file: `--config FILE`, if it is given.
  ///   - main: the main file that was read at the start; nil if there was none.
  /// - Returns: what it says now.
  /// - Throws: all problems of all files together, or that the main file is gone.
  package func reload(
    file: String?,
    instead main: String?
  ) throws(ConfigurationError) -> Configuration {
    let (configuration, files) = try load(file: file)
    guard let main, !files.contains(main) else { return configuration }
    do {
      if try read(main) != nil { return configuration }
    } catch {
      throw ConfigurationError(problems: [.init(file: main, "\(error)")])
    }
    let rest = files.first.map { "to go by \($0)" } ?? "to go by none"
    let problem = "it is gone; put it back, or restart the daemon \(rest)"
    throw ConfigurationError(problems: [.init(file: main, problem)])
  }

  /// A file that is there but cannot be read is an error, not a reason to look further.
  private func find() throws(ConfigurationError) -> String? {
    for path in candidates + checkoutCandidates {
      do {
        if try read(path) != nil { return path }
      } catch {
        throw ConfigurationError(problems: [.init(file: path, "\(error)")])
      }
    }
    return nil
  }

  /// A build in a checkout lies some folders below the package, whose plugins.conf it uses.
  private var checkoutCandidates: [String] {
    var directory = programDirectory[...]
    while let slash = directory.lastIndex(of: "/") {
      directory = directory[..<slash]
      if (try? read("\(directory)/Package.swift")) ?? nil != nil {
        return ["\(directory)/plugins.conf"]
      }
    }
    return []
  }

  private func text(of file: String) -> Result<String, ConfigurationError> {
    let problem: ConfigurationError.Problem
    do {
      guard let bytes = try read(file) else {
        return .failure(
          ConfigurationError(problems: [.init(file: file, "there is no such file")])
        )
      }
      if let text = String(validating: bytes, as: UTF8.self) { return .success(text) }
      let line = bytes.prefix(validPrefix(of: bytes)).count { $0 == UInt8(ascii: "\n") } + 1
      problem = .init(
        INIText.Place(file: file, line: line, column: 1),
        "this line is not UTF-8, save it as such"
      )
    } catch {
      problem = .init(file: file, "\(error)")
    }
    return .failure(ConfigurationError(problems: [problem]))
  }

  /// How many bytes are the beginning of a text, by whole lines.
  private func validPrefix(of bytes: [UInt8]) -> Int {
    var start = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard String(validating: line, as: UTF8.self) != nil else { return start }
      start += line.count + 1
    }
    return start
  }

  /// The directory of the running program, links followed; empty if the kernel does not tell.
  package static var runningProgramDirectory: String {
    guard let path = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(path) }
    return PathParts(String(cString: path)).directory
  }
}
