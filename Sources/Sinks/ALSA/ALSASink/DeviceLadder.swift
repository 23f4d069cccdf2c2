import Glibc

/// Which devices are opened, played on and given up, in the order of the settings.
///
/// With `first`, one device sounds: the first that can. While a later one does, those before it are
/// tried again from time to time, and one that plays takes over. With `all`, each is tried by itself.
struct DeviceLadder {
  /// What happened.
  enum Event {
    /// Something shall sound.
    case begin
    /// Nothing shall sound any more.
    case finish
    /// A device is open.
    case opened(Int)
    /// A device could not be opened, or not be set up.
    case refused(Int, ALSAError)
    /// A device has played its first frames.
    case moving(Int)
    /// A device that was open plays no more.
    case lost(Int, ALSAError)
    /// Cards may have come.
    case cardsChanged
    /// The time that `deadline` named has come.
    case time
  }

  /// What is to be done, in order.
  enum Effect: Equatable {
    /// Open the device.
    case open(Int)
    /// Play on the open device.
    case play(Int)
    /// Silence the device and close it.
    case close(Int)
    /// Tell that the device does not work; told once until it works again.
    case fault(Int, ALSAError)
    /// Tell that a device works whose fault was told.
    case works(Int)
  }

  /// How long an open may take before the next device is tried.
  static let openLimit = Duration.seconds(1)
  /// How often a device that others hold, or one without which all is silent, is tried.
  static let retry = Duration.milliseconds(250)
  /// How long a device that others hold is waited for before the next one is tried.
  static let busyGrace = Duration.milliseconds(600)
  /// How often a better device is tried while a lesser one sounds.
  static let slowRetry = Duration.seconds(5)
  /// How long after cards came or went they are tried: udev sets permissions meanwhile.
  static let settle = Duration.milliseconds(100)

  private enum State {
    case closed
    case failed(at: Duration, error: ALSAError)
    case opening(since: Duration)
    /// Its open has not returned, and is not waited for any more.
    case abandoned
    case starting
    case moving
  }

  private struct Device {
    var state = State.closed
    /// Since when others hold it.
    var busySince: Duration?
    var isFaultTold = false
    var lastError: ALSAError?

    var isMoving: Bool { if case .moving = state { true } else { false } }
  }

  private let playsOnAll: Bool
  private var devices: [Device]
  private var isOn = false
  private var cardsChangedAt: Duration?
  private let names: [String]

  /// Takes the devices' names, best first.
  init(_ names: [String], playsOnAll: Bool) {
    self.names = names
    self.playsOnAll = playsOnAll
    devices = Array(repeating: Device(), count: names.count)
  }

  /// Whether anything sounds.
  var isSounding: Bool { devices.contains { $0.isMoving } }

  /// Whether a device that is wanted is away.
  var isLookingForCards: Bool {
    isOn && devices.contains { if case .failed = $0.state { true } else { false } }
  }

  /// Whether each device has refused, for more than a moment: nothing will be heard soon.
  var hasNothingLeft: Bool {
    isOn
      && devices.allSatisfy { device in
        if case .failed(_, let error) = device.state { !error.isBusy } else { false }
      }
  }

  /// Why nothing sounds, a sentence for each device that was tried.
  var reasons: [String] { devices.compactMap { $0.lastError?.description } }

  mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    switch event {
    case .begin: isOn = true
    case .finish: finish(&effects)
    case .opened(let index): opened(index, &effects)
    case .refused(let index, let error), .lost(let index, let error):
      failed(index, error, at: now, &effects)
    case .moving(let index): moving(index, &effects)
    case .cardsChanged: cardsChangedAt = now
    case .time: expire(at: now, &effects)
    }
    if isOn { climb(at: now, &effects) }
    return effects
  }

  /// When `time` is to be told; nil if nothing is waited for.
  func deadline(after now: Duration) -> Duration? {
    guard isOn else { return nil }
    var times: [Duration] = []
    var isReached = true
    for index in devices.indices {
      isReached = isReached && isWanted(index)
      switch devices[index].state {
      case .opening(let since): times.append(since + Self.openLimit)
      // One that has to wait for another may be long due; what becomes of the other is told.
      case .failed where isReached: times.append(retryTime(index))
      case .failed, .closed, .abandoned, .starting, .moving: break
      }
      if holdsUpTheNext(index, at: now) { isReached = false }
    }
    return times.min()
  }

  // MARK: Events

  private mutating func finish(_ effects: inout [Effect]) {
    isOn = false
    cardsChangedAt = nil
    for index in devices.indices {
      close(index, &effects)
      devices[index].busySince = nil
      devices[index].isFaultTold = false
      devices[index].lastError = nil
    }
  }

  private mutating func close(_ index: Int, _ effects: inout [Effect]) {
    switch devices[index].state {
    case .opening: devices[index].state = .abandoned
    case .starting, .moving:
      devices[index].state = .closed
      effects.append(.close(index))
    case .failed: devices[index].state = .closed
    case .closed, .abandoned: break
    }
  }

  private mutating func opened(_ index: Int, _ effects: inout [Effect]) {
    // Late is better than never, if it is still wanted.
    guard isOn, isWanted(index) else {
      devices[index].state = .closed
      return effects.append(.close(index))
    }
    devices[index].state = .starting
    effects.append(.play(index))
  }

  private mutating func failed(
    _ index: Int,
    _ error: ALSAError,
    at now: Duration,
    _ effects: inout [Effect]
  ) {
    switch devices[index].state {
    case .opening: break
    case .starting, .moving: effects.append(.close(index))
    case .closed, .failed: return
    case .abandoned:
      devices[index].state = .closed
      return
    }
    note(index, error, at: now, &effects)
    devices[index].state = .failed(at: now, error: error)
  }

  private mutating func note(
    _ index: Int,
    _ error: ALSAError,
    at now: Duration,
    _ effects: inout [Effect]
  ) {
    devices[index].lastError = error
    devices[index].busySince = error.isBusy ? devices[index].busySince ?? now : nil
    // What is busy for a moment only is not worth a line.
    let isPassing = error.isBusy && now - (devices[index].busySince ?? now) < Self.busyGrace
    guard !devices[index].isFaultTold, !isPassing else { return }
    devices[index].isFaultTold = true
    effects.append(.fault(index, error))
  }

  private mutating func moving(_ index: Int, _ effects: inout [Effect]) {
    guard case .starting = devices[index].state else { return }
    devices[index].state = .moving
    devices[index].busySince = nil
    devices[index].lastError = nil
    if devices[index].isFaultTold {
      devices[index].isFaultTold = false
      effects.append(.works(index))
    }
    guard !playsOnAll else { return }
    for other in devices.indices where other > index { close(other, &effects) }
  }

  private mutating func expire(at now: Duration, _ effects: inout [Effect]) {
    for index in devices.indices {
      guard case .opening(let since) = devices[index].state, now >= since + Self.openLimit else {
        continue
      }
      note(index, ALSAError("snd_pcm_open", names[index], code: ETIMEDOUT), at: now, &effects)
      devices[index].state = .abandoned
    }
  }

  // MARK: Choosing

  /// Opens what is to be opened now.
  private mutating func climb(at now: Duration, _ effects: inout [Effect]) {
    for index in devices.indices {
      guard isWanted(index) else { return }
      switch devices[index].state {
      case .closed:
        devices[index].state = .opening(since: now)
        effects.append(.open(index))
      case .failed where now >= retryTime(index):
        devices[index].state = .opening(since: now)
        effects.append(.open(index))
      case .failed, .abandoned, .opening, .starting, .moving: break
      }
      if holdsUpTheNext(index, at: now) { return }
    }
  }

  /// Whether a device would sound if it could.
  private func isWanted(_ index: Int) -> Bool {
    playsOnAll || !devices[..<index].contains { $0.isMoving }
  }

  /// Whether those after it need not be tried yet.
  private func holdsUpTheNext(_ index: Int, at now: Duration) -> Bool {
    guard !playsOnAll else { return false }
    switch devices[index].state {
    case .opening:
      // A device that others hold is tried again and again; that holds up nobody for ever.
      guard let busySince = devices[index].busySince else { return !isSounding }
      return now - busySince < Self.busyGrace
    case .failed:
      guard let busySince = devices[index].busySince else { return false }
      return now - busySince < Self.busyGrace && !isSounding
    case .starting, .moving: return true
    case .closed, .abandoned: return false
    }
  }

  private func retryTime(_ index: Int) -> Duration {
    guard case .failed(let since, let error) = devices[index].state else { return .zero }
    let pause = error.isBusy || !isSounding ? Self.retry : Self.slowRetry
    if let changed = cardsChangedAt, changed >= since {
      return min(changed + Self.settle, since + pause)
    }
    return since + pause
  }
}
