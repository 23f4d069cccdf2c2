// swift-tools-version:6.0
import PackageDescription

/// As Apple's, `AlarmManager.alarms` throws where the environment of the build says so.
let strictness: [SwiftSetting] =
  Context.environment["TOCSIN_STRICT_ALARMS"] == "1" ? [.define("ALARMKIT_STRICT")] : []

/// What every Swift target is built with; warnings become errors in contrib/test.
let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + strictness

func library(_ name: String, path: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func program(_ name: String, path: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name,
    dependencies: dependencies,
    path: path,
    swiftSettings: settings
  )
}

/// A program of contrib/examples, which imports AlarmKit as one for iOS does.
func example(_ name: String, path: String, mode: SwiftLanguageMode = .v6) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["ActivityKit", "AlarmKit", "AppIntents"],
    path: "contrib/examples/\(path)",
    swiftSettings: [.swiftLanguageMode(mode)]
  )
}

func tests(
  _ name: String,
  _ dependencies: [Target.Dependency],
  exclude: [String] = []
) -> Target {
  .testTarget(
    name: name,
    dependencies: dependencies,
    exclude: exclude,
    swiftSettings: settings
  )
}

/// What several tests share; no program and no product has it.
func support(
  _ name: String,
  _ dependencies: [Target.Dependency],
  exclude: [String] = []
) -> Target {
  .target(
    name: name,
    dependencies: dependencies,
    path: "Tests/\(name)",
    exclude: exclude,
    swiftSettings: settings
  )
}

/// A program that tests or measurements run, and that nobody installs.
func supportProgram(
  _ name: String,
  path: String,
  _ dependencies: [Target.Dependency]
) -> Target {
  .executableTarget(
    name: name,
    dependencies: dependencies,
    path: path,
    swiftSettings: settings
  )
}

/// libFuzzer comes with few toolchains and wants all modules built for it: contrib/fuzz says so.
let fuzzing: [Target] =
  Context.environment["TOCSIN_FUZZ"] == "1"
  ? [
    .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
    supportProgram(
      "fuzz",
      path: "Tests/Fuzz/Fuzz",
      [
        "CFuzzer", "Sounds", "TocsinCommand", "TocsinEngine", "TocsinModel", "TocsinService",
        "TocsinTime",
      ]
    ),
  ] : []

