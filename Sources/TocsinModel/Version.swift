/// The version of all of Tocsin's programs.
package enum Version {
  /// As `--version` prints it.
  package static let text = "0.1.0"
}
