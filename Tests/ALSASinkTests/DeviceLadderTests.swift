import Glibc
import Testing

@testable import ALSASink

@Suite("Which device is tried when")
struct DeviceLadderTests {
  private let missing = ALSAError("snd_pcm_open", "a", code: ENOENT)
  private let busy = ALSAError("snd_pcm_open", "a", code: EBUSY)

  @Test("Nothing is waited for unless something is to sound")
  func idle() {
    var ladder = DeviceLadder(["a", "b"], playsOnAll: false)
    #expect(ladder.deadline(after: .zero) == nil)
    #expect(ladder.handle(.cardsChanged, at: .zero).isEmpty)
    #expect(ladder.handle(.begin, at: .zero) == [.open(0)])
    #expect(ladder.handle(.finish, at: .zero).isEmpty)
    #expect(ladder.deadline(after: .zero) == nil)
    #expect(ladder.handle(.opened(0), at: .zero) == [.close(0)])
  }

  @Test("A device that is due while another is waited for is no reason to wake at once")
  func due() {
    var ladder = DeviceLadder(["a", "b"], playsOnAll: false)
    _ = ladder.handle(.begin, at: .zero)
    #expect(
      ladder.handle(.refused(0, missing), at: .milliseconds(2)) == [.fault(0, missing), .open(1)]
    )
    #expect(ladder.handle(.refused(1, missing), at: .milliseconds(4)) == [.fault(1, missing)])
    #expect(ladder.deadline(after: .milliseconds(4)) == .milliseconds(252))
    #expect(ladder.handle(.time, at: .milliseconds(252)) == [.open(0)])
    #expect(ladder.deadline(after: .milliseconds(300)) == .milliseconds(1_252))
    #expect(ladder.handle(.time, at: .milliseconds(1_252)) == [.open(1)])
  }

  @Test(
    "When it was told the time, the next time it wants to be told is a later one",
    arguments: 0..<200
  )
  func later(seed: Int) {
    var state = UInt64(seed) &* 6_364_136_223_846_793_005 &+ 1
    func draw(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    var ladder = DeviceLadder(["a", "b", "c"], playsOnAll: draw(3) == 0)
    // What each device is asked for and has not answered; what plays.
    var opening: Set<Int> = []
    var playing: Set<Int> = []
    var now = Duration.zero
    var event = DeviceLadder.Event.begin
    func take(_ effects: [DeviceLadder.Effect]) {
      for effect in effects {
        switch effect {
        case .open(let index): #expect(opening.insert(index).inserted && !playing.contains(index))
        case .play(let index): playing.insert(index)
        case .close(let index): playing.remove(index)
        case .fault, .works: break
        }
      }
    }
    for _ in 0..<200 {
      take(ladder.handle(event, at: now))
      if let deadline = ladder.deadline(after: now), deadline <= now {
        take(ladder.handle(.time, at: now))
      }
      let deadline = ladder.deadline(after: now)
      if let deadline { #expect(deadline > now) }
      now += .milliseconds(draw(400))
      let error = draw(2) == 0 ? missing : busy
      if let index = opening.sorted().first, draw(3) > 0 {
        opening.remove(index)
        event = draw(2) == 0 ? .refused(index, error) : .opened(index)
      } else if let index = playing.sorted().last, draw(3) > 0 {
        event = draw(2) == 0 ? .moving(index) : .lost(index, error)
      } else {
        now = max(now, deadline ?? now)
        event = draw(8) == 0 ? (draw(2) == 0 ? .finish : .begin) : .time
      }
    }
  }
}
