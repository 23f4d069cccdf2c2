/// What a person wrote to be played; nothing is looked up yet, so that no disk is needed to make one.
package enum SoundChoice: Hashable, Sendable, CustomStringConvertible {
  /// Silence, `none`.
  case none
  /// The built-in sound, `tone`.
  case tone
  /// A sound of the sound theme, such as `alarm-clock-elapsed`.
  case theme(String)
  /// A file looked for in the sound folders, such as `birds.ogg`.
  case name(String)
  /// A file or a folder, absolute or beginning with `~/`.
  case path(String)
  /// What comes from a URL; whether that is a good one is seen when it is opened.
  case stream(String)

  /// Takes what was written, blanks around it left out; nothing at all means `tone`.
  ///
  /// A text with `://` is a URL, one that begins with `/` or `~` a path, one with a `.` or a `/`
  /// in it the name of a file; every other is a name of the sound theme.
  package init(_ text: String) {
    let blanks: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
    var text = text.drop { blanks.contains($0) }
    while let last = text.last, blanks.contains(last) { text.removeLast() }
    let written = String(text)
    self =
      switch written {
      case "none": .none
      case "tone", "": .tone
      case let url where url.contains("://"): .stream(url)
      case let path where path.hasPrefix("/") || path.hasPrefix("~"): .path(path)
      case let name where name.contains(".") || name.contains("/"): .name(name)
      default: .theme(written)
      }
  }

  /// As it is written.
  package var description: String {
    switch self {
    case .none: "none"
    case .tone: "tone"
    case .theme(let text), .name(let text), .path(let text), .stream(let text): text
    }
  }
}
