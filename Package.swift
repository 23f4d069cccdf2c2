// swift-tools-version:6.0
import PackageDescription

/// What every Swift target is built with; warnings become errors in contrib/test.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

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

let package = Package(
  name: "tocsin",
  products: [
    .library(name: "SinkKit", targets: ["SinkKit"])
  ],
  targets: [
    // System libraries and the little C that Swift cannot say.
    .target(name: "CLinux"),
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),

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
    library("SinkKit", ["TocsinModel", "TocsinTime"]),
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

    // The command.
    library(
      "TocsinCommand",
      [
        "ConsoleSink", "SinkKit", "TocsinClient", "TocsinEngine", "TocsinModel", "TocsinService",
        "TocsinTime",
      ]
    ),
    program("tocsin", ["TocsinCommand"]),

    tests("TocsinTimeTests", ["TocsinTime"], exclude: ["zone_oracle.py"]),
    tests("TocsinModelTests", ["TocsinModel", "TocsinTime"]),
    tests("TocsinEngineTests", ["TocsinEngine", "TocsinModel", "TocsinTime"]),
    tests(
      "TocsinServiceTests",
      ["CLinux", "TocsinEngine", "TocsinModel", "TocsinService", "TocsinTime"]
    ),
    tests("SinkKitTests", ["SinkKit", "TocsinModel", "TocsinTime"]),
    tests("ConsoleSinkTests", ["ConsoleSink", "SinkKit", "TocsinModel", "TocsinTime"]),
    tests("TocsinClientTests", ["TocsinClient", "TocsinModel", "TocsinTime"]),
    tests(
      "TocsinCommandTests",
      ["TocsinClient", "TocsinCommand", "TocsinModel", "TocsinTime", "tocsin"]
    ),
    tests(
      "TimelineTests",
      ["TocsinCommand", "TocsinEngine", "TocsinModel", "TocsinService", "TocsinTime"],
      exclude: ["Timelines"]
    ),
    tests("EndToEnd", ["TocsinClient", "TocsinModel", "TocsinTime"]),
    tests("ArchitectureTests", []),
  ]
)
