extension AlarmManager {
  /// What a program is called that does not say: the environment's word, the bundle's, the file's name.
  package static func applicationName(environment: [String: String]) -> String {
    if let name = environment["TOCSIN_APPLICATION"], !name.isEmpty { return name }
    if let name = Bundle.main.bundleIdentifier, !name.isEmpty { return name }
    let path = Bundle.main.executablePath ?? CommandLine.arguments.first ?? ""
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return name.isEmpty ? "program" : name
  }
}
