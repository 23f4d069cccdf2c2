import Glibc
import TocsinModel

extension PluginSurroundings {
  /// Starts a program of a plugin, kept to what its section allows.
  ///
  /// `arguments` begin with the program, which is looked for; `own` are variables beside those that
  /// every plugin gets.
  ///
  /// - Throws: `SystemError` if a later try may help, else a sentence.
  func start(
    _ arguments: [String],
    of settings: PluginSettings,
    own: [String: String] = [:],
    callbacks: PluginProcess.Callbacks
  ) throws -> PluginProcess {
    let sandbox = settings.sandbox
    let path = try finder.find(arguments[0])
    let account = try account(of: settings)
    let variables = environment.variables(
      sandbox.environment,
      account: account,
      own: own.merging(["TOCSIN_SINK": settings.name]) { $1 }
    )
    var confinement = Confinement()
    confinement.hasNoNewPrivileges = sandbox.hasNoNewPrivileges
    confinement.fileLimit = UInt64(sandbox.fileLimit)
    confinement.memoryLimit = UInt64(sandbox.memoryLimit ?? 0)
    confinement.processLimit = UInt64(sandbox.processLimit ?? 0)
    confinement.account = account
    confinement.hidden = sandbox.hidesStore ? cover.hidden : nil
    while true {
      do throws(SystemError) {
        return try PluginProcess(
          path: path,
          arguments: arguments,
          environment: variables,
          confinement: confinement,
          standardOutput: settings.getsStandardOutput ? openStandardOutput : nil,
          reactor: reactor,
          guardian: guardian,
          callbacks: callbacks
        )
      } catch {
        if error.operation == Child.hiding, confinement.hidden != nil {
          // Another user cannot read the store anyhow.
          if account == nil { cover.refuse(error) }
          confinement.hidden = nil
        } else if error.operation == Child.becoming, let account {
          let own = Account.name(of: geteuid())
          throw Unstartable(
            description: "tocsind runs as \(own) and cannot start \(settings.name) as "
              + "\(account.name): start it as root or take user away"
          )
        } else {
          throw error
        }
      }
    }
  }

  /// The user it is to become; nil for the one that the daemon is.
  private func account(of settings: PluginSettings) throws -> Account? {
    guard let name = settings.sandbox.user else { return nil }
    guard let account = try Account(named: name) else {
      throw Unstartable(
        description: "there is no user \(name), correct user in [plugin \(settings.name)]"
      )
    }
    return account.uid == geteuid() && account.uid == getuid() ? nil : account
  }

  /// nil if the daemon was started with its standard output closed.
  private var openStandardOutput: Int32? {
    fcntl(standardOutput, F_GETFD) < 0 ? nil : standardOutput
  }
}
