import CGPIOD

/// The names of keys in linux/input-event-codes.h that an alarm clock may be answered with.
enum KeyNames {
  /// The code of a key by number, `164` or `0xa4`, or by name; nil if it is neither.
  static func code(_ text: Substring) -> UInt16? {
    let number = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    guard let code = number ?? named[String(text)].map(Int.init) else { return nil }
    return (1...Int(KEY_MAX)).contains(code) ? UInt16(code) : nil
  }

  private static let named: [String: CInt] = {
    var names: [String: CInt] = [
      "KEY_ESC": KEY_ESC, "KEY_ENTER": KEY_ENTER, "KEY_SPACE": KEY_SPACE, "KEY_TAB": KEY_TAB,
      "KEY_BACKSPACE": KEY_BACKSPACE, "KEY_UP": KEY_UP, "KEY_DOWN": KEY_DOWN,
      "KEY_LEFT": KEY_LEFT, "KEY_RIGHT": KEY_RIGHT, "KEY_HOME": KEY_HOME, "KEY_END": KEY_END,
      "KEY_PAGEUP": KEY_PAGEUP, "KEY_PAGEDOWN": KEY_PAGEDOWN, "KEY_KPENTER": KEY_KPENTER,
      "KEY_PLAYPAUSE": KEY_PLAYPAUSE, "KEY_PLAY": KEY_PLAY, "KEY_PLAYCD": KEY_PLAYCD,
      "KEY_PAUSE": KEY_PAUSE, "KEY_PAUSECD": KEY_PAUSECD, "KEY_STOP": KEY_STOP,
      "KEY_STOPCD": KEY_STOPCD, "KEY_NEXT": KEY_NEXT, "KEY_NEXTSONG": KEY_NEXTSONG,
      "KEY_PREVIOUS": KEY_PREVIOUS, "KEY_PREVIOUSSONG": KEY_PREVIOUSSONG,
      "KEY_FORWARD": KEY_FORWARD, "KEY_FASTFORWARD": KEY_FASTFORWARD, "KEY_REWIND": KEY_REWIND,
      "KEY_BACK": KEY_BACK, "KEY_MUTE": KEY_MUTE, "KEY_VOLUMEUP": KEY_VOLUMEUP,
      "KEY_VOLUMEDOWN": KEY_VOLUMEDOWN, "KEY_MEDIA": KEY_MEDIA, "KEY_MENU": KEY_MENU,
      "KEY_OK": KEY_OK, "KEY_SELECT": KEY_SELECT, "KEY_CANCEL": KEY_CANCEL,
      "KEY_EXIT": KEY_EXIT, "KEY_CLOSE": KEY_CLOSE, "KEY_POWER": KEY_POWER,
      "KEY_SLEEP": KEY_SLEEP, "KEY_WAKEUP": KEY_WAKEUP, "KEY_COFFEE": KEY_COFFEE,
      "KEY_TIME": KEY_TIME, "KEY_CAMERA": KEY_CAMERA,
      "KEY_RED": KEY_RED, "KEY_GREEN": KEY_GREEN, "KEY_YELLOW": KEY_YELLOW,
      "KEY_BLUE": KEY_BLUE, "KEY_PROG1": KEY_PROG1, "KEY_PROG2": KEY_PROG2,
      "KEY_PROG3": KEY_PROG3, "KEY_PROG4": KEY_PROG4, "KEY_SYSRQ": KEY_SYSRQ,
      "BTN_0": BTN_0, "BTN_1": BTN_1, "BTN_2": BTN_2, "BTN_3": BTN_3, "BTN_4": BTN_4,
      "BTN_LEFT": BTN_LEFT, "BTN_RIGHT": BTN_RIGHT, "BTN_MIDDLE": BTN_MIDDLE,
      "BTN_TRIGGER": BTN_TRIGGER, "BTN_TOUCH": BTN_TOUCH,
    ]
    // Rows of keys that follow each other in the header.
    let rows: [(CInt, String)] = [
      (KEY_1, "1234567890"), (KEY_Q, "QWERTYUIOP"), (KEY_A, "ASDFGHJKL"), (KEY_Z, "ZXCVBNM"),
    ]
    for (first, keys) in rows {
      for (index, key) in keys.enumerated() { names["KEY_\(key)"] = first + CInt(index) }
    }
    for index in 0..<10 { names["KEY_F\(index + 1)"] = KEY_F1 + CInt(index) }
    (names["KEY_F11"], names["KEY_F12"]) = (KEY_F11, KEY_F12)
    for index in 13...24 { names["KEY_F\(index)"] = KEY_F13 + CInt(index - 13) }
    return names
  }()
}
