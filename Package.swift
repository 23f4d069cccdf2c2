// swift-tools-version:6.0
import PackageDescription

/// What every Swift target is built with; warnings become errors in contrib/test.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "tocsin",
  targets: [
    .target(name: "TocsinTime", swiftSettings: settings),
    .testTarget(name: "TocsinTimeTests", dependencies: ["TocsinTime"], swiftSettings: settings),
  ]
)