let package = Package(
  name: "tocsin",
  products: [
    .library(name: "SinkKit", targets: ["SinkKit"]),
    .library(name: "AlarmKit", targets: ["AlarmKit", "AppIntents", "ActivityKit"]),
    .library(name: "AlarmKitTesting", targets: ["AlarmKitTesting"]),
  ],
  targets: [
    // System libraries and the little C that Swift cannot say.
    .target(name: "CLinux"),
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CNotify", pkgConfig: "libnotify", providers: [.apt(["libnotify-dev"])]),
    .systemLibrary(name: "CGPIOD", pkgConfig: "libgpiod", providers: [.apt(["libgpiod-dev"])]),

    // Pure: values and decisions.
    library("TocsinTime", []),
    library("TocsinModel", ["TocsinTime"]),
    library("TocsinEngine", ["TocsinModel", "TocsinTime"]),

    // The shell around them.
    library(
      "TocsinService",
      ["CLinux", "CSQLite", "TocsinEngine", "TocsinModel", "TocsinTime"]
    ),
    library("TocsinClient", ["TocsinModel", "TocsinTime"]),
    program("tocsind", ["TocsinService"]),

    // Sinks: one folder each.
    library("SinkKit", ["TocsinClient", "TocsinModel", "TocsinTime"]),
    library(
      "ConsoleSink",
      path: "Sources/Sinks/Console/ConsoleSink",
      ["SinkKit", "TocsinModel", "TocsinTime"]
    ),
    program(
      "tocsin-console",
      path: "Sources/Sinks/Console/tocsin-console",
      ["ConsoleSink", "SinkKit"]
    ),
    library("Sounds", path: "Sources/Sinks/ALSA/Sounds", ["CSndFile", "SinkKit"]),
    library(
      "ALSASink",
      path: "Sources/Sinks/ALSA/ALSASink",
      ["CALSA", "SinkKit", "Sounds", "TocsinModel", "TocsinTime"]
    ),
    program("tocsin-alsa", path: "Sources/Sinks/ALSA/tocsin-alsa", ["ALSASink", "SinkKit"]),
    library(
      "DesktopSink",
      path: "Sources/Sinks/Desktop/DesktopSink",
      ["CNotify", "SinkKit", "TocsinModel", "TocsinTime"]
    ),
    program(
      "tocsin-desktop",
      path: "Sources/Sinks/Desktop/tocsin-desktop",
      ["DesktopSink", "SinkKit"]
    ),
    library(
      "GPIOSink",
      path: "Sources/Sinks/GPIO/GPIOSink",
      ["CGPIOD", "SinkKit", "TocsinModel", "TocsinTime"]
    ),
    program("tocsin-gpio", path: "Sources/Sinks/GPIO/tocsin-gpio", ["GPIOSink", "SinkKit"]),

    // The command.
    library(
      "TocsinCommand",
      [
        "ConsoleSink", "SinkKit", "TocsinClient", "TocsinEngine", "TocsinModel", "TocsinService",
        "TocsinTime",
      ]
    ),
    program("tocsin", ["TocsinCommand"]),

    // For Swift programs: AlarmKit and what it needs of its neighbours.
    library("TocsinApplication", ["TocsinClient", "TocsinModel", "TocsinService", "TocsinTime"]),
    library("TocsinResources", []),
    library("ActivityKit", ["TocsinResources"]),
    library("AppIntents", ["TocsinResources"]),
    library(
      "AlarmKit",
      [
        "ActivityKit", "AppIntents", "TocsinApplication", "TocsinModel", "TocsinResources",
        "TocsinTime",
      ]
    ),
    library(
      "AlarmKitTesting",
      ["AlarmKit", "TocsinClient", "TocsinModel", "TocsinService", "TocsinTime"]
    ),

    // Both language modes, as code for iOS comes in both.
    example("example-kitchen-timer", path: "KitchenTimer"),
    example("example-medicine-reminder", path: "MedicineReminder", mode: .v5),
    example("example-terminal-widget", path: "TerminalWidget"),
    example("example-weekday-wake-up", path: "WeekdayWakeUp", mode: .v5),

    support("ProcessTesting", [], exclude: ["notifyd.py"]),
    support("SinkTesting", ["ProcessTesting", "TocsinModel", "TocsinTime"]),
    supportProgram(
      "soak",
      path: "Tests/Soak",
      ["ProcessTesting", "TocsinClient", "TocsinModel", "TocsinService", "TocsinTime"]
    ),
    supportProgram(
      "engine-costs",
      path: "contrib/bench/EngineCosts",
      ["TocsinEngine", "TocsinModel", "TocsinService", "TocsinTime"]
    ),
    supportProgram("test-program", path: "Tests/TestProgram", ["AlarmKit", "AppIntents"]),
    supportProgram(
      "torture",
      path: "Tests/Torture/Torture",
      ["ProcessTesting", "TocsinClient", "TocsinModel", "TocsinTime"]
    ),
    tests(
      "TocsinTimeTests",
      ["ProcessTesting", "TocsinTime"],
      exclude: ["zone_oracle.py"]
    ),
    tests(
      "TocsinModelTests",
      ["ProcessTesting", "TocsinModel", "TocsinTime"],
      exclude: ["Schema/validate.py"]
    ),
    tests(
      "TocsinEngineTests",
      ["ProcessTesting", "TocsinEngine", "TocsinModel", "TocsinTime"],
      exclude: ["world_oracle.py"]
    ),
    tests(
      "TocsinServiceTests",
      ["CLinux", "ProcessTesting", "TocsinEngine", "TocsinModel", "TocsinService", "TocsinTime"]
    ),
    tests(
      "SinkKitTests",
      ["SinkKit", "SinkTesting", "TocsinClient", "TocsinModel", "TocsinTime"]
    ),
    tests(
      "ConsoleSinkTests",
      ["ConsoleSink", "ProcessTesting", "SinkKit", "SinkTesting", "TocsinModel", "TocsinTime"]
    ),
    tests("SoundsTests", ["ProcessTesting", "SinkKit", "Sounds"]),
    tests(
      "ALSASinkTests",
      [
        "ALSASink", "ProcessTesting", "SinkKit", "SinkTesting", "Sounds", "TocsinModel",
        "TocsinTime", "tocsin-alsa",
      ],
      exclude: ["SoftwareCard"]
    ),
    tests(
      "DesktopSinkTests",
      ["DesktopSink", "ProcessTesting", "SinkKit", "SinkTesting", "TocsinModel", "TocsinTime"]
    ),
    tests(
      "GPIOSinkTests",
      ["GPIOSink", "ProcessTesting", "SinkKit", "SinkTesting", "TocsinModel", "TocsinTime"]
    ),
    tests("TocsinClientTests", ["TocsinClient", "TocsinModel", "TocsinTime"]),
    tests(
      "TocsinCommandTests",
      ["ProcessTesting", "TocsinClient", "TocsinCommand", "TocsinModel", "TocsinTime", "tocsin"]
    ),
    tests(
      "TimelineTests",
      ["TocsinCommand", "TocsinEngine", "TocsinModel", "TocsinService", "TocsinTime"],
      exclude: ["Timelines"]
    ),
    tests(
      "TocsinApplicationTests",
      [
        "ProcessTesting", "TocsinApplication", "TocsinClient", "TocsinModel", "TocsinService",
        "TocsinTime",
      ]
    ),
    tests("AppIntentsTests", ["AppIntents", "TocsinResources"]),
    tests(
      "AlarmKitTests",
      [
        "ActivityKit", "AlarmKit", "AlarmKitTesting", "AppIntents", "ProcessTesting",
        "TocsinApplication", "TocsinModel", "TocsinTime",
      ]
    ),
    tests("EndToEnd", ["ProcessTesting", "TocsinClient", "TocsinModel", "TocsinTime"]),
    tests("ArchitectureTests", []),
  ] + fuzzing
)
