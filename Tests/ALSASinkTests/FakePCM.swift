import Glibc
import SinkKit

@testable import ALSASink

/// A card that plays by the host's clock and keeps what was heard.
///
/// It obeys the hardware's rules: frames are consumed from `start` on, one a sample period, and when
/// none is left it stops with EPIPE until it is prepared again.
final class FakePCM: PCM {
  /// What was heard without a pause.
  struct Heard {
    var start: Duration
    var format: PCMFormat
    var samples: [Int16]
  }

  /// What can go wrong while it plays.
  struct Faults {
    /// From then on the card is gone: ENODEV.
    var unplugged: Duration?
    /// From then on nothing moves, while the state is RUNNING and nothing is an error.
    var stalled: Duration?
    /// At that time it runs dry, whatever was written.
    var xrun: Duration?
    /// After which no `prepare` works.
    var isBroken = false
    /// At that time the machine has slept; the card is awake again when the second has come.
    var suspended: (at: Duration, awake: Duration)?
    /// The most frames that a write takes.
    var mostWritten = Int.max
    /// It runs dry as soon as it is started, each time.
    var isAlwaysDry = false
    /// It knows no time: what is written is gone at once, as with null and file PCMs.
    var isUnpaced = false
  }

  let device: String
  let card: String?
  var faults = Faults()
  private(set) var format: PCMFormat
  private(set) var heard: [Heard] = []
  private(set) var isClosed = false
  /// How often the host was woken by it, and how often it was prepared.
  private(set) var wakes = 0
  private(set) var prepares = 0
  private let host: SinkHost
  private var queue: [Int16] = []
  private(set) var written = 0
  private var started: Duration?
  private var phase = Phase.prepared
  private var watcher: (() -> Void)?
  private var token: SinkHost.Token?

  private enum Phase { case prepared, running, xrun, suspended, dropped }

  init(_ device: String, card: String?, format: PCMFormat, host: SinkHost) {
    self.device = device
    self.card = card
    self.format = format
    self.host = host
  }

  var bufferFrames: Int { format.rate / 5 }

  func configure(_ format: PCMFormat) {
    precondition(phase != .running, "configured while it runs")
    self.format = format
    empty(.prepared)
  }

  func close() {
    precondition(watcher == nil, "closed while watched")
    look()
    keep()
    isClosed = true
  }

  // MARK: PCM

  var state: PCMState {
    look()
    return switch phase {
    case .prepared: .prepared
    case .running: .running
    case .xrun, .suspended, .dropped: .other
    }
  }

  func available() throws(ALSAError) -> Int {
    try check("snd_pcm_avail")
    return bufferFrames - (written - consumed)
  }

  func write(_ samples: UnsafeBufferPointer<Int16>) throws(ALSAError) -> Int {
    try check("snd_pcm_writei")
    precondition(samples.count % format.channels == 0, "half a frame was written")
    let room = min(try available(), faults.mostWritten)
    let count = min(room, samples.count / format.channels)
    guard count > 0 else { return 0 }
    queue += samples[..<(count * format.channels)]
    written += count
    return count
  }

  func start() throws(ALSAError) {
    try check("snd_pcm_start")
    precondition(phase == .prepared && written > 0, "started in the wrong state")
    phase = faults.isAlwaysDry ? .xrun : .running
    started = host.elapsed
    arm()
  }

  func prepare() throws(ALSAError) {
    prepares += 1
    if faults.isBroken { throw ALSAError("snd_pcm_prepare", device, code: EIO) }
    if isGone { throw ALSAError("snd_pcm_prepare", device, code: ENODEV) }
    look()
    if let suspended = faults.suspended, phase == .suspended, host.elapsed < suspended.awake {
      throw ALSAError("snd_pcm_prepare", device, code: EIO)
    }
    empty(.prepared)
  }

  func resume() throws(ALSAError) {
    guard let suspended = faults.suspended, host.elapsed < suspended.awake else {
      throw ALSAError("snd_pcm_resume", device, code: ENOSYS)
    }
    throw ALSAError("snd_pcm_resume", device, code: EAGAIN)
  }

  func drop() {
    look()
    empty(.dropped)
  }

