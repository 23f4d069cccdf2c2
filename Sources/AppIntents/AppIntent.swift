public import TocsinResources

/// Something a program can do when it is asked to.
///
/// Written down as its type's name and its parameters, so that the program can do it after it was started again:
/// `init()` makes it anew and its parameters are filled in.
public protocol AppIntent: Sendable {
  /// What it comes to.
  associatedtype PerformResult: IntentResult

  /// What it is called.
  static var title: LocalizedStringResource { get }
  /// What it does, in a sentence.
  static var description: IntentDescription? { get }
  /// Whether the program is to come to the front; `supportedModes` says more.
  static var openAppWhenRun: Bool { get }
  /// Whether it is offered to people beside where the program uses it.
  static var isDiscoverable: Bool { get }
  /// Whether it runs with the program in the background or in front.
  static var supportedModes: IntentModes { get }

  /// Makes it with the defaults of its parameters.
  init()

  /// Does it.
  func perform() async throws -> PerformResult
}

extension AppIntent {
  /// None.
  public static var description: IntentDescription? { nil }
  /// No.
  public static var openAppWhenRun: Bool { false }
  /// Yes.
  public static var isDiscoverable: Bool { true }
  /// In front if `openAppWhenRun`, else in the background.
  public static var supportedModes: IntentModes { openAppWhenRun ? .foreground : .background }

  /// A value that the intent is asked with.
  public typealias Parameter = IntentParameter
}

/// An intent that the system asks for.
public protocol SystemIntent: AppIntent {}

/// An intent that a button of a presentation asks for; it runs in the program that presents.
public protocol LiveActivityIntent: SystemIntent {}
