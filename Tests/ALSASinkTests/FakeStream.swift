import SinkKit

@testable import ALSASink
@testable import Sounds

/// A stream of equal samples that arrives at its own pace on the host's clock.
final class FakeStream: FrameStream {
  let rate = 48_000
  /// From when on frames arrive, and until when; the end is told if there is one.
  var begins: Duration
  var stops: Duration?
  /// Frames that are there at the beginning, as a server sends them.
  var burst = 0
  var ends: Duration?
  private(set) var isStopped = false
  private let host: SinkHost
  private let value: Int16
  private(set) var delivered = 0
  private var body: (() -> Void)?
  private var token: SinkHost.Token?

  init(_ value: Int16, host: SinkHost, begins: Duration) {
    self.value = value
    self.host = host
    self.begins = begins
  }

  /// Starts to arrive again after it had stopped.
  func goOn() {
    let pause = host.elapsed - (stops ?? host.elapsed)
    stops = nil
    begins += pause
  }

  private var arrived: Int {
    let until = min(host.elapsed, stops ?? host.elapsed)
    let (seconds, attoseconds) = max(.zero, until - begins).components
    guard host.elapsed >= begins else { return 0 }
    return burst + Int(seconds) * rate + Int(attoseconds / 1_000_000_000) * rate / 1_000_000_000
  }

  func read(into samples: UnsafeMutableBufferPointer<Int16>) -> StreamDecoder.Reading {
    let count = min(arrived - delivered, samples.count / 2)
    guard count > 0 else {
      if let ends, ends <= host.elapsed { return .ended(SoundError(.streamEnded, "the stream")) }
      return .nothing
    }
    for index in 0..<count * 2 { samples[index] = value }
    delivered += count
    return .frames(count)
  }

  func watch(_ body: @escaping () -> Void) {
    self.body = body
    look()
  }

  func unwatch() {
    body = nil
    if let token { host.cancel(token) }
    token = nil
  }

  func stop() {
    unwatch()
    isStopped = true
  }

  private func look() {
    guard body != nil, token == nil else { return }
    token = host.wake(after: .milliseconds(20)) { [unowned self] in
      token = nil
      body?()
      look()
    }
  }
}
