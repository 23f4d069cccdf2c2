import Glibc
import Testing

@testable import GPIOSink

@Suite("A line is found") struct LineFinderTests {
  private typealias Chip = FakeBoard.Chip
  private static let header = (0..<54).map { "GPIO\($0)" }
  private static let none = [String](repeating: "", count: 54)

  private func find(_ line: LineName, _ chip: ChipChoice, _ chips: [FakeBoard.Chip]) -> String {
    do throws(GPIOError) {
      let place = try LineFinder.find(line, on: chip, among: FakeBoard(chips))
      return "\(place.chip) \(place.offset)"
    } catch { return error.description }
  }

  @Test("by its name, whatever number the chip has")
  func renumbered() {
    let old = [
      Chip("/dev/gpiochip0", "gpio-brcmstb", Self.none),
      Chip("/dev/gpiochip4", "pinctrl-rp1", Self.header),
    ]
    let new = [
      Chip("/dev/gpiochip0", "pinctrl-rp1", Self.header),
      Chip("/dev/gpiochip10", "gpio-brcmstb", Self.none),
    ]
    let gone = [Chip("/dev/gpiochip11", "pinctrl-rp1", Self.header)]
    for choice in [ChipChoice.auto, .label("pinctrl-rp1")] {
      #expect(find(.name("GPIO17"), choice, old) == "/dev/gpiochip4 17")
      #expect(find(.name("GPIO17"), choice, new) == "/dev/gpiochip0 17")
      #expect(find(.name("GPIO17"), choice, gone) == "/dev/gpiochip11 17")
    }
    #expect(find(.offset(17), .label("pinctrl-rp1"), old) == "/dev/gpiochip4 17")
    #expect(find(.offset(3), .path("/dev/gpiochip0"), old) == "/dev/gpiochip0 3")
  }

  @Test("on a Raspberry Pi's header before an expander with the same names")
  func known() {
    let chips = [
      Chip("/dev/gpiochip0", "expander", ["GPIO17"]),
      Chip("/dev/gpiochip1", "pinctrl-bcm2835", Self.header),
    ]
    #expect(find(.name("GPIO17"), .auto, chips) == "/dev/gpiochip1 17")
    #expect(find(.name("GPIO17"), .label("expander"), chips) == "/dev/gpiochip0 0")
  }

  @Test("by its number where a Raspberry Pi's lines have no names, and nowhere else")
  func nameless() {
    let chip = Chip("/dev/gpiochip0", "pinctrl-bcm2711", Self.none)
    #expect(find(.name("GPIO17"), .auto, [chip]) == "/dev/gpiochip0 17")
    #expect(find(.name("GPIO54"), .auto, [chip]).hasPrefix("any chip has no GPIO54"))
    let other = Chip("/dev/gpiochip0", "something", Self.none)
    #expect(find(.name("GPIO17"), .auto, [other]).hasPrefix("any chip has no GPIO17"))
  }

  @Test("or not, and then it is said why")
  func missing() {
    let chip = Chip("/dev/gpiochip0", "pinctrl-rp1", Self.header)
    #expect(find(.name("GPIO17"), .auto, []) == "this machine has no GPIO chip, /dev/gpiochip*")
    #expect(
      find(.name("LAMP"), .label("pinctrl-rp1"), [chip])
        == "chip pinctrl-rp1 has no LAMP; gpioinfo lists the names there are"
    )
    #expect(
      find(.offset(60), .label("pinctrl-rp1"), [chip])
        == "chip pinctrl-rp1 has no line 60; gpioinfo lists the names there are"
    )
    #expect(
      find(.name("GPIO17"), .label("x"), [chip])
        == "there is no chip x; gpiodetect lists the labels there are"
    )
    #expect(find(.name("GPIO17"), .path("/dev/gpiochip9"), [chip]) == "/dev/gpiochip9 is not there")
    chip.denial = EACCES
    #expect(find(.name("GPIO17"), .auto, [chip]).hasPrefix("/dev/gpiochip0: Permission denied; "))
  }
}
