/// Where a program's author reads what went wrong where nobody can be thrown to.
enum StandardError {
  /// Says something in one line.
  static func say(_ text: String) {
    FileHandle.standardError.write(Data("AlarmKit: \(text.oneLine)\n".utf8))
  }
}

extension String {
  /// The text without line breaks and other controls.
  fileprivate var oneLine: String {
    String(map { $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? " " : $0 })
  }
}
