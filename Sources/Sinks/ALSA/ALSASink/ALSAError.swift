import Glibc

/// What ALSA could not do, to which device, and why.
struct ALSAError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The function that failed, such as `snd_pcm_open`.
  var operation: String
  /// The device as the settings name it.
  var device: String
  /// A positive number of errno.h.
  var code: CInt

  init(_ operation: String, _ device: String, code: CInt) {
    self.operation = operation
    self.device = device
    self.code = abs(code)
  }

  /// Whether another program holds the device, so that it may be free in a moment.
  var isBusy: Bool { code == EBUSY || code == EAGAIN }

  var description: String { "\(device): \(meaning) (\(operation))" }

  private var meaning: String {
    switch code {
    case EBUSY, EAGAIN: "another program holds the device"
    case ENOENT, ENODEV, ENXIO: "there is no such device; aplay -L lists those there are"
    case EACCES, EPERM: "no permission; the user must be in the group audio"
    case ETIMEDOUT: "the device did not answer within a second"
    case EIO: "the device takes no sound"
    case EHOSTDOWN, ECONNREFUSED:
      "the sound server cannot be reached; a system service needs plughw:CARD=NAME"
    default: String(cString: strerror(code))
    }
  }
}
