/// The version of all of Tocsin's programs.
package enum Version {
  package static let text = "0.1.0"
}
