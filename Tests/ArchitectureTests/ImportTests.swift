import Testing

/// Who may import whom: docs/architecture.md.
private enum Rules {
  static let modules: [String: Set<String>] = [
    "TocsinTime": [],
    "TocsinModel": ["TocsinTime"],
    "TocsinEngine": ["TocsinModel", "TocsinTime"],
    "TocsinService": ["CLinux", "CSQLite", "TocsinEngine", "TocsinModel", "TocsinTime"],
    "TocsinClient": ["TocsinModel", "TocsinTime"],
    "SinkKit": ["TocsinClient", "TocsinModel", "TocsinTime"],
    "TocsinCommand": [
      "ConsoleSink", "SinkKit", "TocsinClient", "TocsinEngine", "TocsinModel", "TocsinService",
      "TocsinTime",
    ],
    "TocsinApplication": ["TocsinClient", "TocsinModel", "TocsinService", "TocsinTime"],
    // SwiftUI where a toolchain has one and the build says so.
    "TocsinResources": ["SwiftUI"],
    "ActivityKit": ["TocsinResources"],
    "AppIntents": ["TocsinResources"],
    "AlarmKit": [
      "ActivityKit", "AppIntents", "TocsinApplication", "TocsinModel", "TocsinResources",
      "TocsinService", "TocsinTime",
    ],
    "AlarmKitTesting": [
      "AlarmKit", "TocsinApplication", "TocsinClient", "TocsinModel", "TocsinService", "TocsinTime",
    ],
    "tocsin": ["TocsinCommand"],
    "tocsind": ["TocsinService"],
  ]
  /// What a sink may import beside its own folder's modules and its own C libraries.
  static let ofSinks: Set = ["SinkKit", "TocsinModel", "TocsinTime"]
  /// The C libraries of others.
  static let notOfSinks: Set = ["CLinux", "CSQLite"]
  /// What the system offers to every module that is not pure.
  static let system: Set = ["Glibc", "Synchronization"]
  static let pure: Set = ["TocsinTime", "TocsinModel", "TocsinEngine"]
  /// What programs import, and what may have Foundation for it.
  static let ofPrograms: Set = [
    "ActivityKit", "AlarmKit", "AlarmKitTesting", "AppIntents", "TocsinResources",
  ]
  /// All that an example imports: as code for iOS.
  static let ofExamples: Set = ["ActivityKit", "AlarmKit", "AppIntents"]
}

@Suite("Imports")
struct ImportTests {
  private let repository = Repository.here
  private let sources = Repository.sources
  private let manifest = Manifest(Repository.here.text("Package.swift") ?? "")

  private func folder(_ path: String) -> String {
    path.split(separator: "/").prefix(3).joined(separator: "/")
  }

  @Test("There are sources and targets to look at, or all of this means nothing")
  func something() {
    #expect(sources.count > 50)
    #expect(manifest.targets.count > 15)
    #expect(sources.allSatisfy { $0.module != nil })
    #expect(sources.flatMap(\.imports).contains("TocsinModel"))
  }

  @Test("Each module imports only what it may")
  func directions() {
    for source in sources where !source.path.hasPrefix("Sources/Sinks/") {
      let module = source.module ?? ""
      guard var allowed = Rules.modules[module] else {
        Issue.record("\(source.path): \(module) has no row here and in docs/architecture.md")
        continue
      }
      if !Rules.pure.contains(module) { allowed.formUnion(Rules.system) }
      if module == "TocsinModel" { allowed.insert("FoundationEssentials") }
      if Rules.ofPrograms.contains(module) { allowed.insert("Foundation") }
      for name in source.imports {
        #expect(allowed.contains(name), "\(source.path) imports \(name)")
      }
    }
  }

  @Test("A sink knows SinkKit and its own libraries, no other sink and not the engine")
  func sinks() {
    let sinks = sources.filter { $0.path.hasPrefix("Sources/Sinks/") }
    #expect(!sinks.isEmpty)
    for source in sinks {
      let own = sinks.filter { folder($0.path) == folder(source.path) }.compactMap(\.module)
      let libraries = Set(manifest.cModules).subtracting(Rules.notOfSinks)
      let allowed = Rules.ofSinks.union(Rules.system).union(own).union(libraries)
      for name in source.imports {
        #expect(allowed.contains(name), "\(source.path) imports \(name)")
      }
    }
  }

  @Test("Foundation is for what programs import, its essentials for the model, and no more of it")
  func foundation() {
    for source in sources {
      for name in source.imports where name.hasPrefix("Foundation") {
        let module = source.module ?? ""
        #expect(
          name == "FoundationEssentials"
            ? module == "TocsinModel" : name == "Foundation" && Rules.ofPrograms.contains(module),
          "\(source.path) imports \(name)"
        )
      }
    }
  }

  @Test("Nothing that the daemon or a sink is made of imports what programs import")
  func programs() {
    for source in sources where !Rules.ofPrograms.contains(source.module ?? "") {
      for name in source.imports {
        #expect(!Rules.ofPrograms.contains(name), "\(source.path) imports \(name)")
        #expect(name != "TocsinApplication", "\(source.path) imports \(name)")
      }
    }
  }

  @Test("An example imports what a program for iOS does")
  func examples() {
    #expect(Repository.examples.count > 4)
    #expect(Repository.examples.flatMap(\.imports).contains("AlarmKit"))
    for example in Repository.examples {
      for name in example.imports {
        #expect(Rules.ofExamples.contains(name), "\(example.path) imports \(name)")
      }
    }
  }

  @Test("A C module has one importer")
  func oneImporter() {
    #expect(!manifest.cModules.isEmpty)
    for name in manifest.cModules {
      let importers = Set(sources.filter { $0.imports.contains(name) }.compactMap(\.module))
      #expect(importers.count == 1, "\(name) is imported by \(importers.sorted())")
    }
  }

  @Test("Package.swift names what each module imports")
  func manifestAgrees() {
    let own = Set(manifest.targets.map(\.name))
    for module in Set(sources.compactMap(\.module)).sorted() {
      guard let target = manifest[module] else {
        Issue.record("Package.swift has no target \(module)")
        continue
      }
      let imported = Set(sources.filter { $0.module == module }.flatMap(\.imports))
        .intersection(own)
      // What another module re-exports may be named beside it.
      let missing = imported.subtracting(target.dependencies)
      #expect(missing.isEmpty, "\(module) in Package.swift")
    }
  }

  @Test("docs/architecture.md tells of each module")
  func documented() {
    let text = repository.text("docs/architecture.md") ?? ""
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
      .compactMap { $0.split(separator: "|").first }
    for module in Rules.modules.keys.sorted() {
      let words = rows.flatMap { $0.split { ", ".contains($0) } }
      #expect(words.contains { $0 == module }, "\(module)")
    }
  }
}
