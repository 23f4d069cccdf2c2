#if !TOCSIN_SWIFTUI_COLOR
  // The named colours are those of a light screen; a presentation that knows better may choose its own.
  extension Color {
    /// White.
    public static let white = Color(channels: SIMD4(0xff, 0xff, 0xff, 0xff))
    /// Black.
    public static let black = Color(channels: SIMD4(0x00, 0x00, 0x00, 0xff))
    /// Grey.
    public static let gray = Color(channels: SIMD4(0x8e, 0x8e, 0x93, 0xff))
    /// Red.
    public static let red = Color(channels: SIMD4(0xff, 0x3b, 0x30, 0xff))
    /// Orange.
    public static let orange = Color(channels: SIMD4(0xff, 0x95, 0x00, 0xff))
    /// Yellow.
    public static let yellow = Color(channels: SIMD4(0xff, 0xcc, 0x00, 0xff))
    /// Green.
    public static let green = Color(channels: SIMD4(0x34, 0xc7, 0x59, 0xff))
    /// Mint.
    public static let mint = Color(channels: SIMD4(0x00, 0xc7, 0xbe, 0xff))
    /// Teal.
    public static let teal = Color(channels: SIMD4(0x30, 0xb0, 0xc7, 0xff))
    /// Cyan.
    public static let cyan = Color(channels: SIMD4(0x32, 0xad, 0xe6, 0xff))
    /// Blue.
    public static let blue = Color(channels: SIMD4(0x00, 0x7a, 0xff, 0xff))
    /// Indigo.
    public static let indigo = Color(channels: SIMD4(0x58, 0x56, 0xd6, 0xff))
    /// Purple.
    public static let purple = Color(channels: SIMD4(0xaf, 0x52, 0xde, 0xff))
    /// Pink.
    public static let pink = Color(channels: SIMD4(0xff, 0x2d, 0x55, 0xff))
    /// Brown.
    public static let brown = Color(channels: SIMD4(0xa2, 0x84, 0x5e, 0xff))
    /// Nothing to be seen.
    public static let clear = Color(channels: SIMD4(0, 0, 0, 0))
    /// What text is written in.
    public static let primary = black
    /// What less important text is written in.
    public static let secondary = Color(channels: SIMD4(0x3c, 0x3c, 0x43, 0x99))
    /// What asks to be pressed.
    public static let accentColor = blue
  }
#endif
