import CALSA
import Glibc
import SinkKit

/// A device that libasound has open, in its non-blocking mode.
///
/// Safe because one thread at a time has it: the one that opens, configures or closes it, and the
/// sink's in between.
final class ALSAPCM: PCM, @unchecked Sendable {
  /// How long the hardware works before it asks for more.
  private static let periodMicroseconds: UInt32 = 20_000
  /// How much is written ahead: enough for a machine that is slow to wake the process.
  private static let bufferMicroseconds: UInt32 = 200_000

  let device: String
  let card: String?
  private(set) var format = PCMFormat(rate: 0, channels: 0)
  private(set) var bufferFrames = 0
  private let handle: OpaquePointer
  private var source: PCMPollSource?

  /// Opens a device; may block for as long as it likes.
  ///
  /// - Parameters:
  ///   - name: the device's name for the library.
  ///   - device: its name in the settings, for messages.
  /// - Throws: what stands in the way, such as EBUSY or ENOENT.
  init(opening name: String, as device: String) throws(ALSAError) {
    var handle: OpaquePointer?
    let code = snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, CInt(SND_PCM_NONBLOCK))
    guard code == 0, let handle else { throw ALSAError("snd_pcm_open", device, code: code) }
    self.device = device
    self.handle = handle
    card = Self.card(of: handle)
  }

  private static func card(of handle: OpaquePointer) -> String? {
    var info: OpaquePointer?
    guard snd_pcm_info_malloc(&info) == 0, let info else { return nil }
    defer { snd_pcm_info_free(info) }
    guard snd_pcm_info(handle, info) == 0 else { return nil }
    let number = snd_pcm_info_get_card(info)
    guard number >= 0 else { return nil }
    return ALSACard.id(ofCard: number)
  }

  /// Sets rate, channels and buffer, and prepares it; may block.
  func configure(_ format: PCMFormat) throws(ALSAError) {
    try setHardware(format)
    try setSoftware()
    try check(snd_pcm_prepare(handle), "snd_pcm_prepare")
    self.format = format
  }

  private func setHardware(_ format: PCMFormat) throws(ALSAError) {
    var parameters: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&parameters) == 0, let parameters else {
      throw ALSAError("snd_pcm_hw_params_malloc", device, code: ENOMEM)
    }
    defer { snd_pcm_hw_params_free(parameters) }
    try check(snd_pcm_hw_params_any(handle, parameters), "snd_pcm_hw_params_any")
    try check(
      snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED),
      "snd_pcm_hw_params_set_access"
    )
    try check(
      snd_pcm_hw_params_set_format(handle, parameters, Self.sampleFormat),
      "snd_pcm_hw_params_set_format"
    )
    try check(
      snd_pcm_hw_params_set_channels(handle, parameters, UInt32(format.channels)),
      "snd_pcm_hw_params_set_channels"
    )
    try check(
      snd_pcm_hw_params_set_rate(handle, parameters, UInt32(format.rate), 0),
      "snd_pcm_hw_params_set_rate"
    )
    var period = Self.periodMicroseconds
    try check(
      snd_pcm_hw_params_set_period_time_near(handle, parameters, &period, nil),
      "snd_pcm_hw_params_set_period_time_near"
    )
    var buffer = Self.bufferMicroseconds
    try check(
      snd_pcm_hw_params_set_buffer_time_near(handle, parameters, &buffer, nil),
      "snd_pcm_hw_params_set_buffer_time_near"
    )
    try check(snd_pcm_hw_params(handle, parameters), "snd_pcm_hw_params")
  }

  private static var sampleFormat: snd_pcm_format_t {
    1.littleEndian == 1 ? SND_PCM_FORMAT_S16_LE : SND_PCM_FORMAT_S16_BE
  }

  /// It is woken when half of the buffer is free, and starts when told, or when full.
  private func setSoftware() throws(ALSAError) {
    var buffer: snd_pcm_uframes_t = 0
    var period: snd_pcm_uframes_t = 0
    try check(snd_pcm_get_params(handle, &buffer, &period), "snd_pcm_get_params")
    var parameters: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&parameters) == 0, let parameters else {
      throw ALSAError("snd_pcm_sw_params_malloc", device, code: ENOMEM)
    }
    defer { snd_pcm_sw_params_free(parameters) }
    try check(snd_pcm_sw_params_current(handle, parameters), "snd_pcm_sw_params_current")
    try check(
      snd_pcm_sw_params_set_start_threshold(handle, parameters, buffer),
      "snd_pcm_sw_params_set_start_threshold"
    )
    try check(
      snd_pcm_sw_params_set_avail_min(handle, parameters, max(period, buffer / 2)),
      "snd_pcm_sw_params_set_avail_min"
    )
    try check(snd_pcm_sw_params(handle, parameters), "snd_pcm_sw_params")
    bufferFrames = Int(buffer)
  }

  /// Closes it, which may block; nothing may be called afterwards.
  func close() { snd_pcm_close(handle) }

  // MARK: Playing

  var state: PCMState {
    switch snd_pcm_state(handle) {
    case SND_PCM_STATE_PREPARED: .prepared
    case SND_PCM_STATE_RUNNING: .running
    default: .other
    }
  }

  func available() throws(ALSAError) -> Int {
    let count = snd_pcm_avail(handle)
    guard count >= 0 else { throw ALSAError("snd_pcm_avail", device, code: CInt(count)) }
    return min(count, bufferFrames)
  }

  func write(_ samples: UnsafeBufferPointer<Int16>) throws(ALSAError) -> Int {
    let frames = samples.count / format.channels
    guard let start = samples.baseAddress, frames > 0 else { return 0 }
    let count = snd_pcm_writei(handle, start, snd_pcm_uframes_t(frames))
    if count == -snd_pcm_sframes_t(EAGAIN) { return 0 }
    guard count >= 0 else { throw ALSAError("snd_pcm_writei", device, code: CInt(count)) }
    return count
  }

  func start() throws(ALSAError) { try check(snd_pcm_start(handle), "snd_pcm_start") }
  func prepare() throws(ALSAError) { try check(snd_pcm_prepare(handle), "snd_pcm_prepare") }
  func resume() throws(ALSAError) { try check(snd_pcm_resume(handle), "snd_pcm_resume") }
  func drop() { snd_pcm_drop(handle) }

  private func check(_ code: CInt, _ operation: String) throws(ALSAError) {
    guard code >= 0 else { throw ALSAError(operation, device, code: code) }
  }

  // MARK: Waiting

  func watch(on host: SinkHost, _ body: @escaping () -> Void) {
    unwatch()
    let source = PCMPollSource(handle, body)
    source.token = host.attach(source)
    source.host = host
    self.source = source
  }

  func unwatch() {
    if let source, let token = source.token { source.host?.cancel(token) }
    source = nil
  }
}

/// A PCM's descriptors on the host's loop; only the library can read what came.
private final class PCMPollSource: PollSource {
  weak var host: SinkHost?
  var token: SinkHost.Token?
  private let handle: OpaquePointer
  private let body: () -> Void

  init(_ handle: OpaquePointer, _ body: @escaping () -> Void) {
    self.handle = handle
    self.body = body
  }

  func prepare() -> (descriptors: [pollfd], timeout: Duration?) {
    let count = snd_pcm_poll_descriptors_count(handle)
    guard count > 0 else { return ([], nil) }
    var descriptors = [pollfd](repeating: pollfd(), count: Int(count))
    let filled = snd_pcm_poll_descriptors(handle, &descriptors, UInt32(count))
    return (Array(descriptors.prefix(max(0, Int(filled)))), nil)
  }

  func dispatch(_ descriptors: ArraySlice<pollfd>) {
    guard descriptors.contains(where: { $0.revents != 0 }) else { return }
    var descriptors = Array(descriptors)
    var events: UInt16 = 0
    let code = snd_pcm_poll_descriptors_revents(
      handle,
      &descriptors,
      UInt32(descriptors.count),
      &events
    )
    if code < 0 || events != 0 { body() }
  }
}
