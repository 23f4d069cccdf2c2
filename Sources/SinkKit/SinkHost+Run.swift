import Glibc

extension SinkHost {
  /// Runs a sink's program; the whole of its main.swift.
  ///
  /// Started without arguments, as the daemon starts it, it is a plugin on standard input and output.
  /// With `--attach` it joins a daemon that runs already, through its control socket. It ends when
  /// standard input or output is closed, after `bye`, and on SIGTERM, SIGINT or SIGHUP: everything is
  /// withdrawn first. Exit codes are those of sysexits.h: 0, 64 for arguments that are wrong, 78 for
  /// settings that are, 69 if the sink cannot work here.
  ///
  /// - Parameters:
  ///   - sink: the sink.
  ///   - about: for `--help`: what it does in one sentence, then a line for each setting.
  public static func run<S: Sink>(_ sink: S.Type, about: String = "") -> Never {
    let path = CommandLine.arguments.first ?? "sink"
    let name = path.split(separator: "/").last.map(String.init) ?? path
    switch SinkArguments(Array(CommandLine.arguments.dropFirst())) {
    case .plugin:
      exit(serve(sink, input: STDIN_FILENO, output: STDOUT_FILENO))
    case .attach(let attachment):
      exit(attach(sink, as: name, attachment))
    case .help:
      print(SinkArguments.help(program: name, about: about))
      exit(EXIT_SUCCESS)
    case .version:
      print("\(name) \(Version.text)")
      exit(EXIT_SUCCESS)
    case .wrong(let problem):
      write(line: "\(name): \(problem); try \(name) --help")
      exit(64)
    }
  }

  /// Serves one connection, such as a socket of the daemon, and gives the exit code.
  ///
  /// A program that reconnects calls it again. Call on the thread that shall own the sink; input and
  /// output may be the same descriptor, and stay the caller's.
  public static func serve<S: Sink>(_ sink: S.Type, input: CInt, output: CInt) -> CInt {
    ProcessSinkHost<S>(input: input, output: output).run()
  }

  /// Joins a running daemon as a sink, and again whenever it comes back, until a signal ends it.
  ///
  /// Lines for the log go to standard error.
  ///
  /// - Parameters:
  ///   - sink: the sink.
  ///   - program: what stands before each line of the log.
  ///   - attachment: to whom, under which name, with which settings.
  /// - Returns: the exit code.
  static func attach<S: Sink>(
    _ sink: S.Type,
    as program: String,
    _ attachment: SinkArguments.Attachment
  ) -> CInt {
    AttachedSinkHost<S>(program: program, attachment) { write(line: "\(program): \($0)") }.run()
  }

  /// Writes a line to standard error, whole.
  private static func write(line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
