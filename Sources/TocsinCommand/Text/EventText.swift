import TocsinModel
import TocsinTime

/// Events in one line each.
enum EventText {
  /// A title, or what stands for none.
  static func title(_ title: String, kind: AlarmKind? = nil) -> String {
    if !title.isEmpty { return title.printable }
    return kind == .timer ? "Timer" : "Alarm"
  }
}
