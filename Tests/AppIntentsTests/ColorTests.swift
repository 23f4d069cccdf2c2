import Foundation
import Testing
import TocsinResources

@Suite("A colour")
struct ColorTests {
  private static let all: [Color] = [
    .white, .black, .red, .green, .blue, .orange, .yellow, .purple, .pink, .indigo, .brown, .cyan,
    .mint, .teal, .gray, .secondary, .clear,
  ]

  @Test("is written as a hash and its digits")
  func text() {
    #expect(Color.white.hex == "#ffffff" && Color.black.hex == "#000000")
    #expect(Color(red: 1, green: 0.5, blue: 0).hex == "#ff8000")
    #expect(Color(red: 1, green: 0.5, blue: 0, opacity: 0.5).hex == "#ff800080")
    #expect(Color.clear.hex == "#00000000")
    #expect(Color(white: 0.2).hex == "#333333" && "\(Color.orange)" == "#ff9500")
  }

  @Test("is read in either case, and nothing else is")
  func reading() {
    #expect(Color(hex: "#FF9500") == .orange && Color(hex: "#ff9500ff") == .orange)
    for text in [
      "", "#", "ff9500", "#ff95", "#ff950", "#ff95000", "#gg9500", "#+f9500", "#ff9500 ",
    ] {
      #expect(Color(hex: text) == nil, "\(text)")
    }
  }

  @Test("is the same after it went through a file, and no other")
  func coding() throws {
    for color in Self.all {
      let data = try JSONEncoder().encode([color])
      #expect(try JSONDecoder().decode([Color].self, from: data) == [color])
      #expect(Color(hex: color.hex) == color)
    }
    #expect(Set(Self.all).count == Self.all.count)
    #expect(Color.primary == .black && Color.accentColor == .blue)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Color].self, from: Data(#"["orange"]"#.utf8))
    }
  }

  @Test("takes the nearest of what there is")
  func clamping() {
    #expect(Color(red: 2, green: -1, blue: .infinity, opacity: .nan).hex == "#ff00ff00")
    #expect(Color.blue.opacity(0.5).hex == "#007aff80")
    let color = Color(red: 0.2, green: 0.4, blue: 0.6, opacity: 0.8)
    #expect(color.red == 0.2 && color.green == 0.4 && color.blue == 0.6 && color.opacity == 0.8)
  }
}
