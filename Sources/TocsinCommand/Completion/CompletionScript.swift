/// Completions for shells, from the table of commands.
enum CompletionScript {
  /// The shells there are scripts for.
  enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  /// The whole script.
  static func script(for shell: Shell, commands: [CommandSpec]) -> String {
    switch shell {
    case .bash: bash(commands)
    case .zsh: zsh(commands)
    case .fish: fish(commands)
    }
  }

  /// The text in single quotes, for sh and its descendants.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
