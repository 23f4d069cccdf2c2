import Glibc
import SinkKit

/// Feeds one open device from the host's loop, and notices when nothing moves.
///
/// Frames count as played when the hardware's pointer has passed them; what the device says beside
/// that is not believed: dmix over a dead card says EAGAIN for ever and runs.
final class Output {
  /// What the output tells of itself.
  enum News {
    /// The first frames have really been played.
    case moving
    /// It plays no more; the PCM is still to be closed.
    case failed(ALSAError)
  }

  /// How long nothing may move.
  static let patience = Duration.seconds(1)
  /// How long it waits when the device neither takes frames nor says when it will.
  private static let pause = Duration.milliseconds(20)
  /// How much faster than the clock a device may be; null and file PCMs know no time at all.
  private static let fastest = 1.05

  let pcm: any PCM
  /// Whether the device has played frames since `play`.
  private(set) var isMoving = false
  /// Whether anything was ever played on it.
  private(set) var hasPlayed = false
  /// Whether it was told to play and not to stop.
  var isPlaying: Bool { wave != nil }

  private let host: SinkHost
  private let tell: (News) -> Void
  private var wave: Wave?
  /// What the wave gave and the device has not taken yet.
  private var pending: [Int16] = []
  private var pendingStart = 0
  /// Frames written and seen played since the device was last prepared.
  private var written = 0
  private var played = 0
  /// Frames written since the wave began.
  private var total = 0
  private var began = Duration.zero
  private var progress = Duration.zero
  private var recovered: Duration?
  private var isSuspended = false
  private var isWatching = false
  private var timer: SinkHost.Token?
  private var watchdog: SinkHost.Token?

  /// Takes a PCM that is prepared.
  init(_ pcm: any PCM, host: SinkHost, tell: @escaping (News) -> Void) {
    self.pcm = pcm
    self.host = host
    self.tell = tell
  }

  deinit { silence() }

  /// Plays a wave of the PCM's format, at once and until `stop`; the PCM must be prepared.
  func play(_ wave: Wave) {
    self.wave = wave
    (pending, pendingStart) = ([], 0)
    (written, played, total) = (0, 0, 0)
    (isMoving, isSuspended, recovered) = (false, false, nil)
    hasPlayed = true
    began = host.elapsed
    progress = began
    watchOver()
    feed()
  }

  /// How long what was written so far is still to be heard.
  var delay: Duration {
    let room = (try? pcm.available()) ?? pcm.bufferFrames
    return .seconds(Double(pcm.bufferFrames - room) / Double(pcm.format.rate))
  }

  /// Goes on with another wave of the same format where the frames written so far end.
  func change(to wave: Wave) {
    self.wave = wave
    (pending, pendingStart) = ([], 0)
  }

  /// Goes on with the same wave, but another volume, where the frames written so far end.
  func change(to ramp: Ramp) {
    wave?.set(ramp)
  }

  /// Silence at once: nothing follows but what the hardware has played already.
  func stop() {
    if wave != nil { pcm.drop() }
    silence()
  }

  private func silence() {
    wave = nil
    (pending, pendingStart) = ([], 0)
    isMoving = false
    unwatch()
    host.cancel(&timer)
    host.cancel(&watchdog)
  }

  // MARK: Feeding

  /// Writes what there is room for; whatever the device answers, it does not spin.
  private func feed() {
    guard wave != nil else { return }
    do {
      let isBusy = try step()
      if !isMoving {
        wait(Self.pause)
      } else if isBusy {
        watch()
      } else {
        wait(Self.pause)
      }
    } catch { recover(from: error) }
  }

  /// - Returns: whether anything moved, so that the device may say when there is more room.
  private func step() throws(ALSAError) -> Bool {
    var moved = try notePlayed()
    while let room = try room(), room > 0 {
      let count = try write(room)
      guard count > 0 else { break }
      moved = true
    }
    if pcm.state == .prepared, written > 0 { try pcm.start() }
    if try notePlayed() { moved = true }
    return moved
  }

