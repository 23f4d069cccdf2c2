import CLinux
import Glibc

/// A child process in a group of its own; see `tocsin_spawn` for all that is closed off.
struct Child: ~Copyable {
  let pid: pid_t
  /// Readable once the child has ended; -1 on kernels without pidfds.
  let exitDescriptor: Descriptor

  private static let steps = [
    "spawn", "pipe2", "fork", "setpgid", "PR_SET_PDEATHSIG", "PR_SET_NO_NEW_PRIVS", "setrlimit",
    "dup2", "execve", "getppid", hiding, becoming,
  ]
  /// The step of an error that says that nothing can be hidden here.
  static let hiding = "mount"
  /// The step of an error that says that it may not become another user.
  static let becoming = "setuid"

  /// Starts the program at `path` with the whole of its environment.
  ///
  /// `streams` become its descriptors 0, 1, 2 and, if there are four, 3; `confinement` is what it is
  /// kept to.
  ///
  /// - Throws: `SystemError` named after the step that failed.
  /// - Note: the child gets SIGTERM when the calling thread ends.
  init(
    path: String,
    arguments: [String],
    environment: [String: String],
    confinement: Confinement = Confinement(),
    streams: [Int32]
  ) throws(SystemError) {
    var pid: pid_t = -1
    var pidfd: Int32 = -1
    var step: Int32 = 0
    var request = tocsin_spawn()
    request.input = streams[0]
    request.output = streams[1]
    request.error = streams[2]
    request.extra = streams.count > 3 ? streams[3] : -1
    // Not SIGKILL: a buzzer has to be switched off by somebody.
    request.death_signal = SIGTERM
    let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
    let code = confinement.fill(request) { request in
      withCStrings(arguments) { argv in
        withCStrings(variables) { envp in
          path.withCString { path in
            var request = request
            request.path = path
            request.argv = argv
            request.envp = envp
            return tocsin_spawn(&request, &pid, &pidfd, &step)
          }
        }
      }
    }
    guard code == 0 else {
      let name = Self.steps.indices.contains(Int(step)) ? Self.steps[Int(step)] : Self.steps[0]
      throw SystemError(name, path, code: code)
    }
    self.pid = pid
    exitDescriptor = Descriptor(owning: pidfd)
    MemoryShortage.putFirst(pid)
  }

  /// Sends a signal to the child and everything it started in its group; only before it is reaped.
  func signalGroup(_ signal: Int32) {
    kill(-pid, signal)
  }

  /// Whether the child has ended; it stays to be reaped.
  var hasEnded: Bool {
    var information = siginfo_t()
    let code = waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT)
    return code == 0 && information.si_signo == SIGCHLD
  }

  /// Reaps the child that has ended and says how.
  func reap() -> ChildExit {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      if errno != EINTR { return .unknown }
    }
    return ChildExit(waitStatus: status)
  }
}

extension Confinement {
  /// Calls `body` with a request that asks for this; what it points to lives for the call.
  fileprivate func fill<Result>(
    _ request: tocsin_spawn,
    _ body: (tocsin_spawn) -> Result
  ) -> Result {
    var request = request
    request.file_limit = fileLimit
    request.memory_limit = memoryLimit
    request.process_limit = processLimit
    request.no_new_privileges = hasNoNewPrivileges ? 1 : 0
    request.changes_user = account == nil ? 0 : 1
    request.uid = account?.uid ?? 0
    request.gid = account?.gid ?? 0
    let groups = account?.groups ?? []
    return groups.withUnsafeBufferPointer { groups in
      request.groups = groups.baseAddress
      request.group_count = groups.count
      switch hidden {
      case nil:
        return body(request)
      case .directory(let directory, let door):
        return directory.withCString { directory in
          door.withCString { door in
            request.hidden_directory = directory
            request.door = door
            return body(request)
          }
        }
      case .files(let files):
        return withCStrings(files) { files in
          request.hidden_files = files
          return body(request)
        }
      }
    }
  }
}

/// Calls `body` with a NULL-ended array of C strings that lives for the call.
private func withCStrings<Result>(
  _ strings: [String],
  _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = strings.map { strdup($0) }
  defer { for pointer in pointers { free(pointer) } }
  pointers.append(nil)
  return pointers.withUnsafeBufferPointer { buffer in
    // An array of at least one element has a base address.
    guard let base = buffer.baseAddress else { preconditionFailure("an empty array of strings") }
    return body(base)
  }
}
