#if TOCSIN_SWIFTUI_COLOR
  public import SwiftUI

  /// A colour, as SwiftUI has it.
  ///
  /// For a toolchain with a SwiftUI: build with `-D TOCSIN_SWIFTUI_COLOR`, and this module declares none of its
  /// own. That type must be `Codable`, `Hashable` and `Sendable`, and have `hex` and `init(hex:)` as here.
  public typealias Color = SwiftUI.Color
#else
  /// A colour: red, green, blue and how much of what is behind it is covered.
  ///
  /// Kept in 8 bits a channel, since that is what lamps and screens are told: a colour is the same after it went
  /// through a file. With `-D TOCSIN_SWIFTUI_COLOR` this name is SwiftUI's.
  public struct Color: Sendable, Hashable {
    let channels: SIMD4<UInt8>

    init(channels: SIMD4<UInt8>) { self.channels = channels }

    /// Mixes a colour.
    ///
    /// - Parameters:
    ///   - red: 0...1; what is outside counts as the nearer end.
    ///   - green: 0...1.
    ///   - blue: 0...1.
    ///   - opacity: 0 for nothing to be seen, 1 for all.
    public init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
      channels = SIMD4(
        Self.channel(red),
        Self.channel(green),
        Self.channel(blue),
        Self.channel(opacity)
      )
    }

    /// Mixes a grey.
    ///
    /// - Parameters:
    ///   - white: 0 for black, 1 for white.
    ///   - opacity: 0 for nothing to be seen, 1 for all.
    public init(white: Double, opacity: Double = 1) {
      self.init(red: white, green: white, blue: white, opacity: opacity)
    }

    /// The same colour, covering that much of what it did: 0...1.
    public func opacity(_ opacity: Double) -> Color {
      Color(red: red, green: green, blue: blue, opacity: self.opacity * opacity)
    }

    /// Its red, 0...1.
    public var red: Double { Double(channels[0]) / 255 }
    /// Its green, 0...1.
    public var green: Double { Double(channels[1]) / 255 }
    /// Its blue, 0...1.
    public var blue: Double { Double(channels[2]) / 255 }
    /// How much it covers, 0...1.
    public var opacity: Double { Double(channels[3]) / 255 }

    private static func channel(_ value: Double) -> UInt8 {
      // Also what is no number is some colour: there is none to give back instead.
      value > 0 ? UInt8((min(value, 1) * 255).rounded()) : 0
    }
  }
#endif
