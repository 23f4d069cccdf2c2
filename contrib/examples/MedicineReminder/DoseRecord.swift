import AlarmKit

/// Which doses were taken, and when; an app would keep this in a file.
actor DoseRecord {
  static let shared = DoseRecord()

  private(set) var doses: [(medicine: String, at: Date)] = []

  func add(_ medicine: String) {
    doses.append((medicine, .now))
    say("intent: the dose of \(medicine) is recorded")
  }
}

func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
