/// Something that has to be found and taken before it works: a line, or a key of some device.
protocol Part: AnyObject {
  /// What the log calls it, such as `button.snooze (GPIO17)`.
  var label: String { get }
  /// Whether it works.
  var isHeld: Bool { get }
  /// Where to look for more of it even while it works; nil if there is only one.
  var wantsMore: Bool { get }
  /// Finds and takes it.
  ///
  /// - Throws: why it could not be had.
  func acquire() throws(GPIOError)
  /// Lets go of what was on a device that is gone, or of everything if nil.
  func release(_ path: String?)
}

extension Part {
  var wantsMore: Bool { false }
}
