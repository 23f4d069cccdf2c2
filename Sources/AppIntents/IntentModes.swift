/// Where a program may be while an intent runs.
///
/// A program without a screen has no front, so on Linux these are kept for those who ask and change nothing.
public struct IntentModes: OptionSet, Sendable, Hashable {
  /// One bit a mode.
  public let rawValue: Int

  /// The modes with these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Behind others, or without a window.
  public static let background = IntentModes(rawValue: 1)
  /// In front.
  public static let foreground = IntentModes(rawValue: 2)

  /// When the program comes to the front.
  public enum ForegroundMode: Sendable, Hashable {
    /// Before the intent runs.
    case immediate
    /// When the intent asks for it.
    case dynamic
    /// Before the intent ends.
    case deferred
  }

  /// In front, from then on.
  public static func foreground(_ mode: ForegroundMode) -> IntentModes {
    switch mode {
    case .immediate: .foreground
    case .dynamic: IntentModes(rawValue: 4)
    case .deferred: IntentModes(rawValue: 8)
    }
  }
}
