import Glibc
import ProcessTesting
import SinkKit
import SinkTesting
import Synchronization
import Testing
import TocsinModel

@testable import ALSASink

/// Cards with controls of a hundred steps each, in memory.
final class FakeMixers: Mixers {
  private let controls: Mutex<[MixerControl.ID: MixerControl.Position]> = Mutex([:])

  subscript(name: String) -> MixerControl.Position? {
    get { controls.withLock { $0[Self.id(name)] } }
    set { controls.withLock { $0[Self.id(name)] = newValue } }
  }

  static func id(_ name: String) -> MixerControl.ID {
    MixerControl.ID(card: "Headphones", name: name, index: 0)
  }

  func controls(of card: String, floor: Double) throws(ALSAError) -> [MixerControl] {
    let all = controls.withLock { $0.filter { $0.key.card == card } }
    guard !all.isEmpty else { throw ALSAError("snd_mixer_attach", card, code: ENOENT) }
    return all.sorted { $0.key.name < $1.key.name }.map { id, position in
      MixerControl(
        id: id,
        position: position,
        floor: position.volumes.isEmpty ? nil : Int(floor * 100)
      )
    }
  }

  func set(_ id: MixerControl.ID, _ position: MixerControl.Position) throws(ALSAError) {
    controls.withLock { $0[id] = position }
  }
}

@Suite("The mixer")
struct MixerTests {
  private let mixers = FakeMixers()
  private let place: TemporaryFolder
  private var folder: String { place.path }
  private var path: String { folder + "/state/tocsin/plugins/mixer-speaker.json" }

  init() throws {
    place = try TemporaryFolder()
    mixers["Master"] = position(30, isOn: true)
  }

  private func position(_ volume: Int, isOn: Bool) -> MixerControl.Position {
    MixerControl.Position(volumes: [volume, volume], switches: [isOn])
  }

  private func makeGuard(_ names: [String] = []) -> MixerGuard {
    MixerGuard(mixers: mixers, names: names, memory: MixerMemory(path: path))
  }

  private var hasFile: Bool { access(path, F_OK) == 0 }

  @Test("Is unmuted and raised to the floor, and put back")
  func raised() {
    mixers["Master"] = position(30, isOn: false)
    var mixer = makeGuard()
    #expect(mixer.raise("Headphones", to: 0.7).isEmpty)
    #expect(mixers["Master"] == position(70, isOn: true))
    #expect(hasFile)
    #expect(mixer.restore().isEmpty)
    #expect(mixers["Master"] == position(30, isOn: false))
    #expect(!hasFile)
  }

  @Test("Is left alone if it is loud enough, or if there is none")
  func loud() {
    mixers["Master"] = position(80, isOn: true)
    var mixer = makeGuard()
    #expect(mixer.raise("Headphones", to: 0.7).isEmpty)
    #expect(mixer.raise("default", to: 0.7).isEmpty)
    #expect(mixers["Master"] == position(80, isOn: true))
    #expect(!hasFile)
  }

  @Test("Is put back at the next start if the process was killed")
  func killed() {
    var mixer = makeGuard()
    #expect(mixer.raise("Headphones", to: 0.9).isEmpty)
    var next = makeGuard()
    #expect(next.hasChanges)
    #expect(next.restore().isEmpty)
    #expect(mixers["Master"] == position(30, isOn: true))
    let after = makeGuard()
    #expect(!after.hasChanges && !hasFile)
  }

  @Test("If it rings on after a kill, what stood there before counts")
  func killedWhileRinging() {
    var mixer = makeGuard()
    _ = mixer.raise("Headphones", to: 0.7)
    mixers["Master"] = position(70, isOn: false)
    var next = makeGuard()
    _ = next.raise("Headphones", to: 0.9)
    #expect(mixers["Master"] == position(90, isOn: true))
    _ = next.restore()
    #expect(mixers["Master"] == position(30, isOn: true))
  }

  @Test("Keeps what somebody has turned by hand meanwhile")
  func byHand() {
    var mixer = makeGuard()
    _ = mixer.raise("Headphones", to: 0.7)
    mixers["Master"] = position(50, isOn: true)
    _ = mixer.restore()
    #expect(mixers["Master"] == position(50, isOn: true))
  }