  func watch(on host: SinkHost, _ body: @escaping () -> Void) {
    watcher = body
    arm()
  }

  func unwatch() {
    watcher = nil
    if let token { host.cancel(token) }
    token = nil
  }

  // MARK: The hardware

  private var isGone: Bool { faults.unplugged.map { $0 <= host.elapsed } ?? false }

  private var consumed: Int {
    guard phase == .running, let started else { return 0 }
    if faults.isUnpaced { return written }
    let now = min(host.elapsed, faults.stalled ?? host.elapsed)
    return min(frames(in: max(.zero, now - started)), written)
  }

  private func frames(in duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    return nanoseconds * format.rate / 1_000_000_000
  }

  private func check(_ operation: String) throws(ALSAError) {
    precondition(!isClosed, "used after it was closed")
    if isGone {
      look()
      throw ALSAError(operation, device, code: ENODEV)
    }
    look()
    switch phase {
    case .prepared, .running: return
    case .xrun: throw ALSAError(operation, device, code: EPIPE)
    case .suspended: throw ALSAError(operation, device, code: ESTRPIPE)
    case .dropped: throw ALSAError(operation, device, code: EBADFD)
    }
  }

  /// Notices what has become of it since it was last looked at.
  private func look() {
    guard phase == .running, let started else { return }
    if let unplugged = faults.unplugged, unplugged <= host.elapsed {
      return keep(upTo: unplugged)
    }
    if let suspended = faults.suspended, suspended.at <= host.elapsed, suspended.at > started {
      keep(upTo: suspended.at)
      return phase = .suspended
    }
    if let xrun = faults.xrun, xrun <= host.elapsed, xrun >= started {
      faults.xrun = nil
      keep(upTo: xrun)
      return phase = .xrun
    }
    if faults.stalled == nil, !faults.isUnpaced, frames(in: host.elapsed - started) > written {
      keep()
      phase = .xrun
    }
  }

  /// What was played up to a time has been heard.
  private func keep(upTo time: Duration? = nil) {
    guard phase == .running, let started else { return }
    let count = min(consumed, time.map { frames(in: max(.zero, $0 - started)) } ?? .max)
    if count > 0 {
      let samples = Array(queue.prefix(count * format.channels))
      heard.append(Heard(start: started, format: format, samples: samples))
    }
    self.started = nil
    queue = []
  }

  private func empty(_ next: Phase) {
    keep()
    (queue, written, started) = ([], 0, nil)
    phase = next
  }

  /// Wakes who watches when half of the buffer is free, or at once after an error, as poll(2) does.
  private func arm() {
    if let token { host.cancel(token) }
    token = nil
    guard watcher != nil else { return }
    let soon = host.elapsed + .milliseconds(1)
    var ready = soon
    if phase == .running, let started {
      guard faults.stalled.map({ $0 > host.elapsed }) ?? true else { return }
      let frame = faults.isUnpaced ? 0 : max(0, written - bufferFrames / 2)
      ready = max(soon, started + .seconds(1) * frame / format.rate)
    }
    token = host.wake(at: ready) { [unowned self] in
      token = nil
      wakes += 1
      watcher?()
      if token == nil { arm() }
    }
  }

  // MARK: For tests

  /// What was heard so far, also of what plays on.
  var record: [Heard] {
    guard phase == .running, let started else { return heard }
    look()
    guard phase == .running else { return heard }
    let samples = Array(queue.prefix(consumed * format.channels))
    return heard + [Heard(start: started, format: format, samples: samples)]
  }

  /// The first sample of the frame that was heard then; nil in silence between.
  func sample(at time: Duration) -> Int16? {
    for part in record where part.start <= time {
      let (seconds, attoseconds) = (time - part.start).components
      let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
      let index = nanoseconds * part.format.rate / 1_000_000_000 * part.format.channels
      if index < part.samples.count { return part.samples[index] }
    }
    return nil
  }

  /// When the last frame was heard to its end.
  var end: Duration? {
    record.last.map { part in
      part.start + .seconds(1) * (part.samples.count / part.format.channels) / part.format.rate
    }
  }
}
