import Glibc

/// The machine's chips and input devices, as far as this sink needs them; used on its thread only.
///
/// The real thing is `SystemDevices`; tests have a board of their own that obeys the same rules.
protocol Devices: AnyObject {
  /// The clock of the stamps of edges: CLOCK_MONOTONIC.
  var eventClock: Duration { get }
  /// The paths of all chips, such as `/dev/gpiochip0`, in the order of their numbers.
  func chips() -> [String]
  /// Asks a chip about itself.
  func facts(ofChip path: String) throws(GPIOError) -> ChipFacts
  /// The offset of the line with that name; nil if the chip has none.
  func offset(ofLine name: String, onChip path: String) -> UInt32?
  /// Takes an output, inactive.
  func requestOutput(_ place: LinePlace, activeLow: Bool) throws(GPIOError) -> any OutputLine
  /// Takes an input, with both its edges.
  func requestInput(_ place: LinePlace, _ settings: InputSettings) throws(GPIOError)
    -> any InputLine
  /// The paths of all event devices, such as `/dev/input/event0`.
  func inputDevices() -> [String]
  /// Opens an event device.
  func openInput(_ path: String) throws(GPIOError) -> any KeyDevice
  /// Something that tells when devices come, go, or change their permissions; nil if the system
  /// does not let us have it.
  func watch() -> (any DeviceWatch)?
}

/// What a chip says of itself.
struct ChipFacts: Hashable {
  /// Its name, `gpiochipN`; the number is an accident.
  var name: String
  /// What it is, such as `pinctrl-rp1`.
  var label: String
  /// How many lines it has.
  var lines: UInt32
}

/// Where a line is at the moment.
struct LinePlace: Hashable {
  /// The chip's path.
  var chip: String
  /// The line's number on it.
  var offset: UInt32
}

/// How an input is wired.
struct InputSettings: Hashable {
  /// What holds the line while nothing else does.
  enum Bias: String, CaseIterable {
    case pullUp = "pull-up"
    case pullDown = "pull-down"
    case disabled
    case asIs = "as-is"
  }

  var activeLow = true
  var bias = Bias.pullUp
}

/// A requested output; letting go of it releases the line.
protocol OutputLine: AnyObject {
  /// Drives the line.
  ///
  /// - Throws: `absent` if the chip is gone.
  func set(_ isActive: Bool) throws(GPIOError)
}

/// A requested input; letting go of it releases the line.
protocol InputLine: AnyObject {
  /// Readable when there are edges, failed or hung up when the device is gone.
  var descriptor: CInt { get }
  /// Takes the edges that there are, at most a few dozen; never blocks.
  ///
  /// - Throws: `absent` if the chip is gone.
  func read() throws(GPIOError) -> [Edge]
  /// Reads the level as it is now.
  func isActive() throws(GPIOError) -> Bool
}

/// An opened event device; letting go of it closes it.
protocol KeyDevice: AnyObject {
  /// What it calls itself.
  var name: String { get }
  /// Readable when there are events, failed or hung up when the device is gone.
  var descriptor: CInt { get }
  /// Whether it has that key.
  func has(_ key: UInt16) -> Bool
  /// Keeps its events from everybody else.
  func grab() throws(GPIOError)
  /// Takes the events that there are, at most a few dozen; never blocks.
  ///
  /// - Throws: `absent` if the device is gone.
  func read() throws(GPIOError) -> KeyEvents
  /// Whether that key is down now.
  func isDown(_ key: UInt16) throws(GPIOError) -> Bool
}

/// What was read from an event device.
struct KeyEvents: Hashable {
  /// A key that went down or up; repetitions are left out.
  struct Event: Hashable {
    var key: UInt16
    var edge: Edge
  }

  var events: [Event] = []
  /// Whether the kernel dropped some, so that all keys are in doubt.
  var isDoubtful = false
}

/// Tells of changes among the devices.
protocol DeviceWatch: AnyObject {
  /// Readable when something changed.
  var descriptor: CInt { get }
  /// The paths of what came, went or changed; never blocks.
  func changes() -> [DeviceChange]
}

/// One change among the devices.
struct DeviceChange: Hashable {
  var path: String
  /// Whether it is gone.
  var isGone: Bool
}
