import CLinux

/// The process's environment variables, copied; call it before there are threads that change them.
package func processEnvironment() -> [String: String] {
  var variables: [String: String] = [:]
  guard var next = tocsin_environment() else { return variables }
  while let entry = next.pointee {
    let text = String(cString: entry)
    if let equals = text.firstIndex(of: "=") {
      variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    next += 1
  }
  return variables
}