  /// Frames worth writing; nil if there is nothing to do now.
  private func room() throws(ALSAError) -> Int? {
    let least = pcm.format.rate / 100
    let count = min(try pcm.available(), allowance)
    return count >= least ? count : nil
  }

  /// Frames that the clock allows, for devices that would take any number at once.
  private var allowance: Int {
    let seconds = (host.elapsed - began) / .seconds(1)
    let most = Double(pcm.format.rate) * seconds * Self.fastest
    return pcm.bufferFrames + Int(most) - total
  }

  private func write(_ room: Int) throws(ALSAError) -> Int {
    let channels = pcm.format.channels
    if pendingStart == pending.count {
      (pending, pendingStart) = (wave?.next(room) ?? [], 0)
    }
    let rest = pending.count - pendingStart
    let count = try writePending(min(rest, room * channels))
    pendingStart += count * channels
    written += count
    total += count
    return count
  }

  private func writePending(_ samples: Int) throws(ALSAError) -> Int {
    let result: Result<Int, ALSAError> = pending.withUnsafeBufferPointer { buffer in
      let part = UnsafeBufferPointer(rebasing: buffer[pendingStart..<pendingStart + samples])
      do throws(ALSAError) { return .success(try pcm.write(part)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Looks how far the hardware is.
  ///
  /// - Returns: whether it is further than before.
  private func notePlayed() throws(ALSAError) -> Bool {
    let count = written - (pcm.bufferFrames - (try pcm.available()))
    guard count > played else { return false }
    played = count
    progress = host.elapsed
    isSuspended = false
    if !isMoving {
      isMoving = true
      tell(.moving)
    }
    return true
  }

  // MARK: Faults

  private func recover(from error: ALSAError) {
    switch error.code {
    case EPIPE: refill()
    case ESTRPIPE: wakeUp()
    case EAGAIN, EINTR: wait(Self.pause)
    default: fail(error)
    }
  }

  /// After an underrun: prepares the device and fills it again, not more often than it can help.
  private func refill() {
    let now = host.elapsed
    if let recovered, now - recovered < Self.pause { return wait(Self.pause) }
    recovered = now
    do {
      try pcm.prepare()
      (written, played) = (0, 0)
      feed()
    } catch { fail(error) }
  }

  /// After a suspend of the machine: the card may need a while.
  private func wakeUp() {
    if !isSuspended {
      isSuspended = true
      progress = host.elapsed
    }
    do {
      try pcm.resume()
      wait(Self.pause)
    } catch {
      if error.code == EAGAIN { wait(Self.pause) } else { refill() }
    }
  }

  private func fail(_ error: ALSAError) {
    stop()
    tell(.failed(error))
  }

  // MARK: Waiting

  private func watch() {
    guard !isWatching, wave != nil else { return }
    isWatching = true
    pcm.watch(on: host) { [weak self] in self?.feed() }
  }

  private func unwatch() {
    guard isWatching else { return }
    isWatching = false
    pcm.unwatch()
  }

  private func wait(_ pause: Duration) {
    unwatch()
    guard timer == nil, wave != nil else { return }
    timer = host.wake(after: pause) { [weak self] in
      self?.timer = nil
      self?.feed()
    }
  }

  /// One timer a second that only looks whether frames were played meanwhile.
  private func watchOver() {
    host.cancel(&watchdog)
    watchdog = host.wake(at: progress + Self.patience) { [weak self] in
      guard let self else { return }
      watchdog = nil
      // The machine may have slept, and then nothing could move.
      if host.elapsed - progress >= Self.patience { feed() }
      guard wave != nil else { return }
      if host.elapsed - progress >= Self.patience {
        fail(ALSAError("snd_pcm_avail", pcm.device, code: EIO))
      } else {
        watchOver()
      }
    }
  }
}
