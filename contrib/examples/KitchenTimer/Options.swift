import AlarmKit

enum Options {
  /// The timer's length: three seconds, or what `--for` says; nil if that cannot be meant.
  static func length(_ arguments: ArraySlice<String>) -> TimeInterval? {
    guard let option = arguments.first else { return 3 }
    guard option == "--for", arguments.count == 2, let text = arguments.last else { return nil }
    let units: [Character: TimeInterval] = ["s": 1, "m": 60, "h": 3600]
    let unit = text.last.flatMap { units[$0] }
    guard let number = TimeInterval(unit == nil ? text[...] : text.dropLast()) else { return nil }
    let seconds = number * (unit ?? 1)
    return seconds > 0 && seconds < 86_400 ? seconds : nil
  }
}
