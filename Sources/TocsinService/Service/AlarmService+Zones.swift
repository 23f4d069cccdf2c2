import TocsinEngine
import TocsinTime

/// How the service follows the machine's zone, and those that alarms name.
extension AlarmService {
  private static let synchronised = "/run/systemd/timesync/synchronized"

  /// Follows the files of zones, so that a new zone or new rules count at once.
  func watchZones() {
    // Where the clocks are not the machine's, what happens to the machine's zones means nothing.
    guard !options.clocks.areMovedByHand else { return }
    watcher = PathWatcher(reactor: reactor) { [unowned service = self] paths in
      service.assumeIsolated { $0.pathsChanged(paths) }
    }
    watchPaths(of: followedZones.follow(table.zoneUses), andSystem: true)
  }

  /// Takes in what happened to zones before they were watched.
  func readZonesAgain() {
    guard watcher != nil else { return }
    readZones(Array(followedZones.paths.keys), andSystem: true)
  }

  /// Follows the zones that alarms name now, and forgets what was read of others.
  func followZones() {
    guard watcher != nil else { return }
    guard !followedZones.isUpToDate(with: table.zoneUses) || zones.count > followedZones.paths.count
    else { return }
    let new = followedZones.follow(table.zoneUses)
    zones.forget { [followedZones] in followedZones.paths[$0] == nil }
    watchPaths(of: new, andSystem: false)
    warnings[.zoneFile] = followedZones.faultText
    // They were read before they were watched.
    readZones(new, andSystem: false)
  }

  /// The machine's zone is another from now on, as if TZ had been so from the start.
  func setZone(_ name: String) throws(ZoneError) {
    _ = try zones.lookUp(name)
    options.environment["TZ"] = name
    zones.setEnvironment(options.environment)
    readZones([], andSystem: true)
  }

  private func pathsChanged(_ paths: Set<String>) {
    if paths.contains(Self.synchronised) { readClockTrust() }
    let names = followedZones.names(at: paths)
    let isSystem = !followedZones.systemPaths.isDisjoint(with: paths)
    // Before they are read, so that nothing that happens meanwhile is missed.
    watchPaths(of: names, andSystem: isSystem)
    readZones(names, andSystem: isSystem)
  }

  /// Watches what leads to these zones now.
  private func watchPaths(of names: [String], andSystem isSystem: Bool) {
    for name in names { followedZones.setPaths(zones.trails(of: name), of: name) }
    if isSystem { followedZones.systemPaths = zones.systemTrails() }
    watcher?.watch(followedZones.allPaths.union([Self.synchronised]))
  }

  /// Reads zones again, and lets alarms follow if one has other rules.
  private func readZones(_ names: [String], andSystem isSystem: Bool) {
    var local = table.zones.local
    if isSystem { local = readSystemZone() }
    var isOther = local != table.zones.local
    if isOther {
      options.log(.info, "the time zone is \(local?.name ?? "not known") now, or has new rules")
    }
    let others = names.filter { readZone($0) }
    if !others.isEmpty {
      isOther = true
      // How a name is meant, and so which file, may be known only now.
      watchPaths(of: others, andSystem: false)
    }
    warnings[.zoneFile] = followedZones.faultText
    if isOther { run(.zoneChanged(local)) }
  }

  private func readSystemZone() -> Zone? {
    do throws(ZoneError) {
      let zone = try zones.system()
      warnings[.zone] = nil
      return zone
    } catch {
      if warnings.updateValue("\(error)", forKey: .zone) != "\(error)" {
        options.log(.error, "\(error)")
      }
      return nil
    }
  }

  /// Reads the file of a zone that alarms name; one that cannot be used leaves them the rules they have.
  ///
  /// - Returns: whether the rules are others now.
  private func readZone(_ name: String) -> Bool {
    do throws(ZoneError) {
      let isOther = try zones.refresh(name)
      if followedZones.setFault(nil, of: name) {
        options.log(.info, "the file of time zone \(name) is good again")
      }
      if isOther { options.log(.info, "time zone \(name) has new rules") }
      return isOther
    } catch {
      let what =
        switch error.reason {
        case .malformed(let flaw): "is damaged (\(flaw))"
        case .countsLeapSeconds: "counts leap seconds"
        default: "cannot be read"
        }
      let rest = zones.zone(named: name) == nil ? "wait for it" : "keep to the rules it had"
      let fault =
        "\(zones.file(of: name)) \(what), so alarms in time zone \(name) \(rest): "
        + "put a good file there, as by installing the package tzdata again"
      if followedZones.setFault(fault, of: name) { options.log(.error, fault) }
      return false
    }
  }
}
