import SinkKit
import Testing

@testable import ALSASink

@Suite("Settings")
struct SettingsTests {
  @Test("Commas separate devices, but not the parts of a name")
  func devices() {
    #expect(DeviceNames.list("default") == ["default"])
    #expect(
      DeviceNames.list("plughw:CARD=Headphones,DEV=0, default")
        == ["plughw:CARD=Headphones,DEV=0", "default"]
    )
    #expect(DeviceNames.list("hw:1,0,2,plughw:CARD=b1") == ["hw:1,0,2", "plughw:CARD=b1"])
    #expect(DeviceNames.list("hdmi:CARD=vc4hdmi0, , usb") == ["hdmi:CARD=vc4hdmi0", "usb"])
    #expect(DeviceNames.list("\"my, own\",'b'") == ["my, own", "b"])
    #expect(DeviceNames.list(" ,") == [])
  }

  @Test("A card's number is told from its name")
  func numbers() {
    #expect(DeviceNames.cardNumber(in: "hw:1,0") == 1)
    #expect(DeviceNames.cardNumber(in: "plughw:CARD=2") == 2)
    #expect(DeviceNames.cardNumber(in: "plughw:CARD=Headphones,DEV=0") == nil)
    #expect(DeviceNames.cardNumber(in: "plughw:b1") == nil)
    #expect(DeviceNames.cardNumber(in: "default") == nil)
  }

  @Test("hw: is opened with conversion, or most sounds could not be played on it")
  func plug() {
    #expect(DeviceNames.opened("hw:CARD=b1") == "plughw:CARD=b1")
    #expect(DeviceNames.opened("plughw:CARD=b1") == "plughw:CARD=b1")
    #expect(DeviceNames.opened("default") == "default")
  }

  @Test("An empty section plays on the default device, and leaves the mixer alone")
  func defaults() throws {
    let section = SinkSettings(sink: "speaker", [:])
    let settings = ALSASettings(section)
    try section.finish()
    #expect(settings == ALSASettings())
    #expect(settings.devices == ["default"] && settings.mixerFloor == nil && settings.isAudible)
  }

  @Test("All that can be set")
  func all() throws {
    let section = SinkSettings(
      sink: "speaker",
      [
        "device": "plughw:CARD=b1", "play-on": "all", "sound": "birds.ogg", "volume": "80%",
        "fade-in": "30s", "fade-from": "30 dB", "lead-in": "1500ms", "mixer-floor": "60%",
        "mixer": "Master, Line Out",
      ]
    )
    let settings = ALSASettings(section)
    try section.finish()
    #expect(settings.devices == ["plughw:CARD=b1"] && settings.playOn == .all)
    #expect(settings.sound == "birds.ogg" && settings.volume == 0.8)
    #expect(settings.fadeIn == .seconds(30) && settings.fadeDepth == 30)
    #expect(settings.leadIn == .milliseconds(1_500))
    #expect(settings.mixerFloor == 0.6 && settings.mixerControls == ["Master", "Line Out"])
  }

  @Test("Everything that is wrong is told at once, by key")
  func wrong() {
    let section = SinkSettings(
      sink: "speaker",
      [
        "device": ",", "play-on": "both", "volume": "loud", "fade-in": "30", "fade-from": "99dB",
        "lead-in": "6s", "mixer-floor": "much", "mixer": ",", "colour": "red",
      ]
    )
    _ = ALSASettings(section)
    do throws(SettingsError) {
      try section.finish()
      Issue.record("nothing was found wrong")
    } catch {
      #expect(
        Set(error.problems.map(\.key)) == [
          "device", "play-on", "volume", "fade-in", "fade-from", "lead-in", "mixer-floor", "mixer",
          "colour",
        ]
      )
    }
  }
}
