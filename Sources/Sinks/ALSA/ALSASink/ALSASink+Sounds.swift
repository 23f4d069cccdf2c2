import SinkKit
import Sounds

// What an alarm sounds with: its own sound if it can, else the tone.
extension ALSASink {
  /// Looks how far the sound is that is to be heard; one that is late is waited for a little.
  func findSound() {
    // What plays plays on, though the file may have changed.
    guard let ring, !isOwnSound else { return }
    switch sounds.state(of: ring.sound) {
    case .ready(let sound):
      isOwnSound = true
      play(.sound(sound))
      sounds.began(ring.sound)
    case .failed: playTone()
    case .loading: wait(Self.soundPatience)
    case .stream: openStream(ring.sound)
    }
  }

  /// A sound has been prepared, or cannot be.
  func soundsChanged() {
    for name in wanted.sorted() {
      guard case .failed(let error) = sounds.state(of: name), mourned.insert(name).inserted else {
        continue
      }
      host.log(.warning, "\(error); the built-in tone takes its place")
    }
    findSound()
  }

  /// Nothing is to sound, or something else.
  func forgetSound() {
    source = nil
    isOwnSound = false
    host.cancel(&soundTimer)
    stopStream()
  }

  private func play(_ source: Source) {
    host.cancel(&soundTimer)
    guard self.source != source else { return }
    self.source = source
    play(on: Array(outputs.keys))
  }

  private func playTone() { play(.sound(sounds.tone)) }

  /// Lets the tone begin if nothing sounds by then.
  private func wait(_ patience: Duration) {
    guard source == nil, soundTimer == nil else { return }
    soundTimer = host.wake(after: patience) { [unowned self] in
      soundTimer = nil
      guard let ring else { return }
      host.log(.warning, "\(ring.sound) is not there in time; the built-in tone sounds until then")
      playTone()
    }
  }

  // MARK: Streams

  private func openStream(_ name: String) {
    guard stream == nil else { return }
    do throws(SoundError) {
      stream = StreamFeed(try sounds.open(stream: name), host: host) { [unowned self] in
        heard(ofStream: name, $0)
      }
      wait(Self.streamPatience)
    } catch {
      host.log(.warning, "\(error); the built-in tone takes its place")
      playTone()
    }
  }

  private func heard(ofStream name: String, _ news: StreamFeed.News) {
    guard let stream else { return }
    switch news {
    case .flows: play(.stream(stream))
    case .dry:
      host.log(.warning, "nothing comes from \(name); the built-in tone sounds until then")
      playTone()
    case .ended(let error):
      host.log(.warning, "\(error); the built-in tone takes its place")
      playTone()
    }
  }

  func stopStream() {
    stream?.stop()
    stream = nil
  }
}