  @Test("Raises once for alarms that overlap, so that a hand is not fought")
  func overlapping() {
    var mixer = makeGuard()
    _ = mixer.raise("Headphones", to: 0.7)
    mixers["Master"] = position(50, isOn: true)
    _ = mixer.raise("Headphones", to: 0.7)
    #expect(mixers["Master"] == position(50, isOn: true))
  }

  @Test("The usual controls are raised, or those that are named, or the only one there is")
  func names() {
    mixers["Speaker"] = position(10, isOn: true)
    mixers["Mic Boost"] = position(10, isOn: true)
    var mixer = makeGuard()
    _ = mixer.raise("Headphones", to: 0.6)
    #expect(mixers["Master"] == position(60, isOn: true))
    #expect(mixers["Speaker"] == position(60, isOn: true))
    #expect(mixers["Mic Boost"] == position(10, isOn: true))
    _ = mixer.restore()
    var named = makeGuard(["Speaker"])
    _ = named.raise("Headphones", to: 0.6)
    #expect(mixers["Master"] == position(30, isOn: true))
    #expect(mixers["Speaker"] == position(60, isOn: true))
    let only = MixerControl(id: FakeMixers.id("Line"), position: position(1, isOn: true), floor: 9)
    #expect(MixerControl.chosen(from: [only], names: []) == [only])
  }

  @Test("A file that cannot be written does not keep it from being raised")
  func noFile() {
    let memory = MixerMemory(path: "/proc/none/mixer.json")
    var mixer = MixerGuard(mixers: mixers, names: [], memory: memory)
    let faults = mixer.raise("Headphones", to: 0.7)
    #expect(faults.count == 1 && faults[0].contains("/proc/none/mixer.json"))
    #expect(mixers["Master"] == position(70, isOn: true))
    #expect(mixer.restore().isEmpty)
    #expect(mixers["Master"] == position(30, isOn: true))
  }

  @Test("A file that is no such file is as good as none", arguments: ["", "{", "[1]", "\u{0}"])
  func damaged(text: String) throws {
    #expect(MixerMemory(path: path).save([]) == nil)
    mkdir(folder + "/state", 0o700)
    mkdir(folder + "/state/tocsin", 0o700)
    mkdir(folder + "/state/tocsin/plugins", 0o700)
    let file = try #require(fopen(path, "w"))
    fputs(text, file)
    fclose(file)
    #expect(MixerMemory(path: path).load().isEmpty)
  }

  @Test("The file stands where the daemon keeps its state")
  func location() {
    func path(_ variables: [String: String]) -> String {
      MixerMemory.path(of: "speaker") { variables[$0] }
    }
    #expect(path(["STATE_DIRECTORY": "/var/lib/x"]) == "/var/lib/x/plugins/mixer-speaker.json")
    #expect(path(["XDG_STATE_HOME": "/s"]) == "/s/tocsin/plugins/mixer-speaker.json")
    #expect(path([:]) == "/var/lib/tocsin/plugins/mixer-speaker.json")
  }

  @Test("The sink raises the card it plays on, and puts back when the last alarm has ended")
  func sink() throws {
    let bench = try Bench()
    bench.device.card = "Headphones"
    #expect(bench.mixer.calls == ["restore"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(100)
    bench.receive(Sample.alert(seq: 2, 2, fired: 1))
    bench.advance(100)
    bench.clear(Sample.cleared(seq: 3, of: 2))
    bench.advance(100)
    #expect(bench.mixer.calls == ["restore", "raise Headphones"])
    bench.receive(Sample.snoozed(seq: 4))
    #expect(bench.mixer.calls == ["restore", "raise Headphones", "restore"])
  }

  @Test("Without a card it is the default mixer for the default device, else none")
  func noCard() throws {
    let bench = try Bench(["device": "default, null", "play-on": "all"])
    bench.receive(Sample.alert(seq: 1))
    bench.advance(100)
    #expect(bench.mixer.calls == ["restore", "raise default"])
  }
}
